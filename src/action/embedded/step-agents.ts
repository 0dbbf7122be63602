/** The agents of a step without a server. Their providers define the variables for keys and addresses. */
import { messageOf } from '../../base/cause.ts';
import { parseHeaders, type RequestHeaders } from '../../base/network/request-headers.ts';
import { InputError, MissingCredentialError, quote } from '../inputs/values.ts';

type ModelApi = 'openai-chat' | 'openai-responses' | 'anthropic' | 'gemini';

interface Provider {
  readonly api: ModelApi;
  /** API of a custom address, if it differs from the provider's. */
  readonly ownApi?: ModelApi;
  readonly key: string;
  readonly address: string;
  readonly root: string;
  /** Variable with further headers, as the provider's own program reads it. */
  readonly headers?: { readonly variable: string; readonly separator: RegExp };
  readonly models: RegExp;
}

/** Ordered by priority, for several keys and a model name that matches no provider. */
const providers: readonly Provider[] = [
  {
    api: 'anthropic',
    key: 'ANTHROPIC_API_KEY',
    address: 'ANTHROPIC_BASE_URL',
    root: 'https://api.anthropic.com',
    headers: { variable: 'ANTHROPIC_CUSTOM_HEADERS', separator: /\n/ },
    models: /^claude/i,
  },
  {
    api: 'openai-responses',
    // Gateways and local servers use this API.
    ownApi: 'openai-chat',
    key: 'OPENAI_API_KEY',
    address: 'OPENAI_BASE_URL',
    root: 'https://api.openai.com',
    models: /^(gpt|chatgpt|codex|o\d)/i,
  },
  {
    api: 'gemini',
    key: 'GEMINI_API_KEY',
    address: 'GOOGLE_GEMINI_BASE_URL',
    root: 'https://generativelanguage.googleapis.com',
    headers: { variable: 'GEMINI_CLI_CUSTOM_HEADERS', separator: /,(?=\s*[^,:]+:)/ },
    models: /^gemini/i,
  },
];

const agentApis = {
  builtin: ['anthropic', 'openai-responses', 'openai-chat', 'gemini'],
  claude: ['anthropic'],
  codex: ['openai-responses'],
  gemini: ['gemini'],
  opencode: ['anthropic', 'openai-responses', 'openai-chat', 'gemini'],
} as const satisfies Readonly<Record<string, readonly ModelApi[]>>;

/** A token of `claude setup-token`, for Claude Code alone. An API key takes precedence, as it does in the program. */
const oauthToken = 'CLAUDE_CODE_OAUTH_TOKEN';

export type StepAgentKind = keyof typeof agentApis;
export const stepAgentKinds = Object.keys(agentApis) as readonly StepAgentKind[];

export interface StepAgent {
  readonly kind: StepAgentKind;
  readonly endpoint: {
    readonly api: ModelApi;
    readonly root: string;
    readonly apiKey: string | undefined;
    readonly keyType: 'api_key' | 'oauth_token';
    readonly headers: RequestHeaders | undefined;
    readonly keyOrigin: string;
    readonly addressOrigin: string;
  };
  readonly model: string;
  readonly models: undefined;
  readonly program: undefined;
  readonly steps: number;
  readonly stallMs: number;
  readonly env: Readonly<Record<string, string>>;
}

export interface StepAgentRequest {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly modelId: string | undefined;
  readonly passedEnv: Readonly<Record<string, string>>;
}

/** A model key requests an agent, even if the step does not name one. */
export function hasModelKey(env: StepAgentRequest['env']): boolean {
  return providers.some(provider => isSet(env[provider.key]));
}

/** Returns the variables that may hold the model's key: one if the model name tells the provider. */
export function findModelKeys(modelId: string | undefined): readonly string[] {
  const meant = providers.filter(provider => isMeant(provider, modelId));
  return (meant.length === 0 ? providers : meant).map(({ key }) => key);
}

/** `who` begins the sentence, `more` ends it. */
export function createMissingKeyError(
  { who, keys, more = '' }: { readonly who: string; readonly keys: readonly string[]; readonly more?: string },
  env: StepAgentRequest['env'],
): MissingCredentialError {
  const isUnset = keys.every(key => env[key] === undefined);
  const lack = `${who} needs ${nameKeys(keys)}, but it is ${isUnset ? 'not set' : 'empty'}`;
  const hint = isSet(env[oauthToken]) ? `. ${oauthToken} works with \`harness: claude\` only` : '';
  return new MissingCredentialError(lack, { remedy: `${giveKey(keys)}${more}${hint}`, isUnset });
}

function nameKeys(keys: readonly string[]): string {
  return `${keys.join(' or ')} under \`env:\` of the step`;
}

function giveKey(keys: readonly string[]): string {
  return `. Set ${keys.length === 1 ? spellKeys(keys) : 'the one of your provider'} there`;
}

/** Returns a line for the workflow for one key, otherwise the names. */
export function spellKeys([key = '', ...more]: readonly string[]): string {
  return more.length === 0 ? `\`${key}: \${{ secrets.${key} }}\`` : [key, ...more].join(' or ');
}

