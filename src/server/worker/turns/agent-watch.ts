import type { Clock } from '../../../base/clock.ts';
import { counted } from '../../../base/text.ts';
import type { Harness, OutputReader } from '../../harness/harness.ts';
import { RunFailure } from '../../run-failure.ts';
import { describeDuration } from '../run-ending.ts';

const lookMs = 1000;

/**
 * Watches an agent that does not stop by itself. `onLimit` gets a RunFailure when the agent was silent for too long
 * while no tool was working, or exceeded its steps. Call `noteActivity` for all output. The returned function stops the
 * watch.
 */
export function watchAgent({
  harness: { stallMs, stepsMax },
  reader,
  clock,
  onLimit,
}: {
  readonly harness: Pick<Harness, 'stallMs' | 'stepsMax'>;
  readonly reader: OutputReader;
  readonly clock: Clock;
  readonly onLimit: (failure: RunFailure) => void;
}): { readonly noteActivity: () => void; readonly stop: () => void } {
  const over = new AbortController();
  let aliveMs = clock.monotonicMs();
  const findFailure = (): RunFailure | undefined => {
    if (reader.isToolRunning) aliveMs = clock.monotonicMs();
    if (stepsMax !== undefined && reader.steps > stepsMax)
      return new RunFailure(
        'step_limit',
        `the agent reached its limit of ${counted(stepsMax, 'step')} and was stopped. Give it a smaller task, or raise \`steps\` of the harness`,
      );
    if (stallMs !== undefined && clock.monotonicMs() - aliveMs >= stallMs)
      return new RunFailure(
        'stalled',
        `the agent stalled: it produced no output for ${describeDuration(stallMs)} while no tool was running. Start the run again; on a server, \`stall_minutes\` of the harness sets this limit`,
      );
    return undefined;
  };
  const look = async (): Promise<void> => {
    for (;;) {
      await clock.sleep(Math.min(lookMs, stallMs ?? lookMs), over.signal);
      const failure = findFailure();
      if (failure === undefined) continue;
      onLimit(failure);
      return;
    }
  };
  look().catch(() => {});
  return {
    noteActivity: () => {
      aliveMs = clock.monotonicMs();
      if (stepsMax === undefined || reader.steps <= stepsMax) return;
      const failure = findFailure();
      if (failure !== undefined) onLimit(failure);
    },
    stop: () => over.abort(),
  };
}
