import { redactValue } from '../../border/secrets.ts';
import { describeError } from '../error-text.ts';
import type { RunEnding } from '../store/store.ts';
import { takeArtifacts } from './artifact-files.ts';
import { finishWithin } from './bounded-work.ts';
import type { RunContext } from './run-context.ts';

/**
 * Adds the artifacts after any ending: files of a failed run may explain the failure. A BLOCKED run still works on
 * them.
 */
export async function addArtifacts(context: RunContext, ending: RunEnding | undefined): Promise<RunEnding | undefined> {
  if (ending === undefined || ending.state === 'BLOCKED' || ending.state === 'QUEUED') return ending;
  const { dataDir, run, folder, events, log, progress } = context;
  // Names of files from an earlier part of the run cannot be redacted before the agent's secrets are known.
  if (progress.redactor === undefined) return { ...ending, artifacts: progress.published };
  const { redact } = progress.redactor;
  try {
    const taking = takeArtifacts(folder, { dataDir, runId: run.runId, patch: progress.patches });
    const nothing = { artifacts: [], leftOut: undefined };
    const { artifacts, leftOut } = await finishWithin(context, 'its artifacts', taking, nothing);
    if (leftOut !== undefined) await events.writeWarning(redact(leftOut));
    return { ...ending, artifacts: [...progress.published, ...redactValue(artifacts, redact)] };
  } catch (error) {
    log('warn', 'could not keep the artifacts of a run', { run: run.runId, error: describeError(error) });
    await events.writeWarning('could not keep the artifacts of the run').catch(() => {});
    return { ...ending, artifacts: progress.published };
  }
}
