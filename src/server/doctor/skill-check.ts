import type { ServerConfig } from '../config/server-config.ts';
import { GitHubFault } from '../skills/github-fault.ts';
import { readHead } from '../skills/github-tree.ts';
import { inPassingFolder } from '../workspace/run-folder.ts';
import { executeWithin } from './environment-check.ts';
import type { Finding } from './finding.ts';

/** Asks GitHub for each repository with skills, with the token of the runs, one after another. */
export async function* checkGitHubSkills(
  { githubSkills }: Pick<ServerConfig, 'githubSkills'>,
  searchPath: string,
  answerMs = 20_000,
): AsyncGenerator<Finding> {
  if (githubSkills === undefined) return;
  const { repositories, url, git } = githubSkills;
  const parts = { searchPath, git, execute: executeWithin(answerMs), signal: new AbortController().signal };
  for (const name of repositories) {
    const subject = `skills of ${name}`;
    const fault = name.endsWith('/*')
      ? undefined
      : await inPassingFolder(folder => readHead({ ...parts, folder, url: `${url}/${name}.git` })).then(
          () => undefined,
          (error: unknown) => {
            if (error instanceof GitHubFault) return error.message;
            throw error;
          },
        );
    yield fault === undefined
      ? { subject, status: 'ok', text: url }
      : {
          subject,
          status: 'fail',
          text: fault,
          remedy: 'fix skills.github, or make sure that this machine and its token can read it',
        };
  }
}
