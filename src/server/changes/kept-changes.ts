/** What happens to a run's changes after its agent has ended. */

import type { Clock } from '../../base/clock.ts';
import { counted } from '../../base/text.ts';
import { printRunText, wholeText } from '../../contract/tables/run-text.ts';
import type { Environment } from '../environments/environment.ts';
import { describeError } from '../error-text.ts';
import type { Log } from '../log.ts';
import { endWithCode, RunFailure, RunStopped } from '../run-failure.ts';
import type { KeptBaseline } from '../store/continuation.ts';
import type { RunEnding } from '../store/store.ts';
import type { Clone } from '../workspace/environment-clone.ts';
import type { GitParts } from '../workspace/run-git.ts';
import type { PatchFile } from './patch-file.ts';
import { type Changes, type Patch, patchName, writePatches } from './workspace-changes.ts';
import { type PublishParts, publishChanges } from './workspace-publish.ts';

/** Limit on names of work outside the patch. An agent can make thousands. */
const namedMax = 20;

interface ChangesParts extends PublishParts {
  readonly log: Log;
  /** Warns the caller about lost work. */
  readonly warn: (text: string) => Promise<void>;
}

/** The snapshot to compare the workspace with. */
interface Compared {
  /** Before this run began. */
  readonly own: readonly KeptBaseline[];
  /** Before the first run of the conversation began. A branch begins at the commit that was cloned then. */
  readonly first: readonly KeptBaseline[];
  readonly isPublished: boolean;
  /** Opens the file for the patches. */
  readonly openFile: () => Promise<PatchFile>;
}

interface KeptChanges {
  /** Changes of the run, which become an artifact. */
  readonly own: readonly Patch[];
  /** Changes to publish: those of the whole conversation. */
  readonly published: Changes;
}

/** Finds the run's changes. Never throws: the run has ended and its outcome is known. */
export async function keepChanges(
  git: GitParts,
  { own, first, isPublished, openFile }: Compared,
  { warn, log, run: { runId } }: Pick<ChangesParts, 'warn' | 'log' | 'run'>,
): Promise<KeptChanges> {
  if (own.length === 0 && first.length === 0)
    return { own: [], published: { patches: [], lost: undefined, outside: [] } };
  try {
    const file = await openFile();
    const found = await writePatches(git, own, file);
    if (found.lost !== undefined) await warn(found.lost);
    if (found.outside.length > 0) await warn(`not in ${patchName}: ${nameFew(found.outside)}`);
    const published = isPublished && first !== own ? await writePatches(git, first, file) : found;
    return { own: found.patches, published };
  } catch (error) {
    if (error instanceof RunStopped) return keptNothing('could not keep the changes in the workspace');
    if (!(error instanceof RunFailure))
      log('warn', 'could not keep the changes of a run', { run: runId, error: describeError(error) });
    const why = error instanceof RunFailure ? `: ${error.message}` : '';
    const lost = `the changes of the workspace could not be made into ${patchName}${why}`;
    await warn(lost).catch(() => {});
    return keptNothing(lost);
  }
}

function nameFew(names: readonly string[]): string {
  const more = names.length > namedMax ? `; and ${counted(names.length - namedMax, 'other')}` : '';
  return `${names.slice(0, namedMax).join('; ')}${more}`;
}

export function keptNothing(lost: string): KeptChanges {
  return { own: [], published: { patches: [], lost, outside: [] } };
}

/** A filter of the repository may take long. Log that, because the agent prints nothing any more. */
export async function logIfSlow<T>(
  work: Promise<T>,
  { clock, slowMs, writeLog }: { readonly clock: Clock; readonly slowMs: number } & Pick<ChangesParts, 'writeLog'>,
): Promise<T> {
  const over = new AbortController();
  const logging = clock
    .sleep(slowMs, over.signal)
    .then(() => writeLog(`the agent has ended; git is still collecting its changes for ${patchName}`))
    .catch(() => {});
  try {
    return await work;
  } finally {
    over.abort();
    await logging;
  }
}

/**
 * Publishes the changes of a successful run if its environment says so. If a requested pull request cannot be opened,
 * the run fails, but keeps its result. Throws errors of `execute` when the run is given up.
 */
export async function publishSuccess(
  ending: RunEnding | undefined,
  {
    environment,
    clones,
    changes,
    hasSurvivors,
  }: {
    readonly environment: Environment | undefined;
    readonly clones: readonly Clone[];
    readonly changes: Changes;
    readonly hasSurvivors: boolean;
  },
  parts: PublishParts,
): Promise<RunEnding | undefined> {
  if (ending?.state !== 'SUCCEEDED' || environment === undefined || environment.publish === 'none') return ending;
  // A pull request's readers see nothing else of the run.
  const resultText = printRunText(ending.result ?? wholeText(''));
  try {
    if (hasSurvivors)
      throw new RunFailure('publish_failed', 'a process of the agent could not be killed, and would see the token');
    await publishChanges({ environment, clones, changes, resultText }, parts);
    return ending;
  } catch (error) {
    if (!(error instanceof RunFailure)) throw error;
    const message = `the agent succeeded, but publishing its changes failed: ${error.message}`;
    return endWithCode(error.code, message, ending.result);
  }
}
