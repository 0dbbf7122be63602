import type { ActionHost } from './host/host.ts';

/** What main leaves for post; no other keys. */
type StateKey = 'run_id' | 'is_over';

export function saveStepState(host: ActionHost, key: StateKey, value: string): void {
  host.saveState(key, value);
}

export function readStepState(host: ActionHost, key: StateKey): string | undefined {
  const value = host.readState(key);
  return value === '' ? undefined : value;
}
