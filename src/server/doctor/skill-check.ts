import type { ServerConfig } from '../config.ts';
import { createGitHubApi, type GitHubApi } from '../worker/github-api.ts';
import { GitHubFault } from '../worker/github-fault.ts';
import type { Finding } from './finding.ts';

/** Asks GitHub for each repository that skills are read from, and for each owner, with the token that they are read with; one after another. */
export async function* checkGitHubSkills(
  { githubSkills }: Pick<ServerConfig, 'githubSkills'>,
  answerMs = 20_000,
): AsyncGenerator<Finding> {
  if (githubSkills === undefined) return;
  const api = createGitHubApi(githubSkills);
  for (const name of githubSkills.repositories) {
    const subject = `skills of ${name}`;
    const fault = await findFault(api, name, AbortSignal.timeout(answerMs));
    yield fault === undefined
      ? { subject, status: 'ok', text: githubSkills.apiUrl }
      : {
          subject,
          status: 'fail',
          text: fault,
          remedy: 'fix skills.github, or make sure that this machine and its token can read it',
        };
  }
}

async function findFault(api: GitHubApi, name: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    if (name.endsWith('/*')) await api.readOwner(name.slice(0, -2), signal);
    else await api.readHead(name, undefined, signal);
    return undefined;
  } catch (error) {
    if (error instanceof GitHubFault) return error.message;
    if (signal.aborted) return 'GitHub did not answer in time';
    throw error;
  }
}
