import { type Clock, systemClock } from '../../base/clock.ts';
import type { Shell } from './command-shell.ts';

/** Where lines cannot be replaced, print one line per minute without other output. */
const silenceMs = 60_000;

/**
 * Shows that a command still waits: one line that is replaced, or a new line after each minute in which `count` (of
 * shown lines) did not change.
 */
export function createLifeSign(shell: Pick<Shell, 'note' | 'showStatus'>, clock: Clock = systemClock) {
  const fromMs = clock.monotonicMs();
  let last = { count: 0, atMs: fromMs };
  return (state: string, count: number): void => {
    const atMs = clock.monotonicMs();
    const seconds = Math.floor((atMs - fromMs) / 1000);
    const text = `${state}, ${seconds < 60 ? '' : `${Math.floor(seconds / 60)} min `}${seconds % 60} s`;
    if (count !== last.count) last = { count, atMs };
    if (shell.showStatus(text) || atMs - last.atMs < silenceMs) return;
    shell.note(`still ${text}`, 'quiet');
    last = { count, atMs };
  };
}
