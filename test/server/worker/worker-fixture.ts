import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import type { AgentConfig } from '../../../src/contract/config.ts';
import type { RunEvent } from '../../../src/contract/events.ts';
import type { Environment, GitSettings } from '../../../src/server/environments/environment.ts';
import type { ContainerEngine, ContainerSettings } from '../../../src/server/executor/containers/container-engine.ts';
import { createContainerExecutor } from '../../../src/server/executor/containers/container-executor.ts';
import type { Executor } from '../../../src/server/executor/executor.ts';
import { createProcessExecutor } from '../../../src/server/executor/process-executor.ts';
import type { AgentAdapter } from '../../../src/server/harness/agents/adapter.ts';
import { createHarnesses, type HarnessSetOptions } from '../../../src/server/harness/harness-set.ts';
import { createGitHubSkills, type GitHubSkillSettings } from '../../../src/server/skills/github-skills.ts';
import { createSkillSource } from '../../../src/server/skills/skill-source.ts';
import { openSqliteStore } from '../../../src/server/store/sqlite/sqlite-store.ts';
import type { Checkout, RunStore, StoredRun } from '../../../src/server/store/store.ts';
import { createWorker, type Worker, type WorkerParts } from '../../../src/server/worker/worker.ts';

export const baseEnv = { PATH: '/usr/local/bin:/usr/bin:/bin', LANG: 'C.UTF-8', USER: 'octo' };
const limits = {
  run_minutes: 1,
  grace_seconds: 0.3,
  keep_workspace_minutes: 0,
  keep_conversation_minutes: 0,
  log_bytes: 1_000_000,
};

export interface Bench {
  readonly folder: string;
  readonly dataDir: string;
  readonly serverId: string;
  readonly store: RunStore;
  readonly worker: Worker;
  readonly logged: readonly string[];
  /** Creates a run and claims it. */
  claim(prompt: string, config?: AgentConfig, checkout?: Checkout): Promise<StoredRun>;
  /** Carries a new run to its end. */
  work(prompt: string, config?: AgentConfig, checkout?: Checkout): Promise<Ended>;
  /** The current state of a run. */
  look(runId: string): Promise<Ended>;
}

export interface Ended {
  readonly run: StoredRun;
  readonly result: string | undefined;
  readonly events: readonly RunEvent[];
  readonly log: Readonly<Record<'stdout' | 'stderr' | 'system', string>>;
  /** Names in the folder of runs. */
  readonly left: readonly string[];
}

interface BenchOptions {
  readonly workspace?: string;
  readonly limits?: Partial<WorkerParts['limits']>;
  readonly afterLimits?: WorkerParts['afterLimits'];
  readonly repositories?: Readonly<Record<string, string>> | ((folder: string) => Readonly<Record<string, string>>);
  readonly github?: GitHubSkillSettings;
  readonly environments?: readonly Environment[];
  readonly git?: GitSettings;
  /** Executor of runs in containers. */
  readonly containers?: { readonly engine: ContainerEngine; readonly settings?: ContainerSettings };
  /** Image of runs whose environment names none. */
  readonly image?: string;
  readonly harnesses?: Partial<HarnessSetOptions>;
  readonly adapters?: Readonly<Record<string, AgentAdapter>>;
  /** Replacements for the real executor and for calls of the real store. */
  readonly executor?: (real: Executor) => Executor;
  readonly overrides?: (store: RunStore) => Partial<RunStore>;
}

