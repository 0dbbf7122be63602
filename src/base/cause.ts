/** What an error comes from: `fetch failed` alone says nothing. */
import { isObject } from './json.ts';

const depthMax = 5;
const partsMax = 8;

/** The innermost cause. */
export function findCause(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < depthMax && inner instanceof Error && inner.cause !== undefined; depth += 1)
    inner = inner.cause;
  return inner;
}

/** What the innermost cause says. */
export function describeCause(error: unknown): string {
  const inner = findCause(error);
  return describeParts(inner) ?? (inner instanceof Error ? inner.message : String(inner));
}

/** What the parts of an AggregateError say, such as the attempts at each address of a host; undefined for another error. */
export function describeParts(error: unknown): string | undefined {
  if (!isObject(error) || !Array.isArray(error.errors) || error.errors.length === 0) return undefined;
  return error.errors.slice(0, partsMax).map(describeCause).join('; ');
}
