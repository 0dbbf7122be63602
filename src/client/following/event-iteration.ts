import type { RunEvent } from '../../contract/events.ts';
import { FeatureUnavailableError } from '../errors/run-errors.ts';
import type { Transport } from '../http/transport.ts';
import { EventReader, type EventsOptions } from './event-reader.ts';
import { followRun } from './follow.ts';

/**
 * Yields every event after `after` once, in order, and ends after the last one of a finished run. On a server without
 * events it yields an event of the type `state`, with `seq` 0, for each state seen. Throws AbortedError,
 * RunLostError, ConnectionError if no good response came for `toleranceMs`, and any error that waiting cannot fix
 * (401, 403, other 4xx) at once.
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
      // Other services may send null.
      const message = status_message?.message ?? undefined;
      yield { seq: 0, at: updated_at, type: 'state', data: { state, ...(message === undefined ? {} : { message }) } };
    }
  }
}
