import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { isLoopback } from '../../base/network/loopback.ts';
import { isUsualVariableName } from '../../base/variable-name.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import type { Environment, GitSettings } from '../environments/environment.ts';
import { locateAgentsFolder } from '../harness/agents/agents-folder.ts';
import type { HarnessSetOptions } from '../harness/harness-set.ts';
import type { GitHubSkillSettings } from '../skills/github-skills.ts';
import { type ReadConfigFile, readConfigFile } from './config-file.ts';
import { ConfigError, type ConfigFile, configFileSchema, type Limits, limitsSchema } from './config-schema.ts';
import { type DockerConfig, readDockerConfig } from './container-settings.ts';
import { EnvironmentSettingError, readEnvironments, readGitSettings } from './environment-settings.ts';
import { checkValue } from './fault-text.ts';
import {
  findUnreadVariables,
  HarnessSettingError,
  readHarnessEntries,
  type UnreadVariable,
} from './harness-settings.ts';
import { readGitHubSkills } from './skill-settings.ts';

/** All settings of a server, resolved: absolute paths, defaults filled in. Frozen. */
export interface ServerConfig {
  /** The path that was tried for a configuration file, if none was found. */
  readonly missingFile: string | undefined;
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** The folder of all runs, which the server never copies, empties or removes. Undefined gives each run its own. */
  readonly workspace: string | undefined;
  /** Start of links; undefined uses the listening address. */
  readonly publicUrl: string | undefined;
  readonly behindProxy: boolean;
  readonly containment: NonNullable<ConfigFile['containment']>;
  readonly tls: { readonly cert: string; readonly key: string } | undefined;
  readonly harnesses: HarnessSetOptions;
  readonly skillRepositories: Readonly<Record<string, string>>;
  /** Repositories whose skills are read from GitHub. */
  readonly githubSkills?: GitHubSkillSettings | undefined;
  readonly environments: readonly Environment[];
  /** Variables to pass on that the server's environment does not have. */
  readonly unsetVariables: readonly UnsetVariable[];
  /** Endpoint variables in the server's environment that no harness reads. */
  readonly unreadVariables: readonly UnreadVariable[];
  readonly git: GitSettings;
  readonly docker: DockerConfig;
  readonly limits: Limits;
  /** The environment's key. It has all rights. */
  readonly apiKey: string | undefined;
  /** Start of every agent's environment: only the server's PATH and locale. */
  readonly baseEnv: Readonly<Record<string, string>>;
}

/**
 * The name may be a secret that was pasted there. `user` names what the variable is for, such as `the environment
 * shop`, and its place in the file.
 */
export interface UnsetVariable {
  readonly name: string;
  readonly user: string;
  readonly place: string;
}

export interface ServerFlags {
  readonly config?: string | undefined;
  readonly host?: string | undefined;
  readonly port?: number | undefined;
  readonly data?: string | undefined;
  readonly tlsCert?: string | undefined;
  readonly tlsKey?: string | undefined;
  readonly behindProxy?: boolean | undefined;
}

interface Sources {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly flags?: ServerFlags;
  /** Base of relative paths in flags and variables. */
  readonly cwd: string;
}

/** A configuration file, the base of its paths, and the places of its settings. */
interface OpenFile extends ReadConfigFile {
  readonly missing?: string;
  readonly folder: string;
  /** In ms. Without a file, the time of the lookup. */
  readonly updatedAt: number;
}

export const defaultPort = 7420;
const defaultConfigFile = 'agent-run.yaml';

/**
 * Reads the configuration: flags before environment before file. Nothing else in the server reads the environment.
 * Throws ConfigError, which names every invalid setting, its place and the remedy.
 */
