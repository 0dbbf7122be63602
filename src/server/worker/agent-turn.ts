import { TextDecoder } from 'node:util';
import type { Clock } from '../../base/clock.ts';
import type { ExecutorEnd, ExecutorRequest } from '../executor/executor.ts';
import type { Harness, PreparedCommand, SecretHider } from '../harness/harness.ts';
import { watchAgent } from './agent-watch.ts';
import { EventLines, type LinePart } from './event-lines.ts';
import type { EventWriter } from './event-writer.ts';
import { OutputDivider } from './output-divider.ts';
import type { RunFailure } from './run-ending.ts';

type OnOutput = ExecutorRequest['onOutput'];

interface TurnParts {
  readonly harness: Harness;
  readonly prepared: PreparedCommand;
  readonly events: EventWriter;
  readonly clock: Clock;
  /** Executes what is prepared, as a process of the run. */
  readonly execute: (onOutput: OnOutput) => Promise<ExecutorEnd>;
  /** The agent does not stop by itself: it is to be stopped with this failure. */
  readonly onLimit: (failure: RunFailure) => void;
}

/** One execution of a prepared program: its output becomes events, as they come, and all of them are on their way when it returns. */
export async function takeTurn({
  harness,
  prepared,
  events,
  clock,
  execute,
  onLimit,
}: TurnParts): Promise<ExecutorEnd> {
  const { reader, secrets } = prepared;
  if (reader === undefined) return await executeText(prepared, events, execute);
  const lines = new EventLines(reader);
  const watch = watchAgent({ harness, reader, clock, onLimit });
  const output = secrets?.openStream() ?? asItComes;
  const complaints = secrets?.openStream() ?? asItComes;
  // A chunk may end within a character.
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  const say = async (stream: 'stdout' | 'stderr', text: string): Promise<void> => {
    if (text !== '') await events.write(stream, Buffer.from(text));
  };
  const write = async (parts: readonly LinePart[]): Promise<void> => {
    for (const part of parts) {
      if ('text' in part) await say('stdout', output.push(part.text));
      else {
        await say('stdout', output.end());
        await events.writeEvents(part.events);
      }
    }
  };
  try {
    return await execute(async (stream, chunk) => {
      if (stream === 'stderr') await say('stderr', complaints.push(decoder.decode(chunk, { stream: true })));
      else await write(lines.read(chunk));
      watch.noteLife();
    });
  } finally {
    watch.stop();
    await write(lines.end());
    await say('stdout', output.end());
    await say('stderr', complaints.push(decoder.decode()) + complaints.end());
  }
}

const asItComes: ReturnType<SecretHider['openStream']> = { push: text => text, end: () => '' };

async function executeText(
  { divider: text }: PreparedCommand,
  events: EventWriter,
  execute: (onOutput: OnOutput) => Promise<ExecutorEnd>,
): Promise<ExecutorEnd> {
  const divider = new OutputDivider(text);
  const end = await execute(async (stream, chunk) => {
    for (const [index, part] of divider.split(stream, chunk).entries()) {
      if (index > 0) events.beginPart(stream);
      await events.write(stream, part);
    }
  });
  for (const stream of ['stdout', 'stderr'] as const) await events.write(stream, divider.end(stream));
  return end;
}
