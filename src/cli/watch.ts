/**
 * Shows a run while it works, on two ways at once: the run itself is followed for its state, which alone decides, and its events are shown.
 * A fault of the events is a line on stderr and nothing more.
 */
import { systemClock } from '../base/clock.ts';
import { type AgentRuns, type EventLine, EventLines } from '../client/index.ts';
import type { RunEvent } from '../contract/events.ts';
import type { Run } from '../contract/run.ts';
import { isFinal } from '../contract/state.ts';
import { isEnding } from './ending.ts';
import { messageOf, type Shell } from './shell.ts';

/** How long no event may come, after the run has ended, before the last ones are given up. */
const quietMs = { over: 10_000, blocked: 1000 };
/** A server that goes on with events of a run that is over is not listened to for ever. */
const lastEventsMs = 60_000;

interface Watch {
  readonly client: AgentRuns;
  readonly shell: Shell;
  readonly runId: string;
  /** Events as JSON on stdout in place of lines on stderr. */
  readonly showsJson: boolean;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** The number of the last event that is not shown. @default 0 */
  readonly after?: number | undefined;
}

/** The run when it has ended or waits for a person, its events shown. Throws what following throws. */
export async function watchRun({ client, runId, signal, timeoutMs, ...output }: Watch): Promise<Run> {
  const stopping = new AbortController();
  const stream = showEvents({ client, runId, ...output, signal: AbortSignal.any([signal, stopping.signal]) });
  try {
    for await (const run of client.runs.follow(runId, { signal, timeoutMs })) {
      if (!isEnding(run)) continue;
      await awaitLastEvents(stream, isFinal(run.state) ? quietMs.over : quietMs.blocked);
      return run;
    }
    throw new Error(`run ${runId}: following ended before the run did`);
  } finally {
    stopping.abort();
    await stream.ended;
  }
}

interface EventStream {
  /** After the last event; never rejects. */
  readonly ended: Promise<void>;
  readonly count: () => number;
}

type EventOutput = Pick<Watch, 'client' | 'shell' | 'runId' | 'showsJson' | 'signal' | 'after'>;

function showEvents({ client, shell, runId, showsJson, signal, after }: EventOutput): EventStream {
  const lines = new EventLines();
  let count = 0;
  const noteLines = (shown: readonly EventLine[]) => {
    for (const { text, isQuoted } of shown) shell.note(isQuoted ? `│ ${text}` : text, isQuoted ? 'quiet' : 'plain');
  };
  const show = (event: RunEvent) => (showsJson ? shell.printJson(event) : noteLines(lines.read(event)));
  const read = async () => {
    try {
      const onStatesOnly = (): void =>
        shell.note('this server does not show what the agent does; only its state is followed');
      for await (const event of client.runs.events(runId, { signal, onStatesOnly, after })) {
        count += 1;
        show(event);
      }
    } catch (error) {
      if (signal.aborted) return;
      shell.note(`the events of the run cannot be read any more: ${messageOf(error)}`, 'bad');
    } finally {
      noteLines(lines.finish());
    }
  };
  return { ended: read(), count: () => count };
}

async function awaitLastEvents({ ended, count }: EventStream, ms: number): Promise<void> {
  const until = systemClock.monotonicMs() + lastEventsMs;
  while (systemClock.monotonicMs() < until) {
    const before = count();
    const nap = new AbortController();
    const isQuiet = systemClock.sleep(ms, nap.signal).then(
      () => count() === before,
      () => true,
    );
    const isOver = await Promise.race([ended.then(() => true), isQuiet]);
    nap.abort();
    if (isOver) return;
  }
}
