import type { RunEvent } from '../../contract/events.ts';
import { FeatureUnavailableError } from '../errors/run-errors.ts';
import type { Transport } from '../http/transport.ts';
import { EventReader, type EventsOptions } from './event-reader.ts';
import { followRun } from './follow.ts';

/**
 * Every event after `after`, in order and once; ends after the last one of a finished run. On a server that has no events: an event of the type
 * `state`, with the `seq` 0, for each state that the run is seen in. Throws AbortedError, RunLostError, ConnectionError when no
 * good answer came for `toleranceMs`, and at once what no waiting cures (401, 403, other 4xx).
 */
export async function* iterateEvents(
  transport: Transport,
  runId: string,
  options: EventsOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  try {
    yield* new EventReader(transport, runId, options).read();
  } catch (error) {
    if (!(error instanceof FeatureUnavailableError)) throw error;
    transport.logger.info(`run ${runId}: ${error.message}; following only its state`);
    await options.onStatesOnly?.();
    const { after: _after, onStatesOnly: _told, ...following } = options;
    for await (const { state, status_message, updated_at } of followRun(transport, runId, following)) {
      // Other services may write null.
      const message = status_message?.message ?? undefined;
      yield { seq: 0, at: updated_at, type: 'state', data: { state, ...(message === undefined ? {} : { message }) } };
    }
  }
}
