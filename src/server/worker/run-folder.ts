import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** The folders of one run, all of mode 700. Only `workspace` may be kept after its end. */
export interface RunFolder {
  readonly root: string;
  readonly workspace: string;
  /** For the harness's own files. */
  readonly state: string;
  readonly home: string;
  readonly temporary: string;
  /** What the program writes here becomes the run's result. */
  readonly resultFile: string;
}

const runsFolder = 'runs';

/** Makes the folders of a run anew; what an earlier attempt left is removed. */
export async function createRunFolder(dataDir: string, runId: string): Promise<RunFolder> {
  const folder = locateRunFolder(dataDir, runId);
  await removeFolder(folder.root);
  for (const path of [folder.workspace, folder.state, folder.home, folder.temporary])
    await mkdir(path, { recursive: true, mode: 0o700 });
  return folder;
}

export function locateRunFolder(dataDir: string, runId: string): RunFolder {
  const root = join(dataDir, runsFolder, runId);
  return {
    root,
    workspace: join(root, 'workspace'),
    state: join(root, 'state'),
    home: join(root, 'home'),
    temporary: join(root, 'tmp'),
    resultFile: join(root, 'result.md'),
  };
}

/** Removes everything of a run but its workspace. The folder's time of change is then the time of the run's end. */
export async function keepWorkspace({ state, home, temporary, resultFile }: RunFolder): Promise<void> {
  for (const path of [state, home, temporary, resultFile]) await removeFolder(path);
}

/** Removes the folders of runs that ended longer ago than `keepMs`, but for those in hand; how many. */
export async function removeStaleFolders({
  dataDir,
  keepMs,
  now,
  isInHand,
}: {
  readonly dataDir: string;
  readonly keepMs: number;
  readonly now: number;
  readonly isInHand: (runId: string) => boolean;
}): Promise<number> {
  let removed = 0;
  for (const runId of await readdir(join(dataDir, runsFolder)).catch(() => [])) {
    const { root } = locateRunFolder(dataDir, runId);
    const changedAt = (await stat(root).catch(() => undefined))?.mtimeMs;
    if (changedAt === undefined || isInHand(runId) || now - changedAt < keepMs) continue;
    await removeFolder(root);
    removed += 1;
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
