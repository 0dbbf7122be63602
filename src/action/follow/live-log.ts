import { type AgentRuns, type EventLine, EventLines } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import type { ActionHost } from '../host/host.ts';
import { guardLine, guardLines } from '../text/guard.ts';

/** A step that says nothing looks dead. */
const heartbeatMs = 60_000;

/** Shows in the step's log what the agent does, as it does it. */
interface LiveLog {
  /** Waits for the last events of a run that has ended, a moment at most, then stops. */
  finish(): Promise<void>;
  /** Stops at once. */
  stop(): Promise<void>;
}

/** Begins to print the events of a run. A fault of the log is a line in it and nothing more: it never decides the verdict. */
export function startLiveLog(host: ActionHost, { client, silentMs }: Connection, runId: string): LiveLog {
  const stopping = new AbortController();
  const startedAt = performance.now();
  let printedAt = startedAt;
  const print = (line: string) => {
    printedAt = performance.now();
    host.print(line);
  };
  const heartbeat = setInterval(() => {
    if (performance.now() - printedAt >= heartbeatMs - 1000)
      print(describeSilence(performance.now() - startedAt, silentMs()));
  }, heartbeatMs);
  const printing = printEvents({ client, runId, print, signal: stopping.signal });
  const stop = async () => {
    clearInterval(heartbeat);
    stopping.abort();
    await printing;
  };
  return {
    async finish() {
      const timer = setTimeout(() => stopping.abort(), 5000);
      await printing;
      clearTimeout(timer);
      await stop();
    },
    stop,
  };
}

/** The line of a minute without news: nobody may say that a run goes on who has not heard of it. */
export function describeSilence(runningMs: number, silentMs: number): string {
  const minutes = (ms: number) => Math.round(ms / 60_000);
  if (silentMs >= heartbeatMs)
    return `the server has not answered for ${minutes(silentMs)} min; what the run does is not known`;
  return `still running after ${minutes(runningMs)} min`;
}

interface Printing {
  readonly client: AgentRuns;
  readonly runId: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
}

async function printEvents({ client, runId, print, signal }: Printing): Promise<void> {
  const lines = new EventLines();
  const printLines = (shown: readonly EventLine[]) => {
    for (const { text, isQuoted } of shown)
      for (const line of isQuoted ? guardLines(text) : [guardLine(text)]) print(line);
  };
  try {
    const onStatesOnly = (): void => print('this server does not show what the agent does; only its state is followed');
    for await (const event of client.runs.events(runId, { signal, onStatesOnly })) printLines(lines.read(event));
  } catch (error) {
    if (signal.aborted) return;
    print(
      guardLine(`the events of the run cannot be read any more: ${error instanceof Error ? error.message : error}`),
    );
  } finally {
    printLines(lines.finish());
  }
}
