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

/** A host that sends nothing for so long is given up. */
const silenceSeconds = 120;

/**
 * Runs git against the host of an address. The host's token stands in the environment of this one process and of those that it starts, for this
 * host alone: redirects are not followed. Nothing that a repository brings is executed by such a process, so give it none that an agent had.
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
  // A host may repeat what it was sent.
  return { end, output: token === undefined ? output : redactTail(output, [token, credential]) };
}

/** What comes behind a sentence on what git did not do: why, and what to do where that is known. */
export function explainGit({ end, output }: GitOutcome): string {
  if (end.kind === 'not_started') return `. ${end.message}`;
  const said = describeCause(output, 'git');
  if (/returned error: 30[1-8]/.test(output))
    return `${said}. Redirects are not followed: use the address that it leads to`;
  if (/could not read Username/.test(output)) return `${said}. The host asks for a token: set one under git.hosts`;
  return said;
}

function redactTail(text: string, secrets: readonly string[]): string {
  // What was cut may begin within one of them.
  const margin = utf8Bytes(text) > outputBytesMax - 4 ? Math.max(...secrets.map(secret => secret.length)) : 0;
  return createRedactor(secrets).redact(text).slice(margin);
}
