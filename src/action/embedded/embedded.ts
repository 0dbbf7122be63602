/**
 * The server inside the step: the whole service in this process, reached without a port. It keeps its data in its own
 * folder below RUNNER_TEMP and deletes it on close. Its runs work in the job's workspace. When the step is killed,
 * the server's watchdog kills the agents.
 *
 * Only this file of the action imports the server. `import()` loads it if the step names no server.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { secretLengthMin } from '../../base/secret-variables.ts';
import { removeTree } from '../../border/folders.ts';
import {
  AgentInstallError,
  type AgentRunServer,
  agentPrograms,
  ConfigError,
  createServer,
  findProgram,
  isAgentProgramName,
  isProgram,
  type Log,
  type ProvidedAgent,
  provideAgent,
  readServerConfig,
} from '../../server/index.ts';
import { InputError } from '../inputs/values.ts';
import { chooseHarnesses, type HarnessRequest } from './choose-harnesses.ts';
import { createDirectFetch, type DirectFetch } from './direct-fetch.ts';

export interface EmbeddedOptions extends HarnessRequest {
  /** RUNNER_TEMP. If it is missing, the system's temporary folder is used. */
  readonly tempDir: string | undefined;
  /** `owner/name` of the checkout in the workspace. Makes its skills available by name. */
  readonly repository: string | undefined;
  /**
   * The step's variables. An agent gets PATH, the locale, the user, the runner's marks and its model's key from them.
   */
  readonly baseEnv: Readonly<Record<string, string | undefined>>;
  /** Wall-clock limit of a run. @default five days, the longest job */
  readonly runMinutes?: number;
  readonly mask?: (secret: string) => void;
  /** Reports server faults that fail no request. */
  readonly warn: (message: string) => void;
  /** Names the agent's program and where it comes from. */
  readonly print?: (line: string) => void;
  /** Ends an install. */
  readonly signal?: AbortSignal;
  /** @default this one */
  readonly platform?: NodeJS.Platform;
}

export interface EmbeddedServer {
  /** An address that only `fetch` knows. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: DirectFetch;
  readonly isWorkspaceEmpty: boolean;
  /** True if the harness may ask a model: an agent or a `command`. */
  readonly asksModel: boolean;
  /** Ends running agents, within two seconds unless the kernel blocks, and deletes the data. Never rejects. */
  close(): Promise<void>;
}

const longestJobMinutes = 5 * 24 * 60;
/** From SIGTERM to SIGKILL. A canceled step has 7.5 s for everything. */
const graceSeconds = 1.5;

/** Throws InputError if the step's inputs have to change, and an Error with a sentence if the server cannot start. */
export async function openEmbedded(options: EmbeddedOptions): Promise<EmbeddedServer> {
  if ((options.platform ?? process.platform) === 'win32')
    throw new InputError(
      'the agent cannot run in a step on Windows; set `base_url` to a server, or use a Linux or macOS runner',
    );
  const harnesses = await chooseHarnesses(options);
  for (const { argv, env } of Object.values(harnesses.commands))
    await refuseMissing(argv[0], env.PATH ?? options.baseEnv.PATH, options.workingFolder ?? options.workspace);
  const bashPath = harnesses.scriptEnv.PATH ?? options.baseEnv.PATH;
  if (harnesses.default === 'script' && bashPath !== undefined && findProgram('bash', bashPath) === undefined)
    throw new InputError(
      '`allow_script`: shell blocks need bash, which is not on the PATH of the step; install it in an earlier step',
    );
  const programs = new Map<string, ProvidedAgent>();
  for (const { kind, env, endpoint } of Object.values(harnesses.agents)) {
    if (endpoint.apiKey !== undefined) options.mask?.(endpoint.apiKey);
    for (const value of Object.values(endpoint.headers ?? {}))
      if (value.length >= secretLengthMin) options.mask?.(value);
    const provided = await provideProgram(kind, { ...options.baseEnv, ...env }, options);
    if (provided !== undefined) programs.set(kind, provided);
  }
  const folder = await makeFolder(options.tempDir ?? tmpdir());
  const apiKey = `ar-${randomBytes(32).toString('base64url')}`;
  let server: AgentRunServer | undefined;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeDown(server, folder, options.warn));
  try {
    server = await createServer(configure(options, { folder, apiKey, harnesses, programs }), {
      log: warnOf(options.warn),
      isInStep: true,
      workingFolder: options.workingFolder,
    });
    await server.start();
  } catch (error) {
    await close();
    throw new Error(`the server inside the step could not start: ${explainStart(error, options)}`, { cause: error });
  }
  return {
    baseUrl: 'http://127.0.0.1',
    apiKey,
    isWorkspaceEmpty: await isEmpty(options.workingFolder ?? options.workspace),
    asksModel: harnesses.default !== 'script',
    fetch: createDirectFetch(server.fetch, () => closing !== undefined),
    close,
  };
}

