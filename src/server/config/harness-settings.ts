/** Resolves the harnesses of a configuration file. */
import { resolve } from 'node:path';
import { findHeaderFault, type RequestHeaders } from '../../base/network/request-headers.ts';
import { describeUnsetVariable } from '../../base/variable-name.ts';
import { nearest } from '../../base/wording/nearest.ts';
import type { ModelApi, ModelEndpoint } from '../harness/agents/adapter.ts';
import type { AgentSettings } from '../harness/agents/agent-harness.ts';
import type { HarnessSetOptions } from '../harness/harness-set.ts';
import type { ConfigFile } from './config-schema.ts';
import { type AgentKind, agentKinds, type HarnessEntry } from './harness-schema.ts';

type Variables = Readonly<Record<string, string | undefined>>;

interface Surroundings {
  readonly env: Variables;
  /** Base of relative paths with a slash. */
  readonly folder: string;
  /** Where agents are installed. */
  readonly agentsFolder: string;
}

/** An invalid setting below `harnesses`; the path is relative to it. */
export class HarnessSettingError extends Error {
  override readonly name = 'HarnessSettingError';
  readonly path: readonly string[];

  constructor(path: readonly string[], message: string) {
    super(message);
    this.path = path;
  }
}

/** A provider's variable that is set but read by no harness, in two parts: the fact and the remedy. */
export interface UnreadVariable {
  readonly harness: string;
  readonly holds: 'address' | 'key';
  readonly text: string;
  readonly remedy: string;
}

/** A provider's own endpoint, and the usual variables for its key and for another address. */
interface Provider {
  readonly root: string;
  readonly key: string;
  readonly address: string;
}

const openai = { root: 'https://api.openai.com', key: 'OPENAI_API_KEY', address: 'OPENAI_BASE_URL' };
const providers: Readonly<Record<ModelApi, Provider>> = {
  'openai-chat': openai,
  'openai-responses': openai,
  anthropic: { root: 'https://api.anthropic.com', key: 'ANTHROPIC_API_KEY', address: 'ANTHROPIC_BASE_URL' },
  gemini: {
    root: 'https://generativelanguage.googleapis.com',
    key: 'GEMINI_API_KEY',
    address: 'GOOGLE_GEMINI_BASE_URL',
  },
};

/** A token that `claude setup-token` makes. */
const oauthVariable = 'CLAUDE_CODE_OAUTH_TOKEN';

/** The API of agents that support only one. */
const usualApi: Readonly<Partial<Record<AgentKind, ModelApi>>> = {
  claude: 'anthropic',
  codex: 'openai-responses',
  gemini: 'gemini',
};

/** Throws HarnessSettingError. `usual` is the harness of a run that names none. */
export function readHarnessEntries(
  { default: _default, script, ...entries }: NonNullable<ConfigFile['harnesses']>,
  usual: string | undefined,
  surroundings: Surroundings,
): HarnessSetOptions {
  const commands: Record<string, HarnessSetOptions['commands'][string]> = {};
  const agents: Record<string, { readonly kind: AgentKind } & AgentSettings> = {};
  for (const [name, entry] of Object.entries(entries)) {
    if (entry.command === undefined) agents[name] = readAgent(name, entry, surroundings);
    else {
      const [program, ...args] = entry.command;
      commands[name] = { argv: [place(program, surroundings), ...args], env: pick(surroundings.env, entry.env) };
    }
  }
  return { default: usual, script: script !== undefined, commands, agents };
}

/** The action and the agents' own programs read these variables, so people expect the same of the server. */
export function findUnreadVariables(
  { default: _default, script: _script, ...entries }: NonNullable<ConfigFile['harnesses']>,
  agents: HarnessSetOptions['agents'] = {},
  env: Variables,
): readonly UnreadVariable[] {
  return Object.entries(agents).flatMap(([harness, { endpoint }]): readonly UnreadVariable[] => {
    const { url, key } = entries[harness]?.endpoint ?? {};
    const names = providers[endpoint.api];
    if (url === undefined && env[names.address] !== undefined) {
      const text = `${names.address} is set, but the server does not read it`;
      return [
        { harness, holds: 'address', text, remedy: `set endpoint.url (and endpoint.key) of the harness ${harness}` },
      ];
    }
    if (url === undefined || key !== undefined || env[names.key] === undefined) return [];
    const text = `${names.key} is set, but no key is sent to ${endpoint.root}`;
    return [{ harness, holds: 'key', text, remedy: `set endpoint.key of the harness ${harness}` }];
  });
}

