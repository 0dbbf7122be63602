import { createHash } from 'node:crypto';

/** A repository that an environment brings. */
export interface Repository {
  /** The end of its address: `owner/repo`, or a name alone where there is no more. */
  readonly name: string;
  /** https, http or file; never with a credential in it. */
  readonly url: string;
  /** Branch, tag, full ref or commit; undefined: the branch that the host shows first. */
  readonly ref: string | undefined;
  /** Folder below the workspace, with slashes; `.` is the workspace itself. */
  readonly path: string;
  /** How many commits of the past are cloned; 0: all, and all branches. @default 1 */
  readonly depth?: number | undefined;
}

/** What runs can work in, resolved from the configuration. */
export interface Environment {
  readonly uid: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly repositories: readonly Repository[];
  /** Commands for bash, one after another, before the agent begins. */
  readonly setup: readonly string[];
  /** Variables that setup commands and the agent get. */
  readonly env: Readonly<Record<string, string>>;
  /** Image of the containers that setup commands and the agent run in; undefined: that of the server, if it has one. */
  readonly image?: string | undefined;
  readonly publish: 'none' | 'branch' | 'pull_request';
  /** The branch that pull requests ask to be merged into; undefined: the one that was checked out, else the usual one. */
  readonly publishBase: string | undefined;
  /** When the configuration was last changed, in ms. */
  readonly updatedAt: number;
}

/** A token for a repository, `owner/repo`. Throws Error with a sentence, or the signal's reason. */
export type MakeToken = (repository: string, signal: AbortSignal) => Promise<string>;

/** How to speak with a host of repositories. */
export interface GitHost {
  /** One for all repositories, or what makes one for each. */
  readonly token: string | MakeToken;
  /** Root of its API, without a slash at its end. */
  readonly apiUrl: string;
}

export interface GitSettings {
  /** By host, with its port where that is not the usual one. */
  readonly hosts: Readonly<Record<string, GitHost>>;
  /** Variables for proxies and authorities, for git alone. */
  readonly env: Readonly<Record<string, string>>;
}

export const tokenOf = async ({ token }: GitHost, ...asked: Parameters<MakeToken>): Promise<string> =>
  typeof token === 'string' ? token : await token(...asked);

const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const uidLength = 22;

/** 22 letters and digits, as the public service has them: the same for the same name, on every server. */
export function makeEnvironmentUid(name: string): string {
  let rest = BigInt(`0x${createHash('sha256').update(`environment ${name}`).digest('hex')}`);
  let uid = '';
  for (let place = 0; place < uidLength; place += 1) {
    uid += digits[Number(rest % 62n)];
    rest /= 62n;
  }
  return uid;
}

/** By uid or by name. */
export function findEnvironment(environments: readonly Environment[], uidOrName: string): Environment | undefined {
  return environments.find(({ uid }) => uid === uidOrName) ?? environments.find(({ name }) => name === uidOrName);
}

/** By `owner/repo`, whatever the case. */
export function findRepository(environment: Environment, name: string): Repository | undefined {
  return environment.repositories.find(repository => repository.name.toLowerCase() === name.toLowerCase());
}
