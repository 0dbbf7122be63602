import type { ActionHost } from './host.ts';

/**
 * What main leaves for post; no other keys. `step_key`: a run may exist, with this label. `run_id`: it does. `is_done`: nothing is left to be
 * stopped; `last_state`: what the run was then. `comment`: where the comment is, or is to be; `is_comment_final`: it says the end, or nothing
 * can be done about it; `verdict`: what it is to say, where main came so far. `is_cancelled`: the runner wanted the step to
 * stop; `title`: of its run, then. `is_embedded`: the server went with the step.
 */
const stateKeys = [
  'step_key',
  'run_id',
  'is_done',
  'last_state',
  'comment',
  'is_comment_final',
  'verdict',
  'is_cancelled',
  'title',
  'is_embedded',
] as const;
type StateKey = (typeof stateKeys)[number];

/**
 * Says that the server went with the step, and nothing else yet. An agent within the step can print to its log, where the runner obeys `save-state`; what
 * stands in the file counts before that. Throws CommandFileError.
 */
export function saveEmbeddedState(host: ActionHost): void {
  for (const key of stateKeys) host.saveState(key, key === 'is_embedded' ? 'true' : '');
}

export function saveStepState(host: ActionHost, key: StateKey, value: string): void {
  host.saveState(key, value);
}

export function readStepState(host: ActionHost, key: StateKey): string | undefined {
  const value = host.readState(key);
  return value === '' ? undefined : value;
}
