import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createProcessExecutor } from '../../src/server/executor/process-executor.ts';
import { createGitHubSkills, type GitHubSkillSettings } from '../../src/server/skills/github-skills.ts';
import { type GitHostServer, git, openGitHost } from './git-host.ts';

/**
 * A file: its text or bytes, or those with another mode than that of a regular file. Of a submodule the content is
 * the commit.
 */
export type HostFile = string | Uint8Array | { readonly mode: string; readonly content: string };

export interface SkillHost extends GitHostServer {
  /** Replaces all files of a repository with a new commit. Returns its id. */
  commit(repository: string, files: Readonly<Record<string, HostFile>>): string;
  /** Options for reading skills from it. */
  settings(more?: Partial<GitHubSkillSettings> & { readonly token?: string }): GitHubSkillSettings;
}

/** Repositories with skills, on a free loopback port. Removed after the test. */
export async function openSkillHost(options: Parameters<typeof openGitHost>[0] = {}): Promise<SkillHost> {
  const server = await openGitHost(options);
  return {
    ...server,
    commit(repository, files) {
      const folder = join(server.root, `${repository.toLowerCase()}.git`);
      mkdirSync(folder, { recursive: true });
      if (!existsSync(join(folder, 'HEAD'))) git(folder, 'init', '--quiet', '--bare', '--initial-branch=main');
      const parent = git(folder, 'for-each-ref', 'refs/heads/main') === '' ? '' : 'from refs/heads/main^0\n';
      const stream = [
        `commit refs/heads/main\ncommitter octo <octo@example.com> 0 +0000\ndata 0\n${parent}deleteall\n`,
        ...Object.entries(files).flatMap(([path, file]) => printFile(path, file)),
      ];
      execFileSync('git', ['fast-import', '--quiet'], {
        cwd: folder,
        input: Buffer.concat(stream.map(part => Buffer.from(part))),
      });
      return git(folder, 'rev-parse', 'refs/heads/main');
    },
    settings: ({ token, ...more } = {}) => ({
      repositories: ['octo-org/*'],
      url: server.url,
      git: { hosts: token === undefined ? {} : { [server.host]: { token, apiUrl: server.url } }, env: {} },
      ...more,
    }),
  };
}

/** Skills as a server with this data folder reads them. */
export function openGitHubSkills(settings: GitHubSkillSettings, dataDir: string) {
  const executor = createProcessExecutor({ serverId: `skills-test-${process.pid}`, watchdog: false });
  onTestFinished(() => executor.close());
  return createGitHubSkills(settings, { executor, dataDir, searchPath: process.env.PATH ?? '' });
}

function printFile(path: string, file: HostFile): readonly (string | Uint8Array)[] {
  const { mode, content } =
    typeof file === 'string' || file instanceof Uint8Array ? { mode: '100644', content: file } : file;
  if (mode === '160000') return [`M ${mode} ${content} ${path}\n`];
  const bytes = Buffer.from(content);
  return [`M ${mode} inline ${path}\ndata ${bytes.length}\n`, bytes, '\n'];
}
