/** Tokens that a GitHub App has its host make: each is for one repository and lives for an hour. */
import { systemClock } from '../../base/clock.ts';
import { redactWebTokens } from '../../border/secrets.ts';
import type { MakeToken } from './environment.ts';
import { describeFault, describeRedirect, describeRefusal, loadOctokit, NoAnswer, statusOf } from './github-request.ts';

export interface GitHubApp {
  readonly id: number;
  /** PEM. */
  readonly privateKey: string;
  readonly apiUrl: string;
}

/** A token that expires sooner is not given out: git may need it for as long. */
const spareMs = 5 * 60_000;

/** Makes one token for each repository, and another one when that is about to expire. */
export function createAppTokens({ id, privateKey, apiUrl }: GitHubApp): MakeToken {
  const kept = new Map<string, Awaited<ReturnType<typeof makeToken>>>();
  return async (repository, signal) => {
    const known = kept.get(repository);
    if (known !== undefined && systemClock.now() < known.expiresAt - spareMs) return known.token;
    try {
      const made = await makeToken({ id, privateKey, apiUrl }, repository, signal);
      kept.set(repository, made);
      return made.token;
    } catch (error) {
      signal.throwIfAborted();
      throw new Error(`GitHub App ${id} ${describeAppFault(error, { apiUrl, repository })}`, { cause: error });
    }
  };
}

async function makeToken({ id, privateKey, apiUrl }: GitHubApp, repository: string, signal: AbortSignal) {
  const { App, ...options } = await loadOctokit(apiUrl);
  // Not by its `auth`, which keeps what it asks for by installation, whatever the App and the host are.
  const { apps } = new App({ appId: id, privateKey, ...options }).octokit.rest;
  const [owner = '', repo = ''] = repository.split('/');
  const request = { signal };
  const { data: installation } = await apps.getRepoInstallation({ owner, repo, request });
  const { data } = await apps.createInstallationAccessToken({
    installation_id: installation.id,
    repositories: [repo],
    request,
  });
  const expiresAt = Date.parse(data.expires_at);
  if (!/^[\x21-\x7e]+$/.test(data.token) || Number.isNaN(expiresAt)) throw new NoAnswer('token');
  return { token: data.token, expiresAt };
}

/** What comes behind the name of the App. */
function describeAppFault(
  error: unknown,
  { apiUrl, repository }: { readonly apiUrl: string; readonly repository: string },
): string {
  // A host may repeat what the App signs in with.
  const refused = describeRefusal(error, redactWebTokens);
  // GitHub says so of an id that no App has.
  const isUnknown = refused !== undefined && /integration not found/i.test(refused);
  if (statusOf(error) === 401 || isUnknown)
    return `does not have this private key: ${refused}. Set \`id\` to the ID of the App, and \`private_key\` to the variable with a key of it`;
  if (statusOf(error) === 404)
    return `is not installed on ${repository}. Install it there, or add the repository to its installation`;
  const why = describeRedirect(error, apiUrl) ?? refused ?? describeFault(error, { apiUrl, redact: redactWebTokens });
  return `got no token for ${repository}: ${why}`;
}
