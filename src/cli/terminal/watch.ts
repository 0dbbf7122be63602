/**
 * Shows a run while it works. It follows the run, whose state alone decides, and reads the events at the same time. A
 * failure of the events only prints a line on stderr.
 */
import { messageOf } from '../../base/cause.ts';
import { systemClock } from '../../base/clock.ts';
import { type AgentRuns, type EventLine, EventLines } from '../../client/index.ts';
import type { RunEvent } from '../../contract/events.ts';
import type { Run } from '../../contract/run.ts';
import { isFinal } from '../../contract/tables/state.ts';
import type { Shell } from './command-shell.ts';
import { isEnding } from './ending.ts';
import { createLifeSign } from './life-sign.ts';

/** How long to wait for another event after the run ended or blocked. */
const quietMs = { over: 10_000, blocked: 1000 };
/** The limit for reading the last events of an ended run. */
const lastEventsMs = 60_000;

/** Events go to stderr before the result (`progress`), to stdout as lines or JSON, or nowhere. */
type EventOutput = 'progress' | 'log' | 'json' | 'none';

export interface Watch {
  readonly client: AgentRuns;
  readonly shell: Shell;
  readonly runId: string;
  readonly events: EventOutput;
  readonly signal: AbortSignal;
  readonly timeoutMs?: number | undefined;
  /** The number of the last event to skip. @default 0 */
  readonly after?: number | undefined;
}

export interface Watched {
  readonly run: Run;
  /** Whether the events showed the text of the result on stderr. */
  readonly isResultShown: boolean;
}

/** Shows events until the run ends or waits for a person, and returns the run. Throws what following throws. */
export async function watchRun({ client, runId, signal, timeoutMs, ...output }: Watch): Promise<Watched> {
  const stopping = new AbortController();
  const showLife = createLifeSign(output.shell);
  let state = 'waiting';
  const screen = new EventScreen(output.shell, output.events);
  const watch = { client, runId, after: output.after, signal: AbortSignal.any([signal, stopping.signal]) };
  const ended = output.events === 'none' ? Promise.resolve() : showEvents(screen, watch);
  const timer = setInterval(() => showLife(state, screen.count), 1000);
  try {
    for await (const run of client.runs.follow(runId, { signal, timeoutMs })) {
      state = run.state;
      if (!isEnding(run)) continue;
      await awaitLastEvents(ended, screen, isFinal(run.state) ? quietMs.over : quietMs.blocked);
      return { run, isResultShown: screen.finish(run.result?.text) };
    }
    throw new Error(`run ${runId}: following ended before the run did`);
  } finally {
    clearInterval(timer);
    stopping.abort();
    await ended;
    screen.finish();
    output.shell.showStatus('');
  }
}

/** Shows the events of a run so far. */
export async function showPastEvents(run: Run, { client, shell, events, signal }: Omit<Watch, 'runId'>): Promise<void> {
  const screen = new EventScreen(shell, events);
  for await (const event of client.runs.events(run.run_id, { signal })) {
    screen.show(event);
    if (event.seq >= (run.last_seq ?? event.seq + 1)) break;
  }
  screen.finish();
}

/** The length of a result to search for in the log, in characters. */
const longestAnswer = 64 * 1024;

class EventScreen {
  readonly shell: Shell;
  count = 0;
  readonly #output: EventOutput;
  readonly #lines = new EventLines();
  /** The agent's last message, held back because it may be the result, which is printed separately. */
  #held: RunEvent | undefined;
  #stdout = '';

  constructor(shell: Shell, output: EventOutput) {
    this.shell = shell;
    this.#output = output;
  }

  show(event: RunEvent): void {
    this.count += 1;
    if (this.#output === 'json') {
      this.shell.printJson(event);
      return;
    }
    if (event.type === 'log' && event.data.stream === 'stdout' && this.#stdout.length < longestAnswer)
      this.#stdout += event.data.text;
    if (event.type !== 'state' && event.type !== 'usage') this.#release();
    if (this.#output === 'progress' && event.type === 'message' && event.data.role === 'assistant') this.#held = event;
    else this.#write(this.#lines.read(event));
  }

  /** Writes what is left. Returns whether `result` was shown. */
  finish(result = ''): boolean {
    const text = result.trim();
    if (this.#held?.type === 'message' && this.#held.data.text.trim() === text) this.#held = undefined;
    this.#release();
    this.#write(this.#lines.finish());
    return this.#output === 'progress' && text !== '' && this.#stdout.trim() === text;
  }

  #release(): void {
    if (this.#held !== undefined) this.#write(this.#lines.read(this.#held));
    this.#held = undefined;
  }

  #write(lines: readonly EventLine[]): void {
    if (lines.length === 0 || this.#output === 'json') return;
    const shown = lines.map(({ text, isQuoted }) => ({ text: isQuoted ? `│ ${text}` : text, isQuoted }));
    if (this.#output === 'log') this.shell.print(shown.map(({ text }) => text).join('\n'));
    else for (const { text, isQuoted } of shown) this.shell.note(text, isQuoted ? 'quiet' : 'plain');
  }
}

/** Resolves after the last event; never rejects. */
async function showEvents(screen: EventScreen, { client, runId, signal, after }: Omit<Watch, 'shell' | 'events'>) {
  try {
    const onStatesOnly = (): void =>
      screen.shell.note('This server does not show what the agent does. Only the state of the run is shown.');
    for await (const event of client.runs.events(runId, { signal, onStatesOnly, after })) screen.show(event);
  } catch (error) {
    if (!signal.aborted) screen.shell.note(`Cannot read more events of the run: ${messageOf(error)}`, 'bad');
  }
}

async function awaitLastEvents(ended: Promise<void>, screen: EventScreen, ms: number): Promise<void> {
  const until = systemClock.monotonicMs() + lastEventsMs;
  while (systemClock.monotonicMs() < until) {
    const before = screen.count;
    const nap = new AbortController();
    const isQuiet = systemClock.sleep(ms, nap.signal).then(
      () => screen.count === before,
      () => true,
    );
    const isOver = await Promise.race([ended.then(() => true), isQuiet]);
    nap.abort();
    if (isOver) return;
  }
}
