import { createHash } from 'node:crypto';

export interface Repository {
  /** The end of its address: `owner/repo`, or a single name. */
  readonly name: string;
  /** https, http or file, never with a credential. */
  readonly url: string;
  /** Branch, tag, full ref or commit; undefined uses the host's default branch. */
  readonly ref: string | undefined;
  /** Folder below the workspace, with slashes; `.` is the workspace itself. */
  readonly path: string;
  /** Number of commits to clone; 0 clones all commits and branches. @default 1 */
  readonly depth?: number | undefined;
}

/** A resolved environment of the configuration. */
export interface Environment {
  readonly uid: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly repositories: readonly Repository[];
  /** Commands for bash, run one after another before the agent. */
  readonly setup: readonly string[];
  /** Variables for setup commands and the agent. */
  readonly env: Readonly<Record<string, string>>;
  /** Container image for setup commands and the agent; undefined uses the server's, if any. */
  readonly image?: string | undefined;
  readonly publish: 'none' | 'branch' | 'pull_request';
  /** Base branch of pull requests; undefined uses the checked-out branch, otherwise the default branch. */
  readonly publishBase: string | undefined;
  /** When the configuration was last changed, in ms. */
  readonly updatedAt: number;
}

/** Makes a token for a repository, `owner/repo`. Throws Error with a sentence, or the signal's reason. */
export type MakeToken = (repository: string, signal: AbortSignal) => Promise<string>;

/** Access to a host of repositories. */
export interface GitHost {
  /** One token for all repositories, or a function that makes one for each. */
  readonly token: string | MakeToken;
  /** Root of its API, without a trailing slash. */
  readonly apiUrl: string;
}

export interface GitSettings {
  /** By host, with its port unless that is the default. */
  readonly hosts: Readonly<Record<string, GitHost>>;
  /** Variables for proxies and certificate authorities, for git alone. */
  readonly env: Readonly<Record<string, string>>;
}

export const tokenOf = async ({ token }: GitHost, ...asked: Parameters<MakeToken>): Promise<string> =>
  typeof token === 'string' ? token : await token(...asked);

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const uidLength = 22;

/** 22 letters and digits, as in the public service. The same name has the same uid on every server. */
export function makeEnvironmentUid(name: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(`environment ${name}`).digest('hex')}`);
  let uid = '';
  for (let place = 0; place < uidLength; place += 1) {
    uid += digits[Number(rest % 62n)];
    rest /= 62n;
  }
  return uid;
}

export function findEnvironment(environments: readonly Environment[], uidOrName: string): Environment | undefined {
  return environments.find(({ uid }) => uid === uidOrName) ?? environments.find(({ name }) => name === uidOrName);
}

/** By `owner/repo`, ignoring case. */
export function findRepository(environment: Environment, name: string): Repository | undefined {
  return environment.repositories.find(repository => repository.name.toLowerCase() === name.toLowerCase());
}
