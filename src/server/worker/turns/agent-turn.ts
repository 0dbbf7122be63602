import type { Clock } from '../../../base/clock.ts';
import { noSecrets } from '../../../border/secrets.ts';
import { openSlicedStream } from '../../../border/sliced-redaction.ts';
import type { ExecutorEnd, ExecutorRequest } from '../../executor/executor.ts';
import type { Harness, PreparedCommand } from '../../harness/harness.ts';
import { EventLines, type LinePart } from '../../output/event-lines.ts';
import type { EventWriter } from '../../output/event-writer.ts';
import { OutputDivider } from '../../output/output-divider.ts';
import { redactOutput } from '../../output/redacted-output.ts';
import type { RunFailure } from '../../run-failure.ts';
import { watchAgent } from './agent-watch.ts';

type OnOutput = ExecutorRequest['onOutput'];

interface TurnParts {
  readonly harness: Harness;
  readonly prepared: PreparedCommand;
  readonly events: EventWriter;
  readonly clock: Clock;
  /** Executes the prepared program as a process of the run. */
  readonly execute: (onOutput: OnOutput) => Promise<ExecutorEnd>;
  /** Called when the agent has printed the session that continues its conversation. */
  readonly onSession: (sessionId: string) => Promise<void>;
  /** Called when the agent exceeds a limit. It is stopped with this failure. */
  readonly onLimit: (failure: RunFailure) => void;
}

/**
 * One execution of a prepared program. Its output becomes events at once; all of them are written or in flight when
 * it returns.
 */
export async function readTurn({
  harness,
  prepared,
  events,
  clock,
  execute,
  onSession,
  onLimit,
}: TurnParts): Promise<ExecutorEnd> {
  const { reader, redactor = noSecrets } = prepared;
  if (reader === undefined) return await executeText(prepared, events, execute);
  const lines = new EventLines(reader);
  const watch = watchAgent({ harness, reader, clock, onLimit });
  let session: string | undefined;
  const output = openSlicedStream(redactor);
  const complaints = redactOutput(redactor);
  const say = async (text: string): Promise<void> => {
    if (text !== '') await events.write('stdout', text);
  };
  const write = async (parts: readonly LinePart[]): Promise<void> => {
    if (reader.sessionId !== undefined && reader.sessionId !== session) {
      session = reader.sessionId;
      await onSession(session);
    }
    for (const part of parts) {
      if ('text' in part) await say(await output.push(part.text));
      else {
        await say(output.end());
        await events.writeEvents(part.events);
      }
    }
  };
  try {
    return await execute(async (stream, chunk) => {
      if (stream === 'stderr') await events.write('stderr', await complaints.push(chunk));
      else await write(lines.read(chunk));
      watch.noteActivity();
    });
  } finally {
    watch.stop();
    await write(lines.end());
    await say(output.end());
    await events.write('stderr', await complaints.end());
  }
}

async function executeText(
  { divider: text, redactor = noSecrets }: PreparedCommand,
  events: EventWriter,
  execute: (onOutput: OnOutput) => Promise<ExecutorEnd>,
): Promise<ExecutorEnd> {
  const divider = new OutputDivider(text);
  const shown = { stdout: redactOutput(redactor), stderr: redactOutput(redactor) };
  const end = await execute(async (stream, chunk) => {
    for (const [index, part] of divider.split(stream, chunk).entries()) {
      if (index > 0) {
        await events.write(stream, await shown[stream].end());
        events.beginPart(stream);
      }
      await events.write(stream, await shown[stream].push(part));
    }
  });
  for (const stream of ['stdout', 'stderr'] as const) {
    await events.write(stream, await shown[stream].push(divider.end(stream)));
    await events.write(stream, await shown[stream].end());
  }
  return end;
}
