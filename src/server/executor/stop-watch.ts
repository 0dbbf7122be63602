import type { Clock } from '../../base/clock.ts';
import type { ExecutorRequest } from './executor.ts';

/** Node's timers fire at once for longer delays. */
const timerMaxMs = 2 ** 31 - 1;

/** Why a program is stopped. `failure`: its output could not be stored. */
export type Stop = 'time_limit' | 'signal' | 'failure';

/** Waits for the first reason to stop a program: signal, time limit or `stop`. Aborting `over` ends the wait. */
export function watchForStop(
  { signal, timeLimitMs }: Pick<ExecutorRequest, 'signal' | 'timeLimitMs'>,
  clock: Clock,
  over: AbortSignal,
): { readonly stopped: Promise<Stop>; stop(reason: Stop): void } {
  const { promise, resolve } = Promise.withResolvers<Stop>();
  if (signal.aborted) resolve('signal');
  signal.addEventListener('abort', () => resolve('signal'), { once: true, signal: over });
  clock.sleep(Math.min(timeLimitMs, timerMaxMs), over).then(
    () => resolve('time_limit'),
    () => {},
  );
  return { stopped: promise, stop: resolve };
}
