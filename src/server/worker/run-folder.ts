import { execFile } from 'node:child_process';
import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';

/** The folders of one run, all of mode 700. Only `workspace` may be kept after its end. */
export interface RunFolder {
  readonly root: string;
  readonly workspace: string;
  /** False where the workspace is the configured one, which is neither made nor removed. */
  readonly hasOwnWorkspace: boolean;
  /** For the harness's own files. */
  readonly state: string;
  readonly home: string;
  readonly temporary: string;
  /** What the program leaves here becomes the run's artifacts. */
  readonly artifacts: string;
  /** What the program writes here becomes the run's result. In a folder of its own, which a container can be given. */
  readonly resultFile: string;
}

const runsFolder = 'runs';

/** Makes the folders of a run anew; what an earlier attempt left is removed. */
export async function createRunFolder(folder: RunFolder): Promise<void> {
  const { root, workspace, hasOwnWorkspace, state, home, temporary, artifacts, resultFile } = folder;
  await removeFolder(root);
  for (const path of [state, home, temporary, artifacts, dirname(resultFile), ...(hasOwnWorkspace ? [workspace] : [])])
    await mkdir(path, { recursive: true, mode: 0o700 });
}

/** `workspace` is the configured one. */
export function locateRunFolder(dataDir: string, runId: string, workspace?: string): RunFolder {
  const root = join(dataDir, runsFolder, runId);
  return {
    root,
    workspace: workspace ?? join(root, 'workspace'),
    hasOwnWorkspace: workspace === undefined,
    state: join(root, 'state'),
    home: join(root, 'home'),
    temporary: join(root, 'tmp'),
    artifacts: join(root, 'artifacts'),
    resultFile: join(root, 'result', 'result.md'),
  };
}

/** Copies of skills that an agent reads when it needs them. */
export function placedSkillsFolder({ root }: Pick<RunFolder, 'root'>): string {
  return join(root, 'skills');
}

/** Removes everything of a run but its workspace. A program that put a link in place of the folder loses the link. */
export async function keepWorkspace({ root, workspace }: RunFolder): Promise<void> {
  const isFolder = (await lstat(root).catch(() => undefined))?.isDirectory() ?? false;
  if (!isFolder) return await removeFolder(root);
  for (const name of await readdir(root)) if (join(root, name) !== workspace) await removeFolder(join(root, name));
}

/**
 * Removes the folders of runs that ended longer ago than `keepMs`, but for those in hand; how many. One that cannot be removed, as a file of another user, is told of and
 * keeps none of the others.
 */
export async function removeStaleFolders({
  dataDir,
  keepMs,
  now,
  isInHand = () => false,
  onFailure,
}: {
  readonly dataDir: string;
  readonly keepMs: number;
  readonly now: number;
  readonly isInHand?: (runId: string) => boolean;
  readonly onFailure: (runId: string, error: unknown) => void;
}): Promise<number> {
  let removed = 0;
  for (const runId of await readdir(join(dataDir, runsFolder)).catch(() => [])) {
    if (isInHand(runId)) continue;
    const folder = locateRunFolder(dataDir, runId);
    try {
      // Of the times of a folder a program can set all but this one.
      const { ctimeMs } = await lstat(folder.root);
      if (keepMs > 0 && now - ctimeMs < keepMs) await keepWorkspace(folder);
      else {
        await removeFolder(folder.root);
        removed += 1;
      }
    } catch (error) {
      onFailure(runId, error);
    }
  }
  return removed;
}

/** Removes a folder whatever a program did to it: folders without permissions, or nested deeper than a path can be long. */
export async function removeFolder(path: string): Promise<void> {
  try {
    await rm(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 50 });
  } catch {
    const run = promisify(execFile);
    const options = { env: { PATH: '/usr/bin:/bin' } };
    await run('chmod', ['-R', 'u+rwx', '--', path], options).catch(() => {});
    await run('rm', ['-rf', '--', path], options);
  }
}
