import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Where a job lives. Everything but a workspace that was given lies in `root` and goes with it. */
export interface JobFolders {
  readonly root: string;
  readonly workspace: string;
  readonly workspaceParent: string;
  /** RUNNER_TEMP. */
  readonly temp: string;
  readonly toolCache: string;
  readonly home: string;
  /** The system's temporary folder as programs of the job see it. */
  readonly scratch: string;
}

export async function createJobFolders(request: {
  readonly repository: string;
  readonly workspace: string | undefined;
}): Promise<JobFolders> {
  const root = await mkdtemp(join(await realpath(tmpdir()), 'fake-runner-'));
  const name = request.repository.split('/').at(-1) ?? 'work';
  const workspace = resolve(request.workspace ?? join(root, 'work', name, name));
  const folders = {
    root,
    workspace,
    workspaceParent: dirname(workspace),
    temp: join(root, 'work', '_temp'),
    toolCache: join(root, 'tools'),
    home: join(root, 'home'),
    scratch: join(root, 'tmp'),
  };
  for (const folder of Object.values(folders)) await mkdir(folder, { recursive: true });
  return folders;
}

/** Tries a few times: a program that was just killed may still be letting go of a file. */
export async function removeJobFolders(folders: JobFolders): Promise<void> {
  await rm(folders.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