function readAgent(
  name: string,
  entry: HarnessEntry,
  surroundings: Surroundings,
): { readonly kind: AgentKind } & AgentSettings {
  const kind = entry.agent ?? agentKinds.find(known => known === name);
  if (kind === undefined) {
    const kinds = agentKinds.join(', ');
    const guess = entry.agent === undefined ? nearest(name, ['script', 'default', ...agentKinds]) : undefined;
    throw new HarnessSettingError(
      [name],
      `${guess === undefined ? 'needs' : `did you mean the name "${guess}"? A harness with a name of its own needs`} \`command\` (a program) or \`agent\` (one of ${kinds})`,
    );
  }
  if (entry.model === undefined)
    throw new HarnessSettingError([name, 'model'], 'is missing; set the model for runs that do not name one');
  return {
    kind,
    endpoint: readEndpoint(name, kind, entry, surroundings.env),
    model: entry.model,
    models: entry.models,
    program: entry.program === undefined ? undefined : place(entry.program, surroundings),
    agentsFolder: surroundings.agentsFolder,
    steps: entry.steps ?? 200,
    stallMs: (entry.stall_minutes ?? 10) * 60_000,
    env: pick(surroundings.env, entry.env),
  };
}

/** A key goes only to the address it belongs to: to the provider without `url`, otherwise only if `key` names it. */
function readEndpoint(name: string, kind: AgentKind, { endpoint = {} }: HarnessEntry, env: Variables): ModelEndpoint {
  const api = endpoint.api ?? usualApi[kind];
  if (api === undefined)
    throw new HarnessSettingError(
      [name, 'endpoint', 'api'],
      `is missing; ${kind} supports several APIs: ${Object.keys(providers).join(', ')}`,
    );
  const provider = providers[api];
  if (endpoint.key === oauthVariable && kind !== 'claude')
    throw new HarnessSettingError(
      [name, 'endpoint', 'key'],
      `${oauthVariable} is a token for Claude Code only; use an API key`,
    );
  const variable = endpoint.key ?? (endpoint.url === undefined ? provider.key : undefined);
  const apiKey = variable === undefined ? undefined : env[variable];
  if (variable !== undefined && apiKey === undefined)
    throw new HarnessSettingError(
      [name, 'endpoint', 'key'],
      `${describeUnsetVariable(variable)}; set it to the key for the model endpoint, or name another variable`,
    );
  const { username, password } = new URL(endpoint.url ?? provider.root);
  // Addresses appear in messages of runs and in the log.
  if (`${username}${password}` !== '')
    throw new HarnessSettingError(
      [name, 'endpoint', 'url'],
      'must not contain a user name or password; name the variable with the key in `endpoint.key`',
    );
  // People paste addresses in the form that other tools want.
  const root = (endpoint.url ?? provider.root).replace(/\/+$/, '').replace(/\/v1(beta)?$/, '');
  const keyOrigin =
    variable === undefined
      ? `\`harnesses.${name}.endpoint.key\`, which is not set`
      : `the variable ${variable} of the server (\`harnesses.${name}.endpoint.key\`)`;
  return {
    api,
    root,
    apiKey,
    keyOrigin,
    ...(variable === oauthVariable && { keyType: 'oauth_token' as const }),
    ...(endpoint.headers && { headers: readHeaders(name, endpoint.headers, env) }),
  };
}

function readHeaders(name: string, headers: Readonly<Record<string, string>>, env: Variables): RequestHeaders {
  const read = Object.entries(headers).map(([header, variable]) => {
    const value = env[variable]?.trim();
    const fault =
      value === undefined
        ? `${describeUnsetVariable(variable)}; set it to the value of the header`
        : findHeaderFault(header, value);
    if (fault !== undefined) throw new HarnessSettingError([name, 'endpoint', 'headers'], fault);
    return [header, value ?? ''] as const;
  });
  return Object.fromEntries(read);
}

/** A bare name is looked up on PATH. One with a slash is relative to the configuration's folder. */
function place(program: string, { folder }: Surroundings): string {
  return program.includes('/') ? resolve(folder, program) : program;
}

function pick(env: Variables, names: readonly string[]): Readonly<Record<string, string>> {
  return Object.fromEntries(names.flatMap(name => (env[name] === undefined ? [] : [[name, env[name]]])));
}
