/**
 * The server inside the step: the whole service in this process, reached without a port. What it keeps lies in a folder of its own below RUNNER_TEMP, and
 * goes when it is closed; its runs work in the workspace of the job. When the step is killed, the server's watchdog kills the agents. The
 * only file of the action that knows the server: it is imported by `import()` alone, when there is no other server.
 */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { isAbsolute, join, relative, resolve } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { removeTree } from '../../border/folders.ts';
import {
  type AgentRunServer,
  agentPrograms,
  ConfigError,
  createServer,
  findAgentProgram,
  findProgram,
  isAgentProgramName,
  isProgram,
  type Log,
  locateAgentsFolder,
  readServerConfig,
} from '../../server/index.ts';
import { InputError } from '../inputs/values.ts';
import { chooseHarnesses, type HarnessRequest } from './choose-harnesses.ts';
import { createDirectFetch, type DirectFetch } from './direct-fetch.ts';

export interface EmbeddedOptions extends HarnessRequest {
  /** RUNNER_TEMP; where it is missing, the system's own temporary folder. */
  readonly tempDir: string | undefined;
  /** `owner/name` of the checkout in the workspace, whose skills can then be named. */
  readonly repository: string | undefined;
  /** The step's variables, of which an agent gets PATH, the locale, who runs it, the mark of the runner and the key of its model. */
  readonly baseEnv: Readonly<Record<string, string | undefined>>;
  /** Wall clock of a run. @default five days, the longest job */
  readonly runMinutes?: number;
  /** Given the key of the agent's model, which is not to be shown. */
  readonly mask?: (secret: string) => void;
  /** What goes wrong in the server and fails no request. */
  readonly warn: (message: string) => void;
  /** @default this one */
  readonly platform?: NodeJS.Platform;
}

export interface EmbeddedServer {
  /** An address that only `fetch` knows. */
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: DirectFetch;
  /** Whether the agent finds nothing there. */
  readonly isWorkspaceEmpty: boolean;
  /** Whether what works here may ask a model: an agent or a `command`. */
  readonly asksModel: boolean;
  /** Ends what still runs, within two seconds unless the kernel holds on to it, and removes what was kept. Never rejects. */
  close(): Promise<void>;
}

const longestJobMinutes = 5 * 24 * 60;
/** From SIGTERM to SIGKILL: a canceled step has 7.5 s for everything. */
const graceSeconds = 1.5;

/** Throws InputError where the step has to be told something else, and an Error with a sentence where the server cannot start. */
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
  for (const { kind, env, endpoint } of Object.values(harnesses.agents)) {
    if (endpoint.apiKey !== undefined) options.mask?.(endpoint.apiKey);
    await refuseMissingAgent(kind, { ...options.baseEnv, ...env }, options.workspace);
  }
  const folder = await makeFolder(options.tempDir ?? tmpdir());
  const apiKey = `ar-${randomBytes(32).toString('base64url')}`;
  let server: AgentRunServer | undefined;
  let closing: Promise<void> | undefined;
  const close = () => (closing ??= closeDown(server, folder, options.warn));
  try {
    server = await createServer(configure(options, { folder, apiKey, harnesses }), {
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

/** As for a server that is told nothing, but for what a step knows. */
function configure(
  { workspace, workingFolder = workspace, repository, baseEnv, runMinutes = longestJobMinutes }: EmbeddedOptions,
  {
    folder,
    apiKey,
    harnesses,
  }: { folder: string; apiKey: string; harnesses: Awaited<ReturnType<typeof chooseHarnesses>> },
) {
  const { PATH, LANG, LC_ALL, USER, LOGNAME, RUNNER_TRACKING_ID } = baseEnv;
  // Read in the fresh folder, where there is no configuration file.
  const usual = readServerConfig({
    env: { PATH, LANG, LC_ALL, USER, LOGNAME, AGENT_RUN_API_KEY: apiKey },
    cwd: folder,
  });
  return {
    ...usual,
    dataDir: join(folder, 'data'),
    workspace: resolve(workspace),
    // In a namespace of a user that is not root no program gets more rights: `sudo apt-get install`, as agents do it on runners, would fail.
    containment: process.getuid?.() === 0 ? ('auto' as const) : ('process_group' as const),
    harnesses: { ...harnesses, agents: withFolder(harnesses.agents, locateAgentsFolder(baseEnv, workspace)) },
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
      // The server ends with the step: nobody can go on, or answer.
      keep_conversation_minutes: 0,
    },
  };
}

function withFolder<Agent>(agents: Readonly<Record<string, Agent>>, agentsFolder: string) {
  return Object.fromEntries(Object.entries(agents).map(([name, agent]) => [name, { ...agent, agentsFolder }]));
}

/** A run would say the same, but later. */
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

/** A step is told before it starts what an agent of the server would fail with. */
async function refuseMissingAgent(
  kind: string,
  env: Readonly<Record<string, string | undefined>>,
  workspace: string,
): Promise<void> {
  if (!isAgentProgramName(kind)) return;
  const agentsFolder = locateAgentsFolder(env, workspace);
  if ((await findAgentProgram(kind, { agentsFolder, searchPath: env.PATH ?? '' })) !== undefined) return;
  const { title, package: name, version } = agentPrograms[kind];
  throw new InputError(
    `\`harness\`: ${title} is not on the PATH of the step; install it in an earlier step (npm install --global ${name}@${version}), or remove \`harness\` to use the built-in agent`,
  );
}

async function isEmpty(folder: string): Promise<boolean> {
  const entries = await readdir(folder).catch(() => undefined);
  return entries?.length === 0;
}

/** For its owner alone, as `mkdtemp` makes it. */
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

/** Only what somebody has to know: a step's log shows the runs themselves. */
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
