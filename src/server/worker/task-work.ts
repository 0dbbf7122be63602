import type { Clock } from '../../base/clock.ts';
import type { JsonObject } from '../../base/json.ts';
import type { ExecutorEnd, ExecutorRequest } from '../executor/executor.ts';
import type { Harness, HarnessTask, PreparedCommand } from '../harness/harness.ts';
import type { EventWriter } from '../output/event-writer.ts';
import { endWithCode, type RunFailure } from '../run-failure.ts';
import { askForRepair, readStructured } from '../schema/output-schema.ts';
import type { RunEnding } from '../store/store.ts';
import { takeTurn } from './agent-turn.ts';
import { probeMcpServers } from './mcp-startup.ts';

export interface TaskParts {
  readonly harness: Harness;
  readonly task: HarnessTask;
  /** What the answer has to satisfy. */
  readonly schema: JsonObject | undefined;
  readonly events: EventWriter;
  readonly clock: Clock;
  readonly execute: (
    prepared: PreparedCommand,
    onOutput: ExecutorRequest['onOutput'],
    onStarted?: ExecutorRequest['onStarted'],
  ) => Promise<ExecutorEnd>;
  /** Called as soon as the agent has a process. The check of its MCP servers does not count. */
  readonly onStarted: () => void;
  readonly onSession: (sessionId: string) => Promise<void>;
  readonly onLimit: (failure: RunFailure) => void;
  /** What a run ends with whose program ended so; undefined when it is no longer ours to end. */
  readonly conclude: (prepared: PreparedCommand, end: ExecutorEnd) => Promise<RunEnding | undefined>;
}

/**
 * Has a harness carry out its task. An answer that does not satisfy the schema is given back once, where the harness can go on with a session;
 * one that never does is a failure, whatever the agent says.
 */
export async function carryOutTask(parts: TaskParts): Promise<RunEnding | undefined> {
  const { harness, schema, events } = parts;
  const { modelId } = parts.task;
  if (harness.asksModel === false && modelId !== undefined)
    await events.writeWarning(
      `no model was asked: the harness ${harness.name} runs shell blocks, and hands them ${modelId} as AGENT_RUN_MODEL`,
    );
  const deadServers = harness.checksMcpServers === true ? [] : await probeMcpServers(parts, parts.task);
  const task = { ...parts.task, deadServers };
  const first = await takePart(parts, task);
  if (schema === undefined || first.ending?.state !== 'SUCCEEDED') return first.ending;
  const { ending, fault } = await judge(schema, first.ending);
  const sessionId = first.prepared.reader?.sessionId;
  if (fault === undefined || sessionId === undefined || harness.canResume !== true) return ending;
  await events.writeSystem(`the answer is returned to the agent once: ${fault}`);
  events.beginTurn();
  const prompt = { origin: 'the request for another answer', text: askForRepair(fault), firstLine: 1 };
  const again = await takePart(parts, { ...task, sessionId, prompt });
  return again.ending?.state === 'SUCCEEDED' ? (await judge(schema, again.ending)).ending : again.ending;
}

interface Part {
  readonly prepared: PreparedCommand;
  readonly ending: RunEnding | undefined;
}

async function takePart(parts: TaskParts, task: HarnessTask): Promise<Part> {
  const prepared = await parts.harness.prepare(task);
  const execute = (onOutput: ExecutorRequest['onOutput']) => parts.execute(prepared, onOutput, parts.onStarted);
  try {
    const end = await takeTurn({ ...parts, prepared, execute });
    return { prepared, ending: await parts.conclude(prepared, end) };
  } finally {
    await prepared.forget?.();
  }
}

/** A success stays one only where its answer satisfies the schema. */
async function judge(
  schema: JsonObject,
  ending: RunEnding,
): Promise<{ readonly ending: RunEnding; readonly fault?: string | undefined }> {
  const text = ending.resultText ?? '';
  const read = await readStructured(schema, text);
  if (read.isValid) return { ending: { ...ending, structured: read.value } };
  const message = `the answer does not satisfy the output schema: ${read.fault}. Ask for less, or relax the schema`;
  const { resultLeftOutBytes } = ending;
  return { ending: { ...endWithCode('result_invalid', message, text), resultLeftOutBytes }, fault: read.fault };
}
