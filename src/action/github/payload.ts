/** Reads members of a payload: another service may write anything there. */
import { isObject, type JsonObject } from '../../base/json.ts';

export function objectOf(value: unknown): JsonObject | undefined {
  return isObject(value) ? value : undefined;
}

/** Undefined for '' as well. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A number of GitHub's: an id, a number of an issue, a line. */
export function idOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}
