import { RunFailure } from '../run-failure.ts';
import { explainGit } from '../workspace/git-host.ts';
import type { GitOutcome } from '../workspace/run-git.ts';

/** Why a repository gave no skills. `resource_unavailable` may be temporary, so a kept copy may be used meanwhile. */
export class GitHubFault extends RunFailure {}

const settings = 'skills.github.token or git.hosts';

/**
 * Turns git's words about a host into a fault. Without a token, hosts do not say whether a repository is missing or
 * private.
 */
export function readHostFault(outcome: GitOutcome, host: string, hasToken: boolean): GitHubFault {
  const { end, output } = outcome;
  if (end.kind === 'not_started') {
    const { message } = end;
    const hint = message.startsWith('cannot start "git"')
      ? ". Install git on the server's machine or in its image"
      : '';
    // Other failures mean that no token could be made for a GitHub App.
    const isDown = /did not answer|answered 5\d\d/.test(message);
    return new GitHubFault(isDown ? 'resource_unavailable' : 'environment_setup_failed', `${message}${hint}`);
  }
  const status = Number(/returned error: (\d{3})/.exec(output)?.[1] ?? 0);
  const said = explainGit(outcome);
  if (status >= 300 && status < 400)
    return new GitHubFault('resource_not_found', `it has been renamed (${host} answered ${status})`);
  if (status === 429 || /rate limit/i.test(output))
    return new GitHubFault('resource_unavailable', `${host} limits the rate of requests${said}`);
  const wantsToken = /could not read Username|Authentication failed/.test(output);
  if (wantsToken && hasToken)
    return new GitHubFault('environment_setup_failed', `${host} rejected the token; set another one in ${settings}`);
  if (wantsToken || /not found/i.test(output)) {
    const hint = hasToken
      ? `its token, set in ${settings}, needs read access to it`
      : `a private repository needs a token, named in ${settings}`;
    return new GitHubFault('resource_not_found', `${host} has no such repository; ${hint}`);
  }
  if (status >= 400 && status < 500)
    return new GitHubFault('environment_setup_failed', `${host} answered ${status}${said}`);
  const what = status === 0 ? 'cannot be reached' : `answered ${status}`;
  return new GitHubFault('resource_unavailable', `${host} ${what}${said}`);
}
