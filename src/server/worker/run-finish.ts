import type { Clock } from '../../base/clock.ts';
import type { Limits } from '../config/config-schema.ts';
import { describeError } from '../error-text.ts';
import type { Log } from '../log.ts';
import type { Claim, RunEnding, RunStore, StoredRun } from '../store/store.ts';
import { type RunFolder, tidyRunFolder } from '../workspace/run-folder.ts';

/** Between two tries to write the end of a run. A run that stays INPROGRESS without a worker would be a lie. */
const napsMs = [100, 500, 2000, 5000];
const longestNapMs = 10_000;

interface FinishParts {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly claim: Claim;
  /** When the worker began, by the steady clock. */
  readonly startMs: number;
  readonly stopping: AbortSignal;
}

/** Writes how a run ended, or what it waits for, however often that takes. Never rejects. */
export async function writeEnding(
  { store, clock, log, claim, startMs, stopping }: FinishParts,
  ending: RunEnding,
): Promise<void> {
  const { runId } = claim;
  const workedMs = Math.round(clock.monotonicMs() - startMs);
  const seconds = Math.round(workedMs / 100) / 10;
  const { state, statusMessage } = ending;
  for (let failures = 0; ; failures += 1) {
    try {
      const isWritten = await store.finishRun(claim, { ...ending, workedMs });
      if (!isWritten)
        log('warn', 'a run had ended or moved to another worker before its end was saved', { run: runId });
      else if (state === 'QUEUED') log('warn', 'run was requeued', { run: runId, cause: statusMessage?.message });
      else if (state === 'BLOCKED') log('info', 'run is waiting for an answer', { run: runId, seconds });
      else log('info', 'run ended', { run: runId, state, code: statusMessage?.error_code, seconds });
      return;
    } catch (error) {
      log('error', 'could not save the end of a run', { run: runId, error: describeError(error) });
      // A run that is left open here is ended by the next start of the server.
      if (stopping.aborted) return;
      await clock.sleep(napsMs[failures] ?? longestNapMs, stopping).catch(() => {});
    }
  }
}

interface TidyParts {
  readonly log: Log;
  readonly limits: Pick<Limits, 'keep_workspace_minutes'>;
  readonly run: Pick<StoredRun, 'runId' | 'continuation'>;
  readonly folder: RunFolder;
  readonly isConversationKept: boolean;
  readonly removeStrangeFolders: () => Promise<unknown>;
}

/** Removes the files of a run that are not kept after this ending. Never rejects. */
export async function tidyAfter(
  ending: RunEnding | undefined,
  { log, limits, run, folder, isConversationKept, removeStrangeFolders }: TidyParts,
): Promise<void> {
  // The next part of the run needs all files.
  if (ending?.state === 'BLOCKED' || (ending?.state === 'QUEUED' && run.continuation !== undefined)) return;
  try {
    const keeps = limits.keep_workspace_minutes > 0 ? 'workspace' : 'nothing';
    await tidyRunFolder(folder, { keeps: isConversationKept ? 'conversation' : keeps });
    await removeStrangeFolders();
  } catch (error) {
    log('warn', 'could not remove the folder of a run', { run: run.runId, error: describeError(error) });
  }
}
