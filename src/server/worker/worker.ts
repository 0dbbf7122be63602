import type { Clock } from '../../base/clock.ts';
import { isFinal } from '../../contract/tables/state.ts';
import { keptMinutes, type Limits } from '../config/config-schema.ts';
import type { Environment, GitSettings } from '../environments/environment.ts';
import { describeError } from '../error-text.ts';
import type { Executor } from '../executor/executor.ts';
import type { HarnessSet } from '../harness/harness-set.ts';
import type { Log } from '../log.ts';
import type { SkillSource } from '../skills/skill-source.ts';
import type { RunEnding, RunStore, StoredRun } from '../store/store.ts';
import { isKept, locateRunFolder, removeStaleFolders, removeUnknownFolders } from '../workspace/run-folder.ts';
import { carryOutRun } from './run-work.ts';

/** Limits for the steps after the agent, in milliseconds. */
export interface AfterLimits {
  /** When the log first says that the server is waiting. */
  readonly slowMs: number;
  readonly patchMs: number;
  readonly publishMs: number;
  /** Time for the server's own part of a step, in addition to that of its programs. @default 30 seconds */
  readonly spareMs?: number;
}

export interface WorkerParts {
  readonly store: RunStore;
  readonly executor: Executor;
  readonly harnesses: HarnessSet;
  readonly skills: SkillSource;
  readonly environments: readonly Environment[];
  readonly git: GitSettings;
  /** Container image for runs whose environment names none. Undefined: those runs are processes of this machine. */
  readonly image?: string | undefined;
  /** Address of a run's page, without the token that opens it. */
  readonly pageUrl: (runId: string) => string;
  readonly dataDir: string;
  /** Folder that every run works in. Undefined: each run has its own. */
  readonly workspace?: string | undefined;
  /** Subfolder that agents work in. @default the workspace */
  readonly workingFolder?: string | undefined;
  readonly limits: Pick<
    Limits,
    'run_minutes' | 'grace_seconds' | 'keep_workspace_minutes' | 'keep_conversation_minutes' | 'log_bytes' | 'memory_mb'
  >;
  /** Limits for the steps after the agent. @default 5 seconds, 2 and 5 minutes */
  readonly afterLimits?: AfterLimits | undefined;
  /** Variables of the server that an agent's environment may take over. */
  readonly baseEnv: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly clock: Clock;
}

export interface Worker {
  /**
   * Carries one claimed run to its end: workspace, harness, executor, events, finish. Never rejects. It watches for
   * cancel requests itself; `stopping` ends the run as ERROR, retryable. When it resolves, no process of the run is
   * left, and no files except a workspace or a conversation that is kept. QUEUED: the run was put back because this
   * machine is short of something.
   */
  readonly run: (claimed: StoredRun, stopping?: AbortSignal) => Promise<RunEnding['state'] | undefined>;
  /** Removes folders of ended runs that need not be kept. Returns how many. Call it at start and from time to time. */
  readonly removeStaleWorkspaces: () => Promise<number>;
  /** Whether the conversation can continue after this run, its newest one, has ended. */
  readonly isConversationKept: (newest: StoredRun) => Promise<boolean>;
}

/** Grace for a caller who was told that a conversation can continue. */
const spareMs = 60_000;

export function createWorker(parts: WorkerParts): Worker {
  const inHand = new Set<string>();
  const onFailure = (run: string, error: unknown): void =>
    parts.log('warn', 'could not remove the folder of a finished run', { run, error: describeError(error) });
  // Every end of a run looks at all folders, and kept conversations can be thousands.
  let known: ReadonlySet<string> = new Set();
  const removeUnknown = async (): Promise<number> => {
    const seen = new Set<string>();
    const isKnown = async (name: string) => {
      const isOfRun = known.has(name) || inHand.has(name) || (await parts.store.findNewest(name)) !== undefined;
      if (isOfRun) seen.add(name);
      return isOfRun;
    };
    const removed = await removeUnknownFolders({ dataDir: parts.dataDir, isKnown, onFailure });
    known = seen;
    return removed;
  };
  const keepMsOf = (newest: StoredRun): number => keptMinutes(newest.config, parts.limits) * 60_000;
  return {
    async run(claimed, stopping = new AbortController().signal) {
      inHand.add(claimed.conversationId);
      try {
        return await carryOutRun({ ...parts, removeUnknownFolders: removeUnknown }, claimed, stopping);
      } catch (error) {
        parts.log('error', 'a run was left unfinished', { run: claimed.runId, error: describeError(error) });
        return undefined;
      } finally {
        inHand.delete(claimed.conversationId);
      }
    },
    async removeStaleWorkspaces() {
      const unknownFolders = await removeUnknown();
      const stale = await removeStaleFolders({
        dataDir: parts.dataDir,
        keepMs: parts.limits.keep_workspace_minutes * 60_000,
        now: parts.clock.now(),
        isInHand: name => inHand.has(name),
        async readEnd(name) {
          const newest = await parts.store.findNewest(name);
          if (newest === undefined) return { endedAt: 0, keepMs: 0 };
          const keepMs = keepMsOf(newest);
          return isFinal(newest.state)
            ? { endedAt: newest.finishedAt ?? 0, keepMs: keepMs === 0 ? 0 : keepMs + spareMs }
            : undefined;
        },
        onFailure,
      });
      return unknownFolders + stale;
    },
    async isConversationKept(newest) {
      const { conversationId, continuation, finishedAt = 0 } = newest;
      if (continuation === undefined || parts.clock.now() >= finishedAt + keepMsOf(newest)) return false;
      return await isKept(locateRunFolder(parts.dataDir, conversationId, parts.workspace));
    },
  };
}
