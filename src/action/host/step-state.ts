import type { ActionHost } from './host.ts';

/**
 * State that main leaves for post:
 * - `step_key`: a run with this label may exist. `run_id`: it does.
 * - `is_done`: nothing is left to stop. `last_state`: the run's state at that time.
 * - `comment`: where the comment is or will be. `is_comment_final`: it is complete, or cannot be changed.
 * - `verdict`: what the comment has to say, if main got that far.
 * - `is_cancelled`: the runner wanted the step to stop. `title`: the run's title in that case.
 * - `is_embedded`: the server ended with the step.
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
 * Saves that the server ends with the step, before any other state. An agent inside the step can print `save-state`
 * to its log, which the runner obeys. Values in the file take precedence over that. Throws CommandFileError.
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
