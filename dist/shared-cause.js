import {
  isObject
} from "./core.js";

// src/base/cause.ts
function findCause(error) {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== void 0; depth += 1) inner = inner.cause;
  return inner;
}
function describeCause(error) {
  const inner = findCause(error);
  return describeParts(inner) ?? (inner instanceof Error ? inner.message : String(inner));
}
function describeParts(error) {
  if (!isObject(error) || !Array.isArray(error.errors) || error.errors.length === 0) return void 0;
  return error.errors.slice(0, 8).map(describeCause).join("; ");
}

export {
  findCause,
  describeCause,
  describeParts
};