/** Server defaults, adjusted to what a step knows. */
function configure(
  { workspace, workingFolder = workspace, repository, baseEnv, runMinutes = longestJobMinutes }: EmbeddedOptions,
  {
    folder,
    apiKey,
    harnesses,
    programs,
  }: {
    folder: string;
    apiKey: string;
    harnesses: Awaited<ReturnType<typeof chooseHarnesses>>;
    programs: ReadonlyMap<string, ProvidedAgent>;
  },
) {
  const { PATH, LANG, LC_ALL, USER, LOGNAME, RUNNER_TRACKING_ID } = baseEnv;
  // The folder is new, so there is no configuration file.
  const usual = readServerConfig({
    env: { PATH, LANG, LC_ALL, USER, LOGNAME, AGENT_RUN_API_KEY: apiKey },
    cwd: folder,
  });
  return {
    ...usual,
    dataDir: join(folder, 'data'),
    workspace: resolve(workspace),
    // In a user namespace of a non-root user, no program can gain rights. `sudo apt-get install`, which agents use on
    // runners, would fail.
    containment: process.getuid?.() === 0 ? ('auto' as const) : ('process_group' as const),
    harnesses: { ...harnesses, agents: withPrograms(harnesses.agents, programs) },
    skillRepositories:
      repository === undefined
        ? {}
        : { [repository]: existsSync(join(workingFolder, '.git')) ? workingFolder : workspace },
    baseEnv: { ...usual.baseEnv, ...(RUNNER_TRACKING_ID === undefined ? {} : { RUNNER_TRACKING_ID }) },
    limits: {
      ...usual.limits,
      concurrency: 1,
      run_minutes: runMinutes,
      grace_seconds: graceSeconds,
      // The server ends with the step, so no conversation can continue.
      keep_conversation_minutes: 0,
    },
  };
}

function withPrograms<Agent>(agents: Readonly<Record<string, Agent>>, programs: ReadonlyMap<string, ProvidedAgent>) {
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, { ...agent, ...programs.get(name) }]));
}

/** Fails early. A run would fail with the same reason later. */
async function refuseMissing(program: string, searchPath: string | undefined, folder: string): Promise<void> {
  if (isAbsolute(program)) {
    if (!isProgram(program)) throw new InputError(`\`command\`: ${await explainUnusable(program, folder)}`);
  } else if (searchPath !== undefined && findProgram(program, searchPath) === undefined)
    throw new InputError(
      `\`command\`: the program ${program} is not on the PATH of the step; install it in an earlier step, or give its path`,
    );
}

async function explainUnusable(program: string, folder: string): Promise<string> {
  const found = await stat(program).catch(() => undefined);
  if (found === undefined)
    return `${program} does not exist; check the path, and that an earlier step checks out the repository`;
  if (found.isDirectory()) return `${program} is a folder; name a program in it`;
  const path = relative(folder, program);
  const command = path.startsWith('..') ? `chmod +x ${program}` : `git update-index --chmod=+x ${path}`;
  return `${path} is not executable; run \`${command}\`, or set \`command\` to \`sh ${path}\``;
}

/** Undefined for an agent without a program of its own. */
async function provideProgram(
  kind: string,
  env: Readonly<Record<string, string | undefined>>,
  { workspace, harnessVersion: version, print = () => {}, signal }: EmbeddedOptions,
): Promise<ProvidedAgent | undefined> {
  if (!isAgentProgramName(kind)) return undefined;
  try {
    const provided = await provideAgent(kind, { version, env, cwd: workspace, print, signal });
    if (provided !== undefined) return provided;
  } catch (error) {
    if (error instanceof AgentInstallError) throw new InputError(`\`harness\`: ${error.message}`);
    throw error;
  }
  const { title, package: name, version: tested } = agentPrograms[kind];
  throw new InputError(
    `\`harness\`: ${title} is not on the PATH of the step; set \`harness_version: ${tested}\`, install it in an earlier step (npm install --global ${name}@${tested}), or remove \`harness\` to use the built-in agent`,
  );
}

async function isEmpty(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => undefined);
  return entries?.length === 0;
}

/** `mkdtemp` makes it private to its owner. */
async function makeFolder(parent: string): Promise<string> {
  try {
    return await mkdtemp(join(parent, 'agent-run-'));
  } catch (error) {
    throw new Error(
      `the server inside the step could not start: cannot create a folder in ${parent} (${readCode(error)}); RUNNER_TEMP must be a folder that this user can write to`,
      { cause: error },
    );
  }
}

async function closeDown(server: AgentRunServer | undefined, folder: string, warn: (message: string) => void) {
  const tell = (what: string) => (error: unknown) => warn(`${what}: ${messageOf(error)}`);
  await server?.stop({ drainSeconds: 0 }).catch(tell('the server inside the step did not stop cleanly'));
  await removeTree(folder).catch(tell(`the data of the server inside the step in ${folder} could not be removed`));
}

/** Only warnings and errors, because the step's log already shows the runs. */
function warnOf(warn: (message: string) => void): Log {
  return (level, message, fields = {}) => {
    if (level !== 'warn' && level !== 'error') return;
    const details = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name} ${value}`],
    );
    warn([message, ...details].join(', '));
  };
}

function explainStart(error: unknown, { workspace, tempDir }: EmbeddedOptions): string {
  if (error instanceof ConfigError)
    return `RUNNER_TEMP (${tempDir}) and the workspace (${workspace}) must not contain each other; use separate folders`;
  return messageOf(error);
}

function readCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}
