import { createHash, randomBytes } from 'node:crypto';
import { existsSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { type Clock, systemClock } from '../base/clock.ts';
import { isLoopback } from '../base/network/loopback.ts';
import { describeUnsetVariable } from '../base/variable-name.ts';
import { createConfigCheck } from './config/complete-config.ts';
import { usesContainers } from './config/container-settings.ts';
import type { ServerConfig } from './config/server-config.ts';
import { refuseSharedFolder } from './config/workspace-folder.ts';
import { createLocalDispatcher } from './dispatch/local-dispatcher.ts';
import { describeError } from './error-text.ts';
import { findContainerEngine } from './executor/containers/container-engine.ts';
import { createServerExecutor } from './executor/server-executor.ts';
import { createHarnesses } from './harness/harness-set.ts';
import { describeMissingPrograms } from './harness/missing-programs.ts';
import { redactAlways } from './harness/run-redactor.ts';
import { createApp } from './http/app.ts';
import { openKeyRing } from './http/key-ring.ts';
import { createArtifactLinks, createSessionLinks } from './http/signed-links.ts';
import { createLog, type Log } from './log.ts';
import { describeLowMemory } from './low-memory.ts';
import { findRunContainment } from './run-containment.ts';
import { startOneSchemaThread } from './schema/schema-thread.ts';
import { createGitHubSkills } from './skills/github-skills.ts';
import { createSkillList } from './skills/skill-list.ts';
import { createSkillSource } from './skills/skill-source.ts';
import { openDataFolder } from './store/data-folder.ts';
import { lockDataFolder } from './store/data-lock.ts';
import { databaseFile, openSqliteStore } from './store/sqlite/sqlite-store.ts';
import { locateArtifact } from './worker/artifact-files.ts';
import { createWorker } from './worker/worker.ts';
import { findSearchPath } from './workspace/agent-environment.ts';
import { removeStaleFolders } from './workspace/run-folder.ts';

/** The whole service without a port. `listen` opens one, and `fetch` can be called directly. */
export interface AgentRunServer {
  fetch(request: Request): Response | Promise<Response>;
  /** The API key that `start` created, if there was none. It is stored nowhere else. */
  readonly madeKey: string | undefined;
  /** Whether a key of an earlier start is valid too. */
  readonly hasFirstKey: boolean;
  /** A key that ends with this server. */
  readonly localKey: string;
  /** Without harnesses, the server cannot run anything and says so. */
  readonly harnessNames: readonly string[];
  /** Number of runs in progress. */
  readonly runsInHand: number;
  /** Address of the server. Links start with it unless the configuration has a `public_url`. */
  setAddress(url: string): void;
  /** Ends what an earlier server left behind, then begins to take runs. */
  start(): Promise<void>;
  /**
   * Takes no new runs, waits the drain time for those in progress, ends the rest as ERROR (retryable) and writes
   * everything. A second call with 0 skips the wait.
   */
  stop(options?: { readonly drainSeconds?: number; readonly beforeClose?: () => Promise<void> }): Promise<void>;
}

/** Interval of checks on the data folder: expired workspaces, a missing database. */
const folderCheckMs = 60_000;

/**
 * Wires the parts. Nothing runs before `start`. Throws ConfigError if the data folder and the workspace overlap, or
 * if containment or limits do not work here. Throws DataFolderInUseError if another server has the data folder.
 * Throws if a newer version wrote the data. What was opened before is closed.
 */
export async function createServer(
  config: ServerConfig,
  {
    log = createLog(line => console.error(line)),
    clock = systemClock,
    isInStep = false,
    workingFolder,
  }: {
    readonly log?: Log;
    readonly clock?: Clock;
    /**
     * The server belongs to one step of a workflow, which owns the workspace. Runs are kept in memory and the data
     * folder has no lock, because agents of the same user could block it. Processes that runs leave in the workspace
     * are ended. @default false
     */
    readonly isInStep?: boolean;
    /** A folder in the configured workspace that agents work in. @default the workspace */
    readonly workingFolder?: string | undefined;
  } = {},
): Promise<AgentRunServer> {
  const opened: (() => void | Promise<void>)[] = [];
  try {
    if (isInStep) startOneSchemaThread();
    if (config.workspace !== undefined) refuseSharedFolder(config.workspace, config.dataDir);
    // Its programs run while the store opens.
    const finding = findRunContainment(config, log);
    finding.catch(() => {});
    openDataFolder(config.dataDir);
    const file = isInStep ? undefined : join(config.dataDir, databaseFile);
    if (file !== undefined) {
      const lock = lockDataFolder(config.dataDir);
      opened.push(() => lock.release());
    }
    // Before any write: leftovers of ended runs may have filled the disk.
    await removeStaleFolders({
      dataDir: config.dataDir,
      keepMs: config.limits.keep_workspace_minutes * 60_000,
      now: clock.now(),
      onFailure: (run, error) =>
        log('warn', 'could not remove the folder of a finished run', { run, error: describeError(error) }),
    });
    const isNew = file === undefined || !existsSync(file);
    if (file !== undefined && hasLostDatabase(config.dataDir, file))
      log(
        'warn',
        'the database is missing or empty, so earlier runs and keys are gone; to get them back, stop the server and restore a copy',
        {
          file,
        },
      );
    const store = await openSqliteStore({
      folder: file && config.dataDir,
      clock,
      onMigration: step =>
        log('info', 'updating the database for this version; with a million runs this can take minutes', { step }),
    });
    opened.push(() => store.close());
    const [serverId, secret] = await Promise.all([
      store.readOrKeepSetting('server_id', uuidv7()),
      store.readOrKeepSetting('link_secret', randomBytes(32).toString('base64url')),
    ]);
    const engine = findContainerEngine(config.docker);
    const containment = await finding;
    const executor = createServerExecutor({
      serverId: `${serverId}.${hashFolder(config.dataDir)}`,
      containment,
      orphanFolder: isInStep ? config.workspace : undefined,
      containers:
        typeof engine === 'string' || !usesContainers(config)
          ? undefined
          : { engine, settings: config.docker.settings },
      onSweepFault: message =>
        log('warn', 'cannot check yet for containers left by an earlier server', { cause: message }),
      onSpawnerLost: cause => log('warn', 'runs that were in progress end with ERROR', { cause }),
      onWatchdogLost: () =>
        log(
          'warn',
          'the watchdog does not stay running; if this server is killed, its agents keep running until the next start',
        ),
    });
    opened.push(() => executor.close());
    const harnesses = createHarnesses(config.harnesses);
    const github =
      config.githubSkills &&
      createGitHubSkills(config.githubSkills, {
        executor,
        searchPath: findSearchPath(config.baseEnv),
        dataDir: config.dataDir,
      });
    const skills = createSkillSource(config.skillRepositories, github);
    const worker = createWorker({
      store,
      executor,
      harnesses,
      skills,
      environments: config.environments,
      git: config.git,
      image: config.docker.image,
      pageUrl: runId => `${config.publicUrl ?? address}/runs/${runId}`,
      dataDir: config.dataDir,
      workspace: config.workspace,
      workingFolder,
      limits: config.limits,
      baseEnv: config.baseEnv,
      log,
      clock,
    });
    const dispatcher = createLocalDispatcher({
      store,
      work: worker.run,
      concurrency: config.limits.concurrency,
      clock,
      log,
    });
    let isStarted = false;
    let draining = false;
    const findWriteFault = keepAnswer(() => store.findWriteFault(), clock);
    const checkFolders = async () => {
      await worker.removeStaleWorkspaces();
      if (file === undefined || existsSync(file) || draining) return;
      // Writes are lost at the next start, so new runs must be refused.
      draining = true;
      log('error', 'the database was removed from the data folder; new runs are refused, stop this server', {
        folder: config.dataDir,
      });
    };
    const ring = await openKeyRing(store, config.apiKey);
    opened.push(redactAlways(ring.localKey));
    let madeKey: string | undefined;
    const closing = new AbortController();
    let closed: Promise<void> | undefined;
    let address = `http://${config.host}:${config.port}`;
    const app = createApp({
      store,
      clock,
      log,
      keys: ring,
      environmentCaller: isInStep ? 'by the step' : 'with the key in AGENT_RUN_API_KEY',
      links: createSessionLinks({ secret, clock }),
      artifactLinks: createArtifactLinks({ secret, clock }),
      artifactFile: (runId, uid) => locateArtifact(config.dataDir, runId, uid),
      limits: config.limits,
      harnesses,
      isConversationKept: worker.isConversationKept,
      completeConfig: createConfigCheck(harnesses, { ...config, engine }),
      refuseSkill: skills.refuse,
      listSkills: createSkillList({
        repositories: config.skillRepositories,
        github,
        environments: config.environments,
      }),
      environments: config.environments,
      publicUrl: () => config.publicUrl ?? address,
      isDraining: () => draining,
      isAtCapacity: () => dispatcher.runsInHand >= config.limits.concurrency,
      findUnready: async () => (isStarted ? await findWriteFault() : 'the server is starting'),
      stopping: closing.signal,
    });
    opened.push(() => app.close());
    return {
      fetch: app.fetch,
      get madeKey() {
        return madeKey;
      },
      hasFirstKey: ring.hasFirstKey,
      localKey: ring.localKey,
      harnessNames: harnesses.names,
      get runsInHand() {
        return dispatcher.runsInHand;
      },
      setAddress(url) {
        address = url;
      },
      async start() {
        // A new folder has a new id, so no process of an earlier server can have it.
        const swept = isNew ? 0 : await executor.sweepAll();
        const ended = await store.endOrphans(
          'the server stopped while the run was in progress; part of its work may be done',
        );
        if (swept > 0 || ended.length > 0)
          log('warn', 'ended runs and processes of an earlier server', { processes: swept, runs: ended.length });
        await store.restartLeases();
        for (const text of await describeMissingPrograms(config.harnesses, findSearchPath(config.baseEnv)))
          log('warn', text);
        const low = describeLowMemory(config);
        if (low !== undefined) log('warn', `${low.text}; ${low.remedy}`);
        for (const { name, user, place } of config.unsetVariables)
          log('warn', `${place}: ${describeUnsetVariable(name)}, so ${user} runs without it`);
        // Custom servers often need no key.
        for (const { holds, text, remedy } of config.unreadVariables)
          if (holds === 'address') log('warn', `${text}; ${remedy}`);
        if (usesContainers(config) && typeof engine === 'string')
          log('warn', `runs in containers will be refused: ${engine}`);
        if (config.publicUrl === undefined && !isLoopback(config.host) && isLoopback(new URL(address).hostname))
          log('warn', 'public_url is not set in the configuration, so links work only on this machine', {
            links: address,
          });
        // The last step that can fail, because the key is shown only once.
        madeKey = await ring.makeFirstKey();
        const upkeep = setInterval(() => {
          checkFolders().catch((error: unknown) =>
            log('error', 'could not check the data folder', { error: describeError(error) }),
          );
        }, folderCheckMs);
        opened.push(() => clearInterval(upkeep));
        dispatcher.start();
        isStarted = true;
      },
      async stop({ drainSeconds = config.limits.drain_seconds, beforeClose } = {}) {
        draining = true;
        await dispatcher.stop(drainSeconds * 1000);
        closing.abort();
        closed ??= closeAll([...opened, ...(beforeClose === undefined ? [] : [beforeClose])]);
        await closed;
      },
    };
  } catch (error) {
    await closeAll(opened).catch(() => {});
    throw error;
  }
}

/** True if a data folder has leftovers of runs but no database. */
function hasLostDatabase(dataDir: string, file: string): boolean {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  return size === 0 && ['runs', 'artifacts'].some(name => existsSync(join(dataDir, name)));
}

/** Repeats the last answer for two seconds: anyone may ask, and each check writes. */
function keepAnswer<T>(look: () => Promise<T>, clock: Clock): () => Promise<T> {
  let last: { readonly atMs: number; readonly found: Promise<T> } | undefined;
  return () => {
    const atMs = clock.monotonicMs();
    if (last === undefined || atMs - last.atMs > 2000) last = { atMs, found: look() };
    return last.found;
  };
}

/** A copied data folder has the same id, but agents belong to the original folder. */
function hashFolder(folder: string): string {
  return createHash('sha256').update(realpathSync(folder)).digest('hex').slice(0, 12);
}

/** Closes in reverse order of opening. Every step runs, and the first error is thrown at the end. */
async function closeAll(steps: readonly (() => void | Promise<void>)[]): Promise<void> {
  const faults: unknown[] = [];
  for (const step of steps.toReversed()) {
    try {
      await step();
    } catch (error) {
      faults.push(error);
    }
  }
  if (faults.length > 0) throw faults[0];
}
