/** The least that a document needs to be what a call asked for. Answers are not validated beyond it: newer servers say more. */
import { isObject, type JsonObject } from '../../base/json.ts';

/** A run, and the answer to a create. */
export function isRun(data: unknown): boolean {
  return isObject(data) && isText(data, 'run_id') && isText(data, 'state');
}

/** That very run: a cache or a proxy may have mixed up two answers. */
export function isRunOf(runId: string): (data: unknown) => boolean {
  return data => isRun(data) && isIdOf(runId)((data as JsonObject).run_id);
}

export function isRunPage(data: unknown): boolean {
  return isObject(data) && Array.isArray(data.runs) && data.runs.every(isRun) && isObject(data.page_info);
}

export function isEventPage(data: unknown): boolean {
  // Without a word on whether more will come, nobody could end.
  return isObject(data) && Array.isArray(data.events) && data.events.every(isEvent) && typeof data.done === 'boolean';
}

export function isLease(data: unknown): boolean {
  return isObject(data) && isText(data, 'lease_expires_at');
}

/** The id of that very run, as the whole document. */
export function isIdOf(runId: string): (data: unknown) => boolean {
  return data => typeof data === 'string' && data.toLowerCase() === runId.toLowerCase();
}

export function isEvent(data: unknown): boolean {
  return isObject(data) && Number.isSafeInteger(data.seq) && isText(data, 'type') && isObject(data.data);
}

function isText(data: JsonObject, member: string): boolean {
  return typeof data[member] === 'string' && data[member] !== '';
}
