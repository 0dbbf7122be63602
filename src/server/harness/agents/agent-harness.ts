import { randomUUID } from 'node:crypto';
import { type Redact, redactValue } from '../../../border/secrets.ts';
import { isVisible } from '../../../border/visible-text.ts';
import { type RunText, wholeText } from '../../../contract/tables/run-text.ts';
import { describeCause, describeExitCode } from '../ending-text.ts';
import {
  type CommandEnd,
  type Harness,
  type HarnessOutcome,
  HarnessRefusal,
  type HarnessTask,
  type PreparedCommand,
} from '../harness.ts';
import type { AgentAdapter, AgentClaim, AgentReader, AgentSpec, ModelEndpoint } from './adapter.ts';
import { type AgentFault, explainFault } from './agent-fault.ts';
import { createAgentRedactor } from './agent-redactor.ts';
import { type Command, describeMissingAgent, findAgentProgram } from './agents-folder.ts';
import { readEventLines, tooManyEvents } from './event-reading.ts';
import { describeUnreachable, locateInContainer } from './in-container.ts';
import { linkSkills, placeFiles, removeFiles } from './state-files.ts';

/** Configuration of an agent program. */
export interface AgentSettings {
  readonly endpoint: ModelEndpoint;
  /** Model of a run that names none. */
  readonly model: string;
  /** Models that a run may name. Undefined: any. */
  readonly models: readonly string[] | undefined;
  /** Path or name of the program. Undefined: the one in the agents folder, otherwise the usual name on PATH. */
  readonly program: string | undefined;
  /** Where `agent-run agents install` puts programs. Undefined: it is not searched. */
  readonly agentsFolder?: string | undefined;
  /** The version in that folder. @default the tested one */
  readonly version?: string | undefined;
  /** Limit on model answers in a run. */
  readonly steps: number;
  /** How long the program may print nothing while no tool is running. */
  readonly stallMs: number;
  /** Variables for the program and its tools. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * The harness of an agent program. It succeeds if it exits with 0, reports success, and gives an answer. A reported
 * failure counts with any exit code.
 */
export function createAgentHarness(name: string, adapter: AgentAdapter, settings: AgentSettings): Harness {
  const { endpoint, model: usual, models, steps, stallMs } = settings;
  if (!adapter.apis.includes(endpoint.api))
    throw new RangeError(
      `harnesses.${name}.endpoint.api: ${adapter.title} does not support ${endpoint.api}; use one of ${adapter.apis.join(', ')}`,
    );
  if (models !== undefined && !models.includes(usual))
    throw new RangeError(`harnesses.${name}.models: must include the default model ${JSON.stringify(usual)}`);
  if (settings.program !== undefined && typeof adapter.program !== 'string')
    throw new RangeError(`harnesses.${name}.program: ${adapter.title} is part of the server; remove this setting`);
  return {
    name,
    defaultModel: usual,
    stepsMax: steps,
    stallMs,
    canResume: true,
    variables: settings.env,
    asksModel: true,
    // Our own agent does.
    checksMcpServers: typeof adapter.program !== 'string',
    refuse({ modelId, mcpServers, container }) {
      const unreachable = container && describeUnreachable(endpoint.root, container.network);
      if (unreachable !== undefined) return `config.harness.type: the model endpoint of ${name}: ${unreachable}`;
      const limited = mcpServers.find(({ tools }) => tools !== undefined);
      if (limited !== undefined && typeof adapter.program === 'string')
        return `config.mcp_servers.${limited.name}: ${adapter.title} cannot be limited to some tools of a server; remove the list of tools, or use the harness builtin`;
      if (modelId === undefined || models === undefined || models.includes(modelId)) return undefined;
      return `config.model_id: the harness ${name} does not allow ${JSON.stringify(modelId)}; allowed: ${models.join(', ')}`;
    },
    async prepare(task) {
      const { command: program, readable } =
        task.image === undefined
          ? { command: await locate(name, adapter, settings, task.searchPath), readable: [] }
          : await locateInContainer(adapter, settings);
      const spec = createSpec(task, settings);
      const { args, env, stdin, files, skillsFolder } = adapter.launch(spec);
      await placeFiles(spec.stateDir, files);
      if (skillsFolder !== undefined) await linkSkills(spec.stateDir, skillsFolder, task.skills);
      const reader = adapter.createReader(spec);
      const redactor = createAgentRedactor(spec);
      const lines = readEventLines(reader, redactor.redact);
      return {
        argv: [...program, ...args],
        env: { ...settings.env, ...env },
        stdin,
        readable,
        reader: lines,
        redactor,
        forget: () => removeFiles(spec.stateDir, files),
        conclude: async end =>
          redactValue(
            conclude({ adapter, spec, redact: redactor.redact, reader, isFull: lines.isFull, end }),
            redactor.redact,
          ),
      } satisfies PreparedCommand;
    },
  };
}

/** Start of its command line. */
async function locate(
  name: string,
  { title, program: usual }: AgentAdapter,
  { program, agentsFolder, version, env }: AgentSettings,
  serverPath: string,
): Promise<Command> {
  if (typeof usual !== 'string') return [process.execPath, usual.file];
  const found = await findAgentProgram(usual, { program, agentsFolder, version, searchPath: env.PATH ?? serverPath });
  if (found !== undefined) return found.command;
  throw new HarnessRefusal(
    'environment_setup_failed',
    `the harness ${name} ${describeMissingAgent(title, usual, program)}`,
  );
}

function createSpec(task: HarnessTask, { endpoint, model, steps }: AgentSettings): AgentSpec {
  return {
    ...task,
    prompt: task.prompt.text.trim() === '' ? replaceEmptyPrompt(task) : task.prompt.text,
    instructions: task.instructions
      .map(({ text }) => text.trim())
      .filter(text => text !== '')
      .join('\n\n'),
    model: task.modelId ?? model,
    endpoint,
    newSessionId: randomUUID(),
    resume: task.sessionId,
    stepsMax: steps,
  };
}

/** Programs refuse an empty prompt. A run may name only a skill, or a conversation to continue. */
function replaceEmptyPrompt({ sessionId }: HarnessTask): string {
  return sessionId === undefined ? 'Do what your instructions say.' : 'Go on.';
}

interface Ended {
  readonly adapter: AgentAdapter;
  readonly spec: AgentSpec;
  readonly redact: Redact;
  readonly reader: AgentReader;
  readonly isFull: boolean;
  readonly end: CommandEnd;
}

/** The rule for all programs. Text in the result file is an answer too, but never turns a failure into a success. */
function conclude({ adapter, spec, redact, reader, isFull, end }: Ended): HarnessOutcome {
  const { exitCode, signal, outputTail } = end;
  // Before a long message is shortened.
  const claim = redactValue(reader.claim({ exitCode, signal, outputTail }), redact);
  const result = end.result ?? (claim.text === undefined ? undefined : wholeText(claim.text));
  if (isFull) return fail(adapter, spec, { fault: 'harness', message: tooManyEvents }, result);
  if (claim.kind === 'succeeded' && exitCode !== undefined && [0, claim.exitCode].includes(exitCode)) {
    if (result !== undefined && isVisible(result.text)) return { state: 'SUCCEEDED', result };
    return fail(adapter, spec, { fault: 'no_result', message: '' });
  }
  return fail(adapter, spec, faultOf(claim, end), result);
}

function faultOf(claim: AgentClaim, { exitCode, signal, outputTail }: CommandEnd): AgentFault {
  if (claim.kind === 'failed') return claim;
  const how =
    exitCode === undefined
      ? `was killed by ${signal ?? 'an unknown signal'}`
      : `ended with ${describeExitCode(exitCode)}`;
  const what = claim.kind === 'succeeded' ? 'although it reported success' : 'without reporting a result';
  return { fault: 'harness', message: `it ${how} ${what}${describeCause(outputTail)}` };
}

function fail(
  adapter: AgentAdapter,
  { model, endpoint }: AgentSpec,
  fault: AgentFault,
  result?: RunText,
): HarnessOutcome {
  const { code, text, remedy } = explainFault(fault, {
    agent: adapter.title,
    model,
    endpoint: endpoint.root,
    key: endpoint.keyOrigin,
    address: endpoint.addressOrigin,
  });
  const message = remedy === '' ? text : `${text}. ${remedy}`;
  return { state: 'FAILED', code, message, result: result?.text === '' ? undefined : result };
}