/** A worker with a real store, executor and harnesses. Closed after the test. */
export async function openBench(options: BenchOptions = {}): Promise<Bench> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'agent-run-worker-')));
  const dataDir = join(folder, 'data');
  await mkdir(dataDir);
  const store = await openSqliteStore({ folder: dataDir, clock: systemClock });
  const serverId = `worker-test-${process.pid}-${Date.now()}`;
  const { containers } = options;
  const processes = createProcessExecutor({ serverId, watchdog: false });
  const contained =
    containers &&
    createContainerExecutor({ settings: {}, ...containers, serverId, clock: systemClock, link: undefined });
  const executor: Executor = {
    ...processes,
    ...(contained && { prepareImage: contained.prepareImage }),
    execute: request => (request.container === undefined ? processes : (contained ?? processes)).execute(request),
    close: async () => {
      await contained?.close();
      await processes.close();
    },
  };
  onTestFinished(async () => {
    await executor.close();
    await store.close();
    await rm(folder, { recursive: true, force: true });
  });
  const { repositories = {} } = options;
  const logged: string[] = [];
  const worker = createWorker({
    store: override(store, options.overrides?.(store) ?? {}),
    executor: options.executor?.(executor) ?? executor,
    harnesses: createHarnesses(
      { default: 'script', script: true, commands: {}, ...options.harnesses },
      options.adapters,
    ),
    skills: createSkillSource(
      typeof repositories === 'function' ? repositories(folder) : repositories,
      options.github && createGitHubSkills(options.github, { executor, searchPath: baseEnv.PATH, dataDir }),
    ),
    environments: options.environments ?? [],
    git: options.git ?? { hosts: {}, env: {} },
    pageUrl: runId => `https://agents.example.com/runs/${runId}`,
    dataDir,
    image: options.image,
    workspace: options.workspace,
    limits: { ...limits, ...options.limits },
    afterLimits: options.afterLimits,
    baseEnv,
    log: (level, message, fields) => logged.push(`${level} ${message} ${JSON.stringify(fields)}`),
    clock: systemClock,
  });
  const claim = async (prompt: string, config: AgentConfig = {}, checkout?: Checkout) => {
    const creator = { uid: 'env', displayName: 'environment' };
    await store.createRun({ title: 'a run', prompt, config, checkout, source: 'API', creator });
    const claimed = await store.claimRun();
    if (claimed === undefined) throw new Error('nothing to claim');
    return claimed;
  };
  const look = async (runId: string): Promise<Ended> => {
    const run = await store.readRun(runId);
    if (run === undefined) throw new Error('there is no such run');
    const events = await store.readEvents(runId, 0, 100_000);
    const log = { stdout: '', stderr: '', system: '' };
    for (const event of events) if (event.type === 'log') log[event.data.stream] += event.data.text;
    const left = await readdir(join(dataDir, 'runs')).catch(() => []);
    return { run, result: await store.readResult(runId), events, log, left };
  };
  return {
    folder,
    dataDir,
    serverId,
    store,
    worker,
    logged,
    claim,
    look,
    async work(prompt, config, checkout) {
      const claimed = await claim(prompt, config, checkout);
      await worker.run(claimed);
      return look(claimed.runId);
    },
  };
}

function override(store: RunStore, overrides: Partial<RunStore>): RunStore {
  return new Proxy(store, {
    get: (_, name) => Reflect.get(overrides, name) ?? Reflect.get(store, name).bind(store),
  });
}

/** Warnings in the log of a run. */
export function warningsOf({ events }: Ended): readonly string[] {
  return events.flatMap(event =>
    event.type === 'log' && event.data.level === 'warning' ? [String(event.data.text).trim()] : [],
  );
}

export const block = (code: string) => `\`\`\`sh\n${code}\n\`\`\`\n`;

/** Writes files below a new folder, which is removed after the test. */
export async function writeTree(files: Readonly<Record<string, string>>): Promise<string> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'agent-run-checkout-')));
  onTestFinished(() => rm(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
  return root;
}

/** Makes a git repository of a folder, with everything in one commit. Returns its short name. */
export function commitAll(root: string): string {
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=octo', '-c', 'user.email=octo@example.com', ...args], {
      cwd: root,
      encoding: 'utf8',
    });
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'all');
  return git('rev-parse', '--short', 'HEAD').trim();
}