export function readServerConfig({ env: rawEnv, flags = {}, cwd }: Sources): ServerConfig {
  const env = Object.fromEntries(
    Object.entries(rawEnv).filter(([, value]) => value !== undefined && value.trim() !== ''),
  );
  const opened = openConfigFile(flags.config ?? env.AGENT_RUN_CONFIG, cwd);
  const { settings: file, folder } = opened;
  const fromCwd = (path: string | undefined) => (path === undefined ? undefined : resolve(cwd, path));
  const fromFile = (path: string | undefined) => (path === undefined ? undefined : resolve(folder, path));
  const tlsCert = fromCwd(flags.tlsCert) ?? fromFile(file.tls?.cert);
  const tlsKey = fromCwd(flags.tlsKey) ?? fromFile(file.tls?.key);
  const harnesses = readHarnesses(opened, env, locateAgentsFolder(env, cwd));
  const config: ServerConfig = {
    missingFile: opened.missing,
    host: flags.host ?? env.AGENT_RUN_HOST ?? file.host ?? '127.0.0.1',
    port: flags.port ?? readPort(env.AGENT_RUN_PORT) ?? file.port ?? defaultPort,
    dataDir: fromCwd(flags.data ?? env.AGENT_RUN_DATA) ?? fromFile(file.data) ?? resolve(cwd, '.agent-run'),
    publicUrl: (readPublicUrl(env.AGENT_RUN_PUBLIC_URL) ?? file.public_url)?.replace(/\/+$/, ''),
    behindProxy: flags.behindProxy ?? file.behind_proxy ?? false,
    containment: file.containment ?? 'auto',
    tls: readTlsPair(tlsCert, tlsKey),
    harnesses,
    skillRepositories: readRepositories(opened),
    workspace: readWorkspace(opened),
    ...readSurroundings(opened, env),
    unsetVariables: findUnset(opened, env),
    unreadVariables: findUnreadVariables(file.harnesses ?? {}, harnesses.agents, env),
    docker: readDockerConfig(file, { env, folder }),
    limits: readLimits(file),
    apiKey: readApiKey(env.AGENT_RUN_API_KEY),
    baseEnv: pick(env, ['PATH', 'LANG', 'LC_ALL', 'USER', 'LOGNAME']),
  };
  const hostOfEnv = env.AGENT_RUN_HOST === undefined ? opened.place(['host']) : 'AGENT_RUN_HOST';
  refuseOpenPort(config, flags.host === undefined ? hostOfEnv : '--host');
  return deepFreeze(config);
}

function openConfigFile(named: string | undefined, cwd: string): OpenFile {
  const path = resolve(cwd, named ?? defaultConfigFile);
  if (!existsSync(path)) {
    if (named !== undefined) throw new ConfigError([`the configuration file ${path} does not exist`]);
    return { settings: {}, missing: path, folder: cwd, updatedAt: Date.now(), place: keys => keys.join('.') };
  }
  return {
    ...readConfigFile(readText(path), path),
    folder: dirname(path),
    updatedAt: Math.floor(statSync(path).mtimeMs),
  };
}

function readText(path: string): string {
  if (statSync(path).isDirectory())
    throw new ConfigError([
      `the configuration file ${path} is a folder; use a file, such as ${join(path, defaultConfigFile)}`,
    ]);
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new ConfigError([
      `the configuration file ${path} cannot be read (${messageOf(error)}); make it readable for this user, or choose another file with --config`,
    ]);
  }
}

function readHarnesses(
  { settings, folder, place }: OpenFile,
  env: Readonly<Record<string, string | undefined>>,
  agentsFolder: string,
): HarnessSetOptions {
  const { default: named, script, ...commands } = settings.harnesses ?? {};
  const hasScript = script !== undefined;
  const names = [...(hasScript ? ['script'] : []), ...Object.keys(commands)];
  if (named !== undefined && !names.includes(named))
    throw new ConfigError([
      `${place(['harnesses', 'default'])}: there is no harness "${named}"; configured harnesses: ${names.join(', ') || 'none'}${didYouMean(named, names)}`,
    ]);
  if (named === undefined && names.length > 1)
    throw new ConfigError([
      `${place(['harnesses', 'default'])}: is missing; with several harnesses, set it to the one for runs that do not name any: ${names.join(', ')}`,
    ]);
  if (names.includes('oz'))
    throw new ConfigError([
      `${place(['harnesses', 'oz'])}: "oz" is reserved for the default harness; choose another name`,
    ]);
  try {
    return readHarnessEntries(settings.harnesses ?? {}, named ?? names[0], { env, folder, agentsFolder });
  } catch (error) {
    if (!(error instanceof HarnessSettingError)) throw error;
    throw new ConfigError([`${place(['harnesses', ...error.path])}: ${error.message}`]);
  }
}

