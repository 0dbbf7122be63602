/** Resolves the environments of a configuration file and the hosts of their repositories. */
import { createPrivateKey } from 'node:crypto';
import { describeUnsetVariable } from '../../base/variable-name.ts';
import { isRef } from '../environments/checkout.ts';
import {
  type Environment,
  type GitHost,
  type GitSettings,
  makeEnvironmentUid,
  type Repository,
} from '../environments/environment.ts';
import { createAppTokens } from '../environments/github-app.ts';
import { AddressError, isPrivate, readAddress } from '../environments/repository-address.ts';
import type { ConfigFile } from './config-schema.ts';
import type { EnvironmentEntry } from './environment-schema.ts';

type Variables = Readonly<Record<string, string | undefined>>;
type Settings = Pick<ConfigFile, 'environments' | 'git' | 'skills' | 'workspace'>;

/** An invalid setting; the path is its place in the file. */
export class EnvironmentSettingError extends Error {
  override readonly name = 'EnvironmentSettingError';
  readonly path: readonly (string | number)[];

  constructor(path: readonly (string | number)[], message: string) {
    super(message);
    this.path = path;
  }
}

/** Variables that git needs for the network. Agents do not get them. */
const networkVariables = [
  'HTTPS_PROXY',
  'https_proxy',
  'HTTP_PROXY',
  'http_proxy',
  'ALL_PROXY',
  'all_proxy',
  'NO_PROXY',
  'no_proxy',
  'GIT_SSL_CAINFO',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
];

/** Throws EnvironmentSettingError. */
export function readGitSettings({ git }: Settings, env: Variables): GitSettings {
  const hosts = Object.entries(git?.hosts ?? {}).map(([host, { token, app, api_url }]) => {
    const path = ['git', 'hosts', host];
    const apiUrl = (api_url ?? (host === 'github.com' ? 'https://api.github.com' : `https://${host}/api/v3`)).replace(
      /\/+$/,
      '',
    );
    const made =
      app === undefined
        ? readToken(env, token ?? '', [...path, 'token'], host)
        : createAppTokens({
            id: app.id,
            privateKey: readPrivateKey(env, app, [...path, 'app', 'private_key']),
            apiUrl,
          });
    if (!isPrivate(apiUrl))
      throw new EnvironmentSettingError(
        [...path, 'api_url'],
        'the token would be sent unencrypted; use an https:// URL',
      );
    return [host, { token: made, apiUrl }] as const;
  });
  return { hosts: Object.fromEntries<GitHost>(hosts), env: pick(env, networkVariables) };
}

/** Throws EnvironmentSettingError. */
export function readToken(env: Variables, variable: string, path: readonly string[], host: string): string {
  const token = env[variable];
  if (token === undefined)
    throw new EnvironmentSettingError(
      path,
      `${describeUnsetVariable(variable)}; set it to the token for ${host}, or remove this setting`,
    );
  if (!/^[\x21-\x7e]+$/.test(token))
    throw new EnvironmentSettingError(
      path,
      `the variable ${variable} contains spaces or other characters that a token cannot have (its value is not shown)`,
    );
  return token;
}

/** GitHub's keys are RSA. Line ends may be written as `\n`, as in .env files. */
function readPrivateKey(
  env: Variables,
  { id, private_key: variable }: { readonly id: number; readonly private_key: string },
  path: readonly string[],
): string {
  const text = env[variable];
  if (text === undefined)
    throw new EnvironmentSettingError(
      path,
      `${describeUnsetVariable(variable)}; set it to a private key of GitHub App ${id}, or remove the host`,
    );
  try {
    const key = createPrivateKey(text.replaceAll('\\n', '\n'));
    if (key.asymmetricKeyType === 'rsa') return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  } catch {
    // The parser's own message may quote a part of the key.
  }
  throw new EnvironmentSettingError(
    path,
    `the variable ${variable} does not hold an RSA key in PEM (its value is not shown); set it to the whole text of the file that GitHub created`,
  );
}

