import { noSecrets } from '../../border/secrets.ts';
import { keepChanges, keptNothing, logIfSlow, publishSuccess } from '../changes/kept-changes.ts';
import { openPatchFile } from '../changes/patch-file.ts';
import { takeBaselines } from '../changes/workspace-changes.ts';
import type { ContainerPlace, ExecutorCommand } from '../executor/executor.ts';
import type { ArtifactDraft, RunEnding } from '../store/store.ts';
import { markBeginning, reportLeftBehind } from '../workspace/left-behind.ts';
import { placeContainer } from '../workspace/run-container.ts';
import type { GitParts } from '../workspace/run-git.ts';
import { finishWithin } from './bounded-work.ts';
import type { Lateness } from './late-work.ts';
import type { RunContext } from './run-context.ts';
import type { Baselines } from './run-conversation.ts';
import { withoutPath } from './run-programs.ts';
import type { Surroundings } from './run-setup.ts';

/** State of the workspace before the agent worked in it. */
export interface Before {
  readonly baselines: Baselines;
  readonly sinceMs: number;
}

export async function lookBefore(context: RunContext, surroundings: Surroundings): Promise<Before> {
  const { run, folder, programs, conversation } = context;
  const { clones, image, searchPath } = surroundings;
  const { container, adapt } = placeGit(context, surroundings);
  const git: GitParts = {
    folder,
    searchPath,
    execute: (command, onOutput) => programs.executeFully(adapt(command), onOutput, container),
  };
  const baselines = await conversation.begin(clones, () => takeBaselines(git, run.runId, { clones, image }));
  return { baselines, sinceMs: await markBeginning(folder) };
}

/**
 * An agent may have put commands into its clone's git settings. Executed on this machine, they would escape the
 * container, so the git of the image is used.
 */
function placeGit(
  { folder }: RunContext,
  { image }: Surroundings,
): { readonly container: ContainerPlace | undefined; readonly adapt: (command: ExecutorCommand) => ExecutorCommand } {
  return image === undefined
    ? { container: undefined, adapt: command => command }
    : { container: placeContainer(image, folder, { isAgent: true }), adapt: withoutPath };
}

/**
 * Reports work that the agent left outside its repositories, makes the patch, and publishes the changes of a
 * successful run.
 */
export async function keepWork(
  context: RunContext,
  {
    surroundings,
    before: { baselines, sinceMs },
    ending,
    lateness,
  }: {
    readonly surroundings: Surroundings;
    readonly before: Before;
    readonly ending: RunEnding | undefined;
    readonly lateness: Lateness | undefined;
  },
): Promise<RunEnding | undefined> {
  const { folder, events, programs, progress, after } = context;
  const { environment, clones, searchPath } = surroundings;
  const { redact } = progress.redactor ?? noSecrets;
  const leftBehind = { baselines: baselines.own, sinceMs, redact, events };
  const reporting = reportLeftBehind(folder, leftBehind);
  await finishWithin(context, 'what lies outside of its repositories', reporting, undefined);
  const parts = {
    ...context,
    searchPath,
    writeLog: (text: string) => events.writeSystem(redact(text)),
    warn: (text: string) => events.writeWarning(redact(text)),
    onArtifact: (artifact: ArtifactDraft) => void progress.published.push(artifact),
  };
  const isPublished = lateness === undefined && environment !== undefined && environment.publish !== 'none';
  const { container, adapt } = placeGit(context, surroundings);
  const inTime = programs.executeWithin(after.patchMs, { lateness, container });
  const git: GitParts = { folder, searchPath, execute: (command, onOutput) => inTime(adapt(command), onOutput) };
  const openFile = async () => (progress.patchFile = await openPatchFile(folder.root));
  const keeping = keepChanges(git, { ...baselines, isPublished, openFile }, parts);
  const nothing = keptNothing('the changes of the workspace are not known');
  const found = finishWithin(context, 'what it changed', keeping, nothing);
  const kept = await logIfSlow(found, { ...parts, slowMs: after.slowMs });
  progress.patches = kept.own;
  if (lateness !== undefined) return ending;
  const published = { environment, clones, changes: kept.published, hasSurvivors: programs.hasSurvivors };
  const host = { git: context.git, execute: programs.executeWithin(after.publishMs) };
  return await publishSuccess(ending, published, { ...parts, ...host });
}