function readRepositories({ settings, folder, place }: OpenFile): Readonly<Record<string, string>> {
  const entries = Object.entries(settings.skills?.repositories ?? {}).map(
    ([name, path]) => [name, resolve(folder, path)] as const,
  );
  const missing = entries.filter(([, path]) => statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true);
  if (missing.length > 0)
    throw new ConfigError(
      missing.map(([name, path]) => `${place(['skills', 'repositories', name])}: the folder ${path} does not exist`),
    );
  return Object.fromEntries(entries);
}

function readSurroundings(
  { settings, place, updatedAt }: OpenFile,
  env: Readonly<Record<string, string | undefined>>,
): Pick<ServerConfig, 'environments' | 'git' | 'githubSkills'> {
  try {
    const git = readGitSettings(settings, env);
    return {
      git,
      githubSkills: readGitHubSkills(settings, { env, git }),
      environments: readEnvironments(settings, { env, git, updatedAt }),
    };
  } catch (error) {
    if (!(error instanceof EnvironmentSettingError)) throw error;
    throw new ConfigError([`${place(error.path)}: ${error.message}`]);
  }
}

interface Passing {
  readonly env: readonly string[];
}

/** Only a warning: a run may work without the token, but mostly differs from what was meant. */
function findUnset(
  {
    settings: { harnesses: { default: _default, script: _script, ...harnesses } = {}, environments = {} },
    place,
  }: OpenFile,
  env: Readonly<Record<string, string | undefined>>,
): readonly UnsetVariable[] {
  const look = (section: 'harnesses' | 'environments', what: string, entries: Readonly<Record<string, Passing>>) =>
    Object.entries(entries).flatMap(([user, entry]) =>
      entry.env.flatMap((name, index) => {
        const path = isUsualVariableName(name) ? [section, user, 'env'] : [section, user, 'env', index];
        return env[name] === undefined ? [{ name, user: `the ${what} ${user}`, place: place(path) }] : [];
      }),
    );
  return [...look('harnesses', 'harness', harnesses), ...look('environments', 'environment', environments)];
}

function readWorkspace({ settings, folder, place }: OpenFile): string | undefined {
  if (settings.workspace === undefined) return undefined;
  const path = resolve(folder, settings.workspace);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return path;
  throw new ConfigError([`${place(['workspace'])}: the folder ${path} does not exist`]);
}

/** Runs that share a folder run one at a time, unless the file allows more. */
function readLimits({ limits, workspace }: ConfigFile): Limits {
  return limitsSchema.parse({ ...(workspace === undefined ? {} : { concurrency: 1 }), ...limits });
}

function readTlsPair(cert: string | undefined, key: string | undefined): ServerConfig['tls'] {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined)
    throw new ConfigError([
      `${cert === undefined ? '--tls-key' : '--tls-cert'}: TLS needs both a certificate and its key; set --tls-cert and --tls-key`,
    ]);
  return { cert, key };
}

function readPort(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 0 || port > 65_535)
    throw new ConfigError([`AGENT_RUN_PORT: must be a port from 0 to 65535, not "${text}"`]);
  return port;
}

function readPublicUrl(url: string | undefined): string | undefined {
  const checked = checkValue(configFileSchema.shape.public_url, url);
  if ('data' in checked) return checked.data;
  throw new ConfigError(checked.faults.map(({ message }) => `AGENT_RUN_PUBLIC_URL: ${message}`));
}

function readApiKey(key: string | undefined): string | undefined {
  if (key !== undefined && !/^[\x21-\x7e]{8,}$/.test(key))
    throw new ConfigError([
      'AGENT_RUN_API_KEY: must have at least 8 visible ASCII characters and no spaces (its value is not shown)',
    ]);
  return key;
}

/** Keys would cross the network unencrypted. */
function refuseOpenPort(config: ServerConfig, place: string): void {
  if (isLoopback(config.host) || config.tls !== undefined || config.behindProxy) return;
  throw new ConfigError([
    `${place}: other machines can reach ${config.host}, and API keys would be sent unencrypted without TLS; set --tls-cert and --tls-key (\`tls\` in the file), or --behind-proxy (\`behind_proxy: true\`) if a proxy in front terminates TLS`,
  ]);
}

function pick(
  env: Readonly<Record<string, string | undefined>>,
  names: readonly string[],
): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) for (const member of Object.values(value)) deepFreeze(member);
  return Object.freeze(value);
}
