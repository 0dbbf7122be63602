import { messageOf } from '../../base/cause.ts';
import { createRedactor } from '../../border/secrets.ts';
import { utf8Bytes } from '../../contract/tables/sizes.ts';
import { type GitSettings, tokenOf } from '../environments/environment.ts';
import { readAddress } from '../environments/repository-address.ts';
import { describeCause } from '../harness/ending-text.ts';
import { type GitMore, type GitOutcome, type GitParts, outputBytesMax, runGit } from './run-git.ts';

export interface HostParts extends GitParts {
  readonly git: GitSettings;
  readonly signal: AbortSignal;
}

/** Git gives up on a host that sends nothing for this long. */
const silenceSeconds = 120;

/**
 * Runs git against the host of an address. The host's token is in the environment of this process and its children
 * only, and for this host only: redirects are not followed. Such a process executes nothing from a repository, so
 * never give it one that an agent had.
 */
export async function runHostGit(
  { git, signal, ...parts }: HostParts,
  url: string,
  args: readonly string[],
): Promise<GitOutcome> {
  const { protocol, host, origin } = new URL(url);
  const known = git.hosts[host];
  let token: string | undefined;
  try {
    token = known && (await tokenOf(known, readAddress(url).name, signal));
  } catch (error) {
    signal.throwIfAborted();
    return {
      end: { kind: 'not_started', message: messageOf(error) },
      output: '',
    };
  }
  const credential = Buffer.from(`x-access-token:${token}`).toString('base64');
  const config: NonNullable<GitMore['config']> = [
    ['protocol.allow', 'never'],
    [`protocol.${protocol.slice(0, -1)}.allow`, 'always'],
    ['http.followRedirects', 'false'],
    ['http.lowSpeedLimit', '1'],
    ['http.lowSpeedTime', String(silenceSeconds)],
    ...(token === undefined ? [] : ([[`http.${origin}/.extraHeader`, `Authorization: Basic ${credential}`]] as const)),
  ];
  const { end, output } = await runGit(parts, args, { env: git.env, config });
  // A host may echo what it received.
  return { end, output: token === undefined ? output : redactTail(output, [token, credential]) };
}

/** The rest of a sentence about a failed git command: why it failed and, if known, what to do. */
export function explainGit({ end, output }: GitOutcome): string {
  if (end.kind === 'not_started') return `. ${end.message}`;
  const said = describeCause(output, 'git');
  if (/returned error: 30[1-8]/.test(output))
    return `${said}. Redirects are not followed: use the address that it leads to`;
  if (/could not read Username/.test(output)) return `${said}. The host asks for a token: set one under git.hosts`;
  return said;
}

function redactTail(text: string, secrets: readonly string[]): string {
  // Truncated output may begin inside a secret.
  const margin = utf8Bytes(text) > outputBytesMax - 4 ? Math.max(...secrets.map(secret => secret.length)) : 0;
  return createRedactor(secrets).redact(text).slice(margin);
}
