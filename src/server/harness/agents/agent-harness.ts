import { randomUUID } from 'node:crypto';
import { lstat, mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isNestedBeyond, isObject } from '../../../base/json.ts';
import { isVisible } from '../../../base/terminal-text.ts';
import { sizes } from '../../../contract/sizes.ts';
import { describeExitCode, describeLastLines } from '../ending-text.ts';
import {
  type CommandEnd,
  type Harness,
  type HarnessOutcome,
  HarnessRefusal,
  type HarnessTask,
  type OutputReader,
  type PreparedCommand,
  type SecretHider,
} from '../harness.ts';
import { hideIn } from '../secret-hider.ts';
import type { AgentAdapter, AgentClaim, AgentReader, AgentSpec, ModelEndpoint } from './adapter.ts';
import { type AgentFault, explainFault } from './agent-fault.ts';
import { type Command, describeMissingAgent, findAgentProgram } from './agents-folder.ts';
import { describeUnreachable, locateInContainer } from './in-container.ts';
import { createHider } from './secrets.ts';

/** An agent program as the configuration offers it. */
export interface AgentSettings {
  readonly endpoint: ModelEndpoint;
  /** Of a run that names none. */
  readonly model: string;
  /** Those that a run may name; undefined: any. */
  readonly models: readonly string[] | undefined;
  /** Path or name of the program; undefined: the one in the agents folder, else the usual name on PATH. */
  readonly program: string | undefined;
  /** Where `agent-run agents install` puts programs; undefined: it is not looked at. */
  readonly agentsFolder?: string | undefined;
  /** Answers of the model that a run may take. */
  readonly steps: number;
  /** How long the program may print nothing while no tool works. */
  readonly stallMs: number;
  /** Variables passed on to the program and so to its tools. */
  readonly env: Readonly<Record<string, string>>;
}

/**
 * A harness over an agent program. It has succeeded when it exited with 0, said itself that it did, and gave an answer; whatever it exits with, what it
 * says of a failure counts.
 */
export function createAgentHarness(name: string, adapter: AgentAdapter, settings: AgentSettings): Harness {
  const { endpoint, model: usual, models, steps, stallMs } = settings;
  if (!adapter.apis.includes(endpoint.api))
    throw new RangeError(
      `harnesses.${name}.endpoint.api: ${adapter.title} does not speak ${endpoint.api}; it takes ${adapter.apis.join(', ')}`,
    );
  if (models !== undefined && !models.includes(usual))
    throw new RangeError(`harnesses.${name}.models: the usual model ${JSON.stringify(usual)} is not among them`);
  if (settings.program !== undefined && typeof adapter.program !== 'string')
    throw new RangeError(`harnesses.${name}.program: ${adapter.title} is a part of the server; leave it out`);
  return {
    name,
    defaultModel: usual,
    stepsMax: steps,
    stallMs,
    canResume: true,
    // Our own agent does.
    checksMcpServers: typeof adapter.program !== 'string',
    refuse({ modelId, container }) {
      const unreachable = container && describeUnreachable(endpoint.root, container.network);
      if (unreachable !== undefined) return `config.harness.type: the model endpoint of ${name}, ${unreachable}`;
      if (modelId === undefined || models === undefined || models.includes(modelId)) return undefined;
      return `config.model_id: the harness ${name} does not offer ${JSON.stringify(modelId)}; it has ${models.join(', ')}`;
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
      const secrets = createHider(spec);
      const lines = readLines(reader, secrets);
      return {
        argv: [...program, ...args],
        env: { ...settings.env, ...env },
        stdin,
        readable,
        reader: lines,
        secrets,
        async forget() {
          for (const { path } of files) await removeFile(spec.stateDir, path).catch(() => {});
        },
        conclude: async end => hideIn(secrets, conclude({ adapter, spec, secrets, reader, isFull: lines.isFull, end })),
      } satisfies PreparedCommand;
    },
  };
}

