import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** The folders of a job. All except a given workspace are in `root` and are removed with it. */
export interface JobFolders {
  readonly root: string;
  readonly workspace: string;
  readonly workspaceParent: string;
  /** RUNNER_TEMP. */
  readonly temp: string;
  readonly toolCache: string;
  readonly home: string;
  /** The system's temporary folder for programs of the job. */
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

/** Tries a few times: a program that was just killed may still hold a file. */
export async function removeJobFolders(folders: JobFolders): Promise<void> {
  await rm(folders.root, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