/** Throws EnvironmentSettingError. `updatedAt` is when the file was last changed, in ms. */
export function readEnvironments(
  settings: Settings,
  { env, git, updatedAt }: { readonly env: Variables; readonly git: GitSettings; readonly updatedAt: number },
): readonly Environment[] {
  const entries = Object.entries(settings.environments ?? {});
  if (entries.length > 0 && settings.workspace !== undefined)
    throw new EnvironmentSettingError(
      ['environments'],
      'cannot be combined with `workspace`, the folder that all runs share; remove one of the two',
    );
  const hosts = Object.values(settings.git?.hosts ?? {});
  const secrets = new Map([
    [settings.skills?.github?.token, 'the token of skills.github'],
    ...hosts.map(({ token }) => [token, 'the token of git.hosts'] as const),
    ...hosts.map(({ app }) => [app?.private_key, 'the private key of git.hosts'] as const),
  ]);
  return entries.map(([name, entry]) => {
    const fault = (path: readonly (string | number)[], message: string) =>
      new EnvironmentSettingError(['environments', name, ...path], message);
    for (const [index, variable] of entry.env.entries())
      if (secrets.has(variable))
        throw fault(
          ['env', index],
          `${variable} holds ${secrets.get(variable)}, which agents never get; give the agent a token of its own in another variable`,
        );
    if (entry.publish_base !== undefined && !isRef(entry.publish_base))
      throw fault(['publish_base'], `must be a branch name, not ${JSON.stringify(entry.publish_base)}`);
    return {
      uid: makeEnvironmentUid(name),
      name,
      description: entry.description,
      repositories: readRepositories(entry, git, fault),
      setup: entry.setup,
      env: pick(env, entry.env),
      image: entry.docker_image,
      publish: entry.publish,
      publishBase: entry.publish_base,
      updatedAt,
    };
  });
}

type MakeFault = (path: readonly (string | number)[], message: string) => EnvironmentSettingError;

function readRepositories(entry: EnvironmentEntry, { hosts }: GitSettings, fault: MakeFault): readonly Repository[] {
  const isOnly = entry.repositories.length === 1;
  const taken: Repository[] = [];
  for (const [index, { url: text, ref, path, depth }] of entry.repositories.entries()) {
    const at = ['repositories', index] as const;
    const { url, host, name } = readAddressAt(text, [...at, 'url'], fault);
    const hasToken = hosts[host] !== undefined;
    if (hasToken && !isPrivate(url))
      throw fault([...at, 'url'], `the token for ${host} would be sent unencrypted; use the https:// URL`);
    if (entry.publish !== 'none' && !hasToken && (entry.publish === 'pull_request' || host !== ''))
      throw fault(
        ['publish'],
        `\`${entry.publish}\` needs ${host === '' ? 'a host with a token, not a folder' : `a token for ${host}`}; set its variable in git.hosts`,
      );
    if (entry.publish === 'pull_request' && !name.includes('/'))
      throw fault([...at, 'url'], `must include an owner for pull requests, as in https://${host}/octo-org/shop`);
    if (ref !== undefined && !isRef(ref))
      throw fault([...at, 'ref'], `must be the name of a branch or tag, not ${JSON.stringify(ref)}`);
    const folder = path ?? (isOnly ? '.' : name.slice(name.lastIndexOf('/') + 1));
    const where: readonly (string | number)[] = [...at, 'path'];
    if (!isFolder(folder))
      throw fault(where, `must be a folder inside the workspace, such as libs/tools, not ${JSON.stringify(folder)}`);
    for (const other of taken) {
      if (other.name.toLowerCase() === name.toLowerCase())
        throw fault([...at, 'url'], `${name} is listed twice; remove one`);
      if (isWithin(folder, other.path) || isWithin(other.path, folder))
        throw fault(where, `the folder ${folder} overlaps with the folder of ${other.name}; choose another \`path\``);
    }
    taken.push({ name, url, ref, path: folder, depth });
  }
  return taken;
}

function readAddressAt(text: string, path: readonly (string | number)[], fault: MakeFault) {
  try {
    return readAddress(text);
  } catch (error) {
    if (!(error instanceof AddressError)) throw error;
    throw fault(path, error.message);
  }
}

function isFolder(path: string): boolean {
  if (path === '.') return true;
  return path.split('/').every(part => /^[A-Za-z0-9._-]+$/.test(part) && !/^(\.{1,2}|\.git)$/i.test(part));
}

/** Ignores case, as some file systems do. */
function isWithin(path: string, folder: string): boolean {
  return folder === '.' || `${path.toLowerCase()}/`.startsWith(`${folder.toLowerCase()}/`);
}

function pick(env: Variables, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
}