/** What its command begins with. */
async function locate(
  name: string,
  { title, program: usual }: AgentAdapter,
  { program, agentsFolder, env }: AgentSettings,
  serverPath: string,
): Promise<Command> {
  if (typeof usual !== 'string') return [process.execPath, usual.file];
  const found = await findAgentProgram(usual, { program, agentsFolder, searchPath: env.PATH ?? serverPath });
  if (found !== undefined) return found.command;
  throw new HarnessRefusal(
    'environment_setup_failed',
    `the harness ${name} ${describeMissingAgent(title, usual, program)}`,
  );
}

function createSpec(task: HarnessTask, { endpoint, model, steps, env }: AgentSettings): AgentSpec {
  return {
    runId: task.runId,
    prompt: task.prompt.text.trim() === '' ? sayInstead(task) : task.prompt.text,
    instructions: task.instructions
      .map(({ text }) => text.trim())
      .filter(text => text !== '')
      .join('\n\n'),
    model: task.modelId ?? model,
    endpoint,
    mcpServers: task.mcpServers,
    skills: task.skills,
    workspace: task.workspace,
    stateDir: task.stateDir,
    tempDir: task.tempDir,
    variables: { ...task.variables, ...env },
    newSessionId: randomUUID(),
    resume: task.sessionId,
    stepsMax: steps,
  };
}

/** Programs refuse a prompt of blanks. A run may name a skill alone, or a conversation that is to go on. */
function sayInstead({ sessionId }: HarnessTask): string {
  return sessionId === undefined ? 'Do what your instructions say.' : 'Go on.';
}

/** They may hold keys and headers of MCP servers. */
async function placeFiles(
  stateDir: string,
  files: readonly { readonly path: string; readonly text: string }[],
): Promise<void> {
  for (const { path, text } of files) {
    const file = join(stateDir, path);
    await makeFolder(stateDir, dirname(path));
    await removeFile(stateDir, path);
    await writeFile(file, text, { mode: 0o600, flag: 'wx' });
  }
}

/** An earlier part of the conversation may have put links where our files were. Throws HarnessRefusal where one leads out of the state folder. */
async function removeFile(stateDir: string, path: string): Promise<void> {
  const folder = dirname(join(stateDir, path));
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined) return;
  if (real !== join(await realpath(stateDir), dirname(path)))
    throw new HarnessRefusal(
      'agent_failed',
      `the agent put a link in place of the folder ${dirname(path)} of its state`,
    );
  await rm(join(folder, basename(path)), { recursive: true, force: true });
}

/** Makes folders below one, and takes away what only leads to a folder: an agent in a container must not reach out of it by us. */
async function makeFolder(root: string, path: string): Promise<void> {
  let folder = root;
  for (const part of path.split('/').filter(each => each !== '.')) {
    folder = join(folder, part);
    const info = await lstat(folder).catch(() => undefined);
    if (info?.isDirectory() === true) continue;
    await rm(folder, { force: true });
    await mkdir(folder, { mode: 0o700 });
  }
}

async function linkSkills(stateDir: string, path: string, skills: HarnessTask['skills']): Promise<void> {
  if (skills.length === 0) return;
  await makeFolder(stateDir, path);
  const folder = join(stateDir, path);
  for (const skill of skills)
    await symlink(skill.folder, join(folder, basename(skill.folder))).catch((error: NodeJS.ErrnoException) => {
      // A conversation that goes on has them already; of two folders of one name the first counts.
      if (error.code !== 'EEXIST') throw error;
    });
}

/**
 * What one run may have read as events, in characters. Readers remember ids and gather texts; whoever can write where the program writes, as its tools can, is
 * not made to fill the memory of the server.
 */
const eventCharactersMax = 128 * 1024 * 1024;
/** Arrays, objects and members of one line. Each costs the time of a whole text, and nothing else is done meanwhile. */
const valuesMax = 200_000;

