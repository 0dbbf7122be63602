/** Gets tokens from a GitHub App's host. Each is for one repository and lives for an hour. */
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

/** Minimum remaining life of a token that is handed out, because git may need it that long. */
const spareMs = 5 * 60_000;

/** Caches one token per repository and replaces it before it expires. */
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
  // Octokit's `auth` is not used: it caches by installation, across Apps and hosts.
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

/** Text after the name of the App. */
function describeAppFault(
  error: unknown,
  { apiUrl, repository }: { readonly apiUrl: string; readonly repository: string },
): string {
  // A host may repeat the credential that the App sent.
  const refused = describeRefusal(error, redactWebTokens);
  // GitHub's message for an unknown App id.
  const isUnknown = refused !== undefined && /integration not found/i.test(refused);
  if (statusOf(error) === 401 || isUnknown)
    return `does not have this private key: ${refused}. Set \`id\` to the ID of the App, and \`private_key\` to the variable with a key of it`;
  if (statusOf(error) === 404)
    return `is not installed on ${repository}. Install it there, or add the repository to its installation`;
  const why = describeRedirect(error, apiUrl) ?? refused ?? describeFault(error, { apiUrl, redact: redactWebTokens });
  return `got no token for ${repository}: ${why}`;
}
