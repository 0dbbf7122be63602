/** Finds the cause of an error, because `fetch failed` alone explains nothing. */
import { isObject } from './json.ts';

/** The message of anything thrown, including values that are not errors. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The text in `reasons` for the code of an error, otherwise its message. */
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

export function describeCause(error: unknown): string {
  const inner = findCause(error);
  return describeParts(inner) ?? messageOf(inner);
}

/** The messages of an AggregateError's parts, such as the attempts at each address; undefined for other errors. */
export function describeParts(error: unknown): string | undefined {
  if (!isObject(error) || !Array.isArray(error.errors) || error.errors.length === 0) return undefined;
  return error.errors.slice(0, 8).map(describeCause).join('; ');
}