interface EventReader extends OutputReader {
  /** Whether events were left unread, for there were too many. */
  readonly isFull: boolean;
}

/** Secrets are taken out before an event is read, for readers shorten texts, and afterwards, for they join pieces. */
function readLines(reader: AgentReader, secrets: SecretHider): EventReader {
  let charactersLeft = eventCharactersMax;
  return {
    readLine(line) {
      const event = line.length > charactersLeft ? undefined : parseEvent(line);
      if (event === undefined) {
        if (line.length > charactersLeft && line.startsWith('{')) charactersLeft = 0;
        return undefined;
      }
      charactersLeft -= line.length;
      try {
        const events = reader.read(hideIn(secrets, event));
        return events && hideIn(secrets, events);
      } catch {
        // Not the program wrote it, but something that it started: no number, say, but an object with a `toString` of its own.
        return undefined;
      }
    },
    get isFull() {
      return charactersLeft === 0;
    },
    get steps() {
      return reader.steps;
    },
    get isToolRunning() {
      return reader.isToolRunning;
    },
    get sessionId() {
      return reader.sessionId;
    },
  };
}

function parseEvent(line: string): Record<string, unknown> | undefined {
  if (!line.startsWith('{') || hasManyValues(line)) return undefined;
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) && !isNestedBeyond(event, sizes.jsonLevels) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Whether JSON has more values than an event ever has, counted without making any of them. */
function hasManyValues(json: string): boolean {
  if (json.length < valuesMax) return false;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < json.length && values <= valuesMax; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x22) isInText = !isInText;
    else if (isInText) at += code === 0x5c ? 1 : 0;
    else if (code === 0x2c || code === 0x5b || code === 0x7b) values += 1;
  }
  return values > valuesMax;
}

interface Ended {
  readonly adapter: AgentAdapter;
  readonly spec: AgentSpec;
  readonly secrets: SecretHider;
  readonly reader: AgentReader;
  readonly isFull: boolean;
  readonly end: CommandEnd;
}

/** The rule that holds for every program. What it wrote to the result file is its answer, too, but never makes a failure a success. */
function conclude({ adapter, spec, secrets, reader, isFull, end }: Ended): HarnessOutcome {
  const { exitCode, signal, outputTail, resultText } = end;
  // Before a long message is shortened.
  const claim = hideIn(secrets, reader.claim({ exitCode, signal, outputTail }));
  const text = resultText ?? claim.text;
  if (isFull) {
    const message = `it printed more than ${eventCharactersMax / 1024 / 1024} MiB of events, and the rest was not read`;
    return fail(adapter, spec, { fault: 'harness', message }, text);
  }
  if (claim.kind === 'succeeded' && exitCode === 0) {
    if (text !== undefined && isVisible(text)) return { state: 'SUCCEEDED', resultText: text };
    return fail(adapter, spec, { fault: 'no_result', message: '' });
  }
  return fail(adapter, spec, faultOf(claim, end), text);
}

function faultOf(claim: AgentClaim, { exitCode, signal, outputTail }: CommandEnd): AgentFault {
  if (claim.kind === 'failed') return claim;
  const how =
    exitCode === undefined
      ? `was ended by ${signal ?? 'an unknown signal'}`
      : `ended with ${describeExitCode(exitCode)}`;
  const what = claim.kind === 'succeeded' ? 'although it said that it had succeeded' : 'without a word on how it went';
  return { fault: 'harness', message: `it ${how} ${what}${describeLastLines(outputTail)}` };
}

function fail(
  adapter: AgentAdapter,
  { model, endpoint }: AgentSpec,
  fault: AgentFault,
  resultText?: string,
): HarnessOutcome {
  const names = { agent: adapter.title, model, endpoint: endpoint.root };
  return { state: 'FAILED', ...explainFault(fault, names), resultText: resultText === '' ? undefined : resultText };
}
