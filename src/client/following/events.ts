/** The events of a run, by JSON pages that wait for more. */
import type { EventPage, RunEvent } from '../../contract/events.ts';
import { headerNames, readFeatures } from '../../contract/headers.ts';
import { fillRoute } from '../http/address.ts';
import type { Answer } from '../http/answer.ts';
import { pause } from '../http/deadline.ts';
import { isEventPage } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import { explainMissing } from './features.ts';
import { longPollSeconds, pageRestMs } from './pace.ts';
import { Patience, type PatienceOptions } from './patience.ts';

export interface EventsOptions extends PatienceOptions {
  /** The number of the last event that is known already. @default 0 */
  readonly after?: number | undefined;
  /** Ends the iteration with AbortedError. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Every event after `after`, in order and once; ends after the last one of a finished run. Throws FeatureUnavailableError on a server
 * without events, and what following a run throws.
 */
export async function* readEvents(
  transport: Transport,
  runId: string,
  options: EventsOptions,
): AsyncGenerator<RunEvent, void, undefined> {
  const { clock } = transport;
  const patience = new Patience(runId, transport, options);
  let after = options.after ?? 0;
  let wasThere = false;
  let quietPolls = 0;
  for (;;) {
    patience.noteAsked();
    const askedMs = clock.monotonicMs();
    let answer: Answer | undefined;
    let delayMs = 0;
    try {
      answer = await askForPage(transport, { runId, after, signal: options.signal });
    } catch (error) {
      delayMs = patience.bear(wasThere ? error : explainMissing(error, 'events'), undefined);
    }
    if (answer !== undefined) {
      const tookMs = clock.monotonicMs() - askedMs;
      patience.noteGoodAnswer();
      wasThere = true;
      const page = answer.data as EventPage;
      let news = 0;
      for (const event of page.events) {
        if (event.seq <= after) continue;
        after = event.seq;
        news += 1;
        yield event;
      }
      if (page.done) return;
      quietPolls = news > 0 ? 0 : quietPolls + 1;
      const serverWaits = readFeatures(answer.headers).has('wait');
      delayMs = pageRestMs({ news, serverWaits, tookMs, quietPolls });
    }
    await pause(clock, delayMs, options.signal);
  }
}

async function askForPage(
  transport: Transport,
  ask: { readonly runId: string; readonly after: number; readonly signal: AbortSignal | undefined },
): Promise<Answer> {
  const attemptMs = transport.limits({}).timeoutMs + longPollSeconds * 1000;
  return await transport.send({
    method: 'GET',
    path: fillRoute('listEvents', { runId: ask.runId }),
    query: { after: ask.after },
    headers: { [headerNames.prefer]: `wait=${longPollSeconds}` },
    as: 'json',
    isExpected: isEventPage,
    isIdempotent: true,
    // One failed poll is borne by the reader's patience.
    maxRetries: 0,
    timeoutMs: attemptMs,
    totalTimeoutMs: attemptMs,
    signal: ask.signal,
  });
}
