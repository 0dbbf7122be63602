import { describeError } from '../error-text.ts';
import type { RunEnding } from '../store/store.ts';
import { tidyRunFolder } from '../workspace/run-folder.ts';
import type { RunContext } from './run-context.ts';

/** Delay between attempts to write the end of a run. Giving up would leave it INPROGRESS without a worker. */
const napsMs = [100, 500, 2000, 5000];
const longestNapMs = 10_000;

/** Writes how a run ended, or what it waits for. Retries until that succeeds. Never rejects. */
export async function writeEnding(
  { store, clock, log, claim, programs, stopping }: RunContext,
  ending: RunEnding,
): Promise<void> {
  const { runId } = claim;
  const workedMs = Math.round(clock.monotonicMs() - programs.startMs);
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
      // The next start of the server ends a run that is left open here.
      if (stopping.aborted) return;
      await clock.sleep(napsMs[failures] ?? longestNapMs, stopping).catch(() => {});
    }
  }
}

/** Removes the files of a run that are not kept after this ending. Never rejects. */
export async function tidyAfter(
  { log, limits, run, folder, conversation, removeUnknownFolders }: RunContext,
  ending: RunEnding | undefined,
): Promise<void> {
  // The next part of the run needs all files.
  if (ending?.state === 'BLOCKED' || (ending?.state === 'QUEUED' && run.continuation !== undefined)) return;
  try {
    const keeps = limits.keep_workspace_minutes > 0 ? 'workspace' : 'nothing';
    await tidyRunFolder(folder, { keeps: conversation.isKept ? 'conversation' : keeps });
    await removeUnknownFolders();
  } catch (error) {
    log('warn', 'could not remove the folder of a run', { run: run.runId, error: describeError(error) });
  }
}
