/**
 * The minimal checks of each response, and the parser of a run. Unknown members stay, because newer servers send
 * more.
 */
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Run } from '../../contract/run.ts';

/** A run, or the answer to a create. */
export function isRun(data: unknown): boolean {
  return isObject(data) && isText(data, 'run_id') && isText(data, 'state');
}

/** Also checks the id: a cache or a proxy may have mixed up two responses. */
export function isRunOf(runId: string): (data: unknown) => boolean {
  return data => isRun(data) && isIdOf(runId)((data as JsonObject).run_id);
}

export function isRunPage(data: unknown): boolean {
  return isObject(data) && Array.isArray(data.runs) && data.runs.every(isRun) && isObject(data.page_info);
}

export function isEventPage(data: unknown): boolean {
  // Without `done` a reader could not tell when to stop.
  return isObject(data) && Array.isArray(data.events) && data.events.every(isEvent) && typeof data.done === 'boolean';
}

export function isLease(data: unknown): boolean {
  return isObject(data) && isText(data, 'lease_expires_at');
}

/** Also checks the id, which is the whole document. */
export function isIdOf(runId: string): (data: unknown) => boolean {
  return data => typeof data === 'string' && data.toLowerCase() === runId.toLowerCase();
}

export function isEvent(data: unknown): boolean {
  return isObject(data) && Number.isSafeInteger(data.seq) && isText(data, 'type') && isObject(data.data);
}

function isText(data: JsonObject, member: string): boolean {
  return typeof data[member] === 'string' && data[member] !== '';
}

/**
 * The run in a document that `isRun` has accepted, as its type says. Other services send null or other kinds where
 * they have no value. Such members are omitted, so no caller has to check again.
 */
export function parseRun(data: unknown): Run {
  return pick(data, runMembers, { title: '', prompt: '', created_at: '', updated_at: '' }) as unknown as Run;
}

/** Returns the value as its type says; undefined if it is of another kind. */
type Read = (value: unknown) => unknown;
type Members = Readonly<Record<string, Read>>;

const text: Read = value => (typeof value === 'string' ? value : undefined);
const word: Read = value => (value === '' ? undefined : text(value));
const textOrNull: Read = value => (value === null ? null : text(value));
const count: Read = value => (Number.isSafeInteger(value) && Number(value) > 0 ? value : undefined);
const anyObject: Read = value => (isObject(value) ? value : undefined);
const object =
  (members: Members): Read =>
  value =>
    isObject(value) ? pick(value, members) : undefined;
const list =
  (isEntry: (entry: unknown) => boolean): Read =>
  value =>
    Array.isArray(value) ? value.filter(isEntry) : undefined;
const all = (names: string, read: Read): Members => Object.fromEntries(names.split(' ').map(name => [name, read]));

const runMembers: Members = {
  ...all('title prompt created_at updated_at run_time cancel_requested_at lease_expires_at session_id', text),
  ...all('session_link conversation_id trigger_url repository ref sha environment_name source', text),
  ...all('started_at finished_at', textOrNull),
  ...all('creator executor metadata request_usage', anyObject),
  ...all('attempt last_seq', value => (Number.isSafeInteger(value) ? value : undefined)),
  status_message: value => {
    const status = pick(value, { message: text, ...all('error_code reason', word) });
    return 'message' in status || 'error_code' in status || 'reason' in status ? { message: '', ...status } : undefined;
  },
  result: value => {
    const result = pick(value, {
      text,
      truncated: given => given === true,
      left_out_bytes: count,
      structured: given => given ?? undefined,
    });
    return 'text' in result || 'structured' in result ? { text: '', truncated: false, ...result } : undefined;
  },
  agent_config: object({
    ...all('name model_id base_prompt environment_id skill_spec', text),
    skills: list(skill => typeof skill === 'string'),
    harness: object(all('type name model_id', text)),
  }),
  agent_skill: object(all('name description full_path', text)),
  artifacts: list(isArtifact),
};

/** A known kind of artifact must have the id or address that locates it. */
function isArtifact(artifact: unknown): boolean {
  if (!isObject(artifact) || !isText(artifact, 'artifact_type') || !isObject(artifact.data)) return false;
  const { artifact_type: type, data } = artifact;
  if (type === 'FILE') return isText(data, 'artifact_uid');
  return type !== 'PULL_REQUEST' || isText(data, 'url');
}

/** Adds the members of `given` to `picked`, known ones as their type says. A loop, because every response passes it. */
function pick(given: unknown, members: Members, picked: Record<string, unknown> = {}): JsonObject {
  if (!isObject(given)) return picked;
  for (const name of Object.keys(given)) {
    const read = Object.hasOwn(members, name) ? members[name] : undefined;
    const value = read === undefined ? given[name] : read(given[name]);
    // Assigning this name would replace the prototype.
    if (value !== undefined && name !== '__proto__') picked[name] = value;
  }
  return picked;
}
