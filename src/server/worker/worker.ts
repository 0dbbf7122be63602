import type { Clock } from '../../base/clock.ts';
import type { Limits } from '../config-schema.ts';
import type { Environment, GitSettings } from '../environments/environment.ts';
import type { Executor } from '../executor/executor.ts';
import type { HarnessSet } from '../harness/harness-set.ts';
import type { Log } from '../log.ts';
import type { RunStore, StoredRun } from '../store/store.ts';
import { removeStaleFolders } from './run-folder.ts';
import { RunWork } from './run-work.ts';
import type { SkillSource } from './skill-source.ts';

export interface WorkerParts {
  readonly store: RunStore;
  readonly executor: Executor;
  readonly harnesses: HarnessSet;
  readonly skills: SkillSource;
  readonly environments: readonly Environment[];
  readonly git: GitSettings;
  /** Image of the containers of runs whose environment names none; undefined: those are processes of this machine. */
  readonly image?: string | undefined;
  /** Address of a run's page, without the token that opens it. */
  readonly pageUrl: (runId: string) => string;
  readonly dataDir: string;
  /** The folder that every run works in; without it each has its own. */
  readonly workspace?: string | undefined;
  readonly limits: Pick<Limits, 'run_minutes' | 'grace_seconds' | 'keep_workspace_minutes' | 'log_bytes'>;
  /** What of the server's environment an agent's may take over. */
  readonly baseEnv: Readonly<Record<string, string>>;
  readonly log: Log;
  readonly clock: Clock;
}

export interface Worker {
  /**
   * Carries one claimed run to its end: workspace, harness, executor, events, finish. Never rejects. `stopping` ends the run as ERROR,
   * retryable; a cancel request it sees by itself. When it resolves, no process and, unless workspaces are kept, no file of the run is left.
   */
  readonly run: (claimed: StoredRun, stopping?: AbortSignal) => Promise<void>;
  /** Removes the folders of ended runs that need not be kept any more; how many. To be called at start and now and then. */
  readonly removeStaleWorkspaces: () => Promise<number>;
}

export function createWorker(parts: WorkerParts): Worker {
  const inHand = new Set<string>();
  return {
    async run(claimed, stopping = new AbortController().signal) {
      inHand.add(claimed.runId);
      try {
        await new RunWork(parts, claimed, stopping).carryOut();
      } catch (error) {
        parts.log('error', 'a run was left without an end', { run: claimed.runId, error: String(error) });
      } finally {
        inHand.delete(claimed.runId);
      }
    },
    async removeStaleWorkspaces() {
      return await removeStaleFolders({
        dataDir: parts.dataDir,
        keepMs: parts.limits.keep_workspace_minutes * 60_000,
        now: parts.clock.now(),
        isInHand: runId => inHand.has(runId),
        onFailure: (runId, error) =>
          parts.log('warn', 'the folder of an ended run cannot be removed', { run: runId, error: String(error) }),
      });
    },
  };
}