export function findModelAddress(env: StepAgentRequest['env']): string | undefined {
  return providers.find(provider => isSet(env[provider.address]))?.address;
}

/** Throws InputError if the key or the model is missing. */
export function prepareAgent(kind: StepAgentKind, { env, modelId, passedEnv }: StepAgentRequest): StepAgent {
  const endpoint = findEndpoint(kind, env, modelId);
  const meant = providers.find(provider => isMeant(provider, modelId) && speaks(kind, provider.api));
  if (endpoint === undefined) {
    const able = meant === undefined ? providers.filter(({ api }) => speaks(kind, api)) : [meant];
    const keys = kind === 'claude' && env[oauthToken] !== undefined ? [oauthToken] : able.map(({ key }) => key);
    throw createMissingKeyError({ who: `\`harness\`: ${kind}`, keys }, env);
  }
  if (providers.some(({ root }) => root === endpoint.root)) {
    refusePrefix(modelId);
    // With a key for another provider, the agent would ask that provider for an unknown model.
    if (meant !== undefined && endpoint.keyType === 'api_key' && !isSet(env[meant.key]))
      throw refuseOtherKey(meant.key, modelId, env);
  }
  if (modelId === undefined)
    throw new InputError(
      `\`model_id\` is missing. Set it to a model for ${kind === 'builtin' ? 'the built-in agent' : quote(kind)}, such as claude-haiku-4-5`,
    );
  return {
    kind,
    endpoint,
    model: modelId,
    models: undefined,
    program: undefined,
    steps: 200,
    stallMs: 600_000,
    env: passedEnv,
  };
}

function findEndpoint(
  kind: StepAgentKind,
  env: StepAgentRequest['env'],
  modelId: string | undefined,
): StepAgent['endpoint'] | undefined {
  const inOrder = providers.toSorted((a, b) => Number(isMeant(b, modelId)) - Number(isMeant(a, modelId)));
  for (const { api, ownApi = api, key: usualKey, address, root, headers } of inOrder) {
    const isOAuth = kind === 'claude' && api === 'anthropic' && !isSet(env[usualKey]) && isSet(env[oauthToken]);
    const key = isOAuth ? oauthToken : usualKey;
    const [apiKey, own] = [env[key], env[address]?.trim()];
    const isOwn = isSet(own);
    const spoken = isOwn && speaks(kind, ownApi) ? ownApi : api;
    if (!speaks(kind, spoken) || !(isSet(apiKey) || isOwn)) continue;
    if (isOwn && !isWebAddress(own)) throw refuseAddress(address, own);
    const chosen = isOwn ? own : root;
    return {
      api: spoken,
      root: chosen.replace(/\/+$/, '').replace(/\/v1(beta)?$/, ''),
      apiKey: isSet(apiKey) ? apiKey.trim() : undefined,
      keyType: isOAuth ? 'oauth_token' : 'api_key',
      headers: headers && readHeaders(headers, env),
      keyOrigin: `${key} under \`env:\` of the step`,
      addressOrigin: `${address} under \`env:\` of the step`,
    };
  }
  return undefined;
}

function readHeaders(
  { variable, separator }: NonNullable<Provider['headers']>,
  env: StepAgentRequest['env'],
): RequestHeaders | undefined {
  const text = env[variable];
  try {
    return isSet(text) ? parseHeaders(text, separator) : undefined;
  } catch (error) {
    throw new InputError(`${variable} under \`env:\` of the step: ${messageOf(error)}`);
  }
}

function isMeant({ models }: Provider, modelId = ''): boolean {
  return models.test(modelId);
}

/** Another key is set, so the event has secrets. An unset variable was therefore forgotten. */
function refuseOtherKey(key: string, modelId = '', env: StepAgentRequest['env']): InputError {
  const who = `\`model_id\` ${quote(modelId)}`;
  return env[key] === undefined
    ? new InputError(`${who} needs ${nameKeys([key])}, but it is not set${giveKey([key])}`)
    : createMissingKeyError({ who, keys: [key] }, env);
}

/** Gateways name models `provider/model`. The providers themselves do not accept that. */
function refusePrefix(modelId = ''): void {
  const [, prefix, name = ''] = /^(anthropic|openai|google|gemini)\/(.+)$/i.exec(modelId) ?? [];
  if (prefix !== undefined)
    throw new InputError(
      `\`model_id\` ${quote(modelId)} has a prefix that only gateways use. Write it without: ${quote(name)}`,
    );
}

/** An address with a password is not shown at all. */
function refuseAddress(variable: string, address: string): InputError {
  const shown = address.includes('@') ? '' : `, not ${quote(address)}`;
  return new InputError(
    `${variable} under \`env:\` of the step must be the http or https URL of the agent's model, such as http://127.0.0.1:11434/v1${shown}`,
  );
}

function speaks(kind: StepAgentKind, api: ModelApi): boolean {
  const apis: readonly ModelApi[] = agentApis[kind];
  return apis.includes(api);
}

function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function isWebAddress(text: string): boolean {
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}
