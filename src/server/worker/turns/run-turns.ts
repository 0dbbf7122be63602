/** The turns of an agent: executes the prepared program, turns its output into events, and its end into an ending. */
import type { JsonObject } from '../../../base/json.ts';
import type { ExecutorEnd, ExecutorRequest } from '../../executor/executor.ts';
import type { Harness, HarnessTask, PreparedCommand } from '../../harness/harness.ts';
import { explainCrash } from '../../low-memory.ts';
import { readResultFile } from '../../output/result-file.ts';
import { endWithCode, RunFailure } from '../../run-failure.ts';
import { askForRepair, readStructured } from '../../schema/output-schema.ts';
import type { RunEnding } from '../../store/store.ts';
import { createRunVariables } from '../../workspace/agent-environment.ts';
import { placeContainer } from '../../workspace/run-container.ts';
import type { RunContext } from '../run-context.ts';
import { endByStop } from '../run-ending.ts';
import type { Surroundings } from '../run-setup.ts';
import { readTurn } from './agent-turn.ts';
import { probeMcpServers } from './mcp-startup.ts';

interface TurnParts {
  readonly harness: Harness;
  readonly surroundings: Surroundings;
  readonly task: HarnessTask;
}

interface Turn {
  readonly prepared: PreparedCommand;
  /** Undefined if the run is no longer ours to end. */
  readonly ending: RunEnding | undefined;
}

/**
 * Has a harness carry out its task. An answer that does not match the schema is returned once, if the harness can
 * resume a session. A second mismatch is a failure, even if the agent reports success.
 */
export async function takeTurns(context: RunContext, parts: TurnParts): Promise<RunEnding | undefined> {
  const { events, run } = context;
  const { harness, task } = parts;
  const schema = run.config.output_schema;
  if (harness.asksModel === false && task.modelId !== undefined)
    await events.writeWarning(
      `no model was asked: the harness ${harness.name} runs shell blocks, and hands them ${task.modelId} as AGENT_RUN_MODEL`,
    );
  const execute = (prepared: PreparedCommand, onOutput: ExecutorRequest['onOutput']) =>
    executePrepared(context, parts, prepared, onOutput);
  const deadServers = harness.checksMcpServers === true ? [] : await probeMcpServers(task, { execute, events });
  const tried = { ...task, deadServers };
  const first = await takeTurn(context, { ...parts, task: tried });
  if (schema === undefined || first.ending?.state !== 'SUCCEEDED') return first.ending;
  const { ending, fault } = await checkAnswer(schema, first.ending);
  const sessionId = first.prepared.reader?.sessionId;
  if (fault === undefined || sessionId === undefined || harness.canResume !== true) return ending;
  await events.writeSystem(`the answer is returned to the agent once: ${fault}`);
  events.beginTurn();
  const prompt = { origin: 'the request for another answer', text: askForRepair(fault), firstLine: 1 };
  const again = await takeTurn(context, { ...parts, task: { ...tried, sessionId, prompt } });
  return again.ending?.state === 'SUCCEEDED' ? (await checkAnswer(schema, again.ending)).ending : again.ending;
}

async function takeTurn(context: RunContext, parts: TurnParts): Promise<Turn> {
  const { progress, conversation, giveUp } = context;
  const { harness } = parts;
  const prepared = await harness.prepare(parts.task);
  const onStarted = () => {
    progress.hasBegun = true;
  };
  try {
    const end = await readTurn({
      ...context,
      harness,
      prepared,
      execute: onOutput => executePrepared(context, parts, prepared, onOutput, onStarted),
      onSession: sessionId => conversation.noteSession(sessionId),
      onLimit: failure => giveUp({ kind: 'limit', failure }),
    });
    return { prepared, ending: await concludeTurn(context, parts, prepared, end) };
  } finally {
    await prepared.forget?.();
  }
}

/** Starts it in the run's folder with the run's variables. Calls `onStarted` as soon as there is a process. */
async function executePrepared(
  { folder, run, conversation, programs, progress, workingFolder = folder.workspace }: RunContext,
  { surroundings: { env, image, skillDir } }: TurnParts,
  { argv, env: own, stdin, redactor, readable }: PreparedCommand,
  onOutput: ExecutorRequest['onOutput'],
  onStarted?: () => void,
): Promise<ExecutorEnd> {
  // The check of MCP servers has no redactor.
  progress.redactor = redactor ?? progress.redactor;
  const variables = createRunVariables(run, folder, { skillDir, canAsk: conversation.canGoOn });
  const command = { argv, cwd: workingFolder, env: { ...env, ...own, ...variables }, stdin };
  const container = image === undefined ? undefined : placeContainer(image, folder, { isAgent: true, readable });
  return await programs.execute(command, onOutput, { container, onStarted });
}

async function concludeTurn(
  { run, limits, log, folder, programs, events, conversation, progress }: RunContext,
  { surroundings }: TurnParts,
  prepared: PreparedCommand,
  end: ExecutorEnd,
): Promise<RunEnding | undefined> {
  if (end.kind === 'not_started') throw new RunFailure('environment_setup_failed', end.message);
  await programs.reportLeftovers(end, 'the agent');
  const result = await readResultFile(folder.resultFile, prepared.redactor);
  if (end.stopped === 'time_limit') return endWithCode('time_limit', programs.describeTimeLimit(), result);
  if (end.stopped === 'signal') {
    const { runId } = run;
    return endByStop(programs.findStop(), { runId, log, result, hasBegun: progress.hasBegun });
  }
  const { exitCode, signal } = end;
  const { stdout, outputTail } = events;
  const outcome = await prepared.conclude({ exitCode, signal, stdout, outputTail, result });
  const question = await conversation.readQuestion(outcome, prepared.redactor);
  if (question !== undefined) return { state: 'BLOCKED', statusMessage: { message: question } };
  const why = surroundings.image === undefined ? explainCrash({ exitCode, signal }, limits) : '';
  if (outcome.state === 'FAILED') return endWithCode(outcome.code, `${outcome.message}${why}`, outcome.result);
  return { state: 'SUCCEEDED', result: outcome.result };
}

/** A success must also match the schema. */
async function checkAnswer(
  schema: JsonObject,
  ending: RunEnding,
): Promise<{ readonly ending: RunEnding; readonly fault?: string | undefined }> {
  const read = await readStructured(schema, ending.result?.text ?? '');
  if (read.isValid) return { ending: { ...ending, structured: read.value } };
  const message = `the answer does not satisfy the output schema: ${read.fault}. Ask for less, or relax the schema`;
  return { ending: endWithCode('result_invalid', message, ending.result), fault: read.fault };
}
