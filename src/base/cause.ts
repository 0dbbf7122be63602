/** What an error comes from: `fetch failed` alone says nothing. */
import { isObject } from './json.ts';

/** What was thrown, in words: not everything is an Error. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The words that `reasons` has for the code of an error, or its own. */
export function explainCode(error: unknown, reasons: Readonly<Record<string, string>>): string {
  const code = isObject(error) && typeof error.code === 'string' ? error.code : '';
  return reasons[code] ?? messageOf(error);
}

/** The innermost cause. */
export function findCause(error: unknown): unknown {
  let inner = error;
  for (let depth = 0; depth < 5 && inner instanceof Error && inner.cause !== undefined; depth += 1) inner = inner.cause;
  return inner;
}

/** What the innermost cause says. */
export function describeCause(error: unknown): string {
  const inner = findCause(error);
  return describeParts(inner) ?? messageOf(inner);
}

/** What each part of an AggregateError says, such as the attempt at an address; undefined for another error. */
export function describeParts(error: unknown): string | undefined {
  if (!isObject(error) || !Array.isArray(error.errors) || error.errors.length === 0) return undefined;
  return error.errors.slice(0, 8).map(describeCause).join('; ');
}
