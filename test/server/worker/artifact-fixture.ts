import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createTempFolder } from '../../support/temp-folder.ts';
import type { Bench, Ended } from './worker-fixture.ts';

export const script = (text: string) => `\`\`\`sh\n${text}\n\`\`\``;

export function kept({ dataDir }: Bench, { run }: Ended, filename: string): Promise<string> {
  const artifact = run.artifacts.find(({ data }) => data.filename === filename);
  return readFile(join(dataDir, 'artifacts', run.runId, String(artifact?.data.artifact_uid)), 'utf8');
}

/** A repository with one commit, as a checkout of a job. */
export function createRepository(): string {
  const folder = createTempFolder();
  const git = (...args: readonly string[]) => execFileSync('git', args, { cwd: folder, stdio: 'pipe' });
  git('init', '--quiet', '--initial-branch=main');
  execFileSync(
    'sh',
    ['-c', 'echo one > a.txt; printf "\\0\\1" > b.bin; echo built > .gitignore; echo old > gone.txt'],
    {
      cwd: folder,
    },
  );
  git('add', '--all');
  git('-c', 'user.name=octo', '-c', 'user.email=octo@example.com', 'commit', '--quiet', '--message=first');
  return folder;
}
