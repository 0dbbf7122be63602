/**
 * The address of the service and the key that is sent there. A key from the environment is sent only to the address
 * of its own pair:
 *
 * | given as options | address | key |
 * |---|---|---|
 * | both | as given | as given |
 * | only baseUrl | as given | of the pair with this address, or AGENT_RUN_API_KEY if AGENT_RUN_BASE_URL is not set |
 * | only apiKey | AGENT_RUN_BASE_URL, otherwise OZ_API_BASE_URL; of the pair with this key, if one has it | as given |
 * | none | AGENT_RUN_BASE_URL | AGENT_RUN_API_KEY |
 * | none, and nothing of that pair is set | OZ_API_BASE_URL | WARP_API_KEY |
 *
 * A pair with only one half set is not skipped: the missing half is an error.
 */
import { isLoopback } from '../../base/network/loopback.ts';
import { parseUrl } from '../../base/network/url.ts';
import { apiPrefix } from '../../contract/tables/routes.ts';
import { ConfigurationError, type NamedOption, type NameOption } from '../errors/errors.ts';
import { type ApiKeyFunction, isKey, KeySource } from './key-source.ts';
import type { ClientOptions } from './options.ts';

export interface Credentials {
  /** Without a trailing slash, with the prefix `/api/v1`. */
  readonly baseUrl: string;
  /** A sentence for the log if the prefix was added. */
  readonly baseUrlNote: string | undefined;
  readonly apiKey: GivenKey;
}

/** A key source comes from a client that is being copied. */
export type GivenKey = string | ApiKeyFunction | KeySource;

export type GivenOptions = Omit<ClientOptions, 'apiKey'> & { readonly apiKey?: GivenKey | undefined };

/** The value of a variable; undefined if it is unset or empty. */
export type Environment = (name: string) => string | undefined;

interface Setting {
  readonly text: string;
  /** Undefined if the value can only come from a variable. */
  readonly option?: NamedOption | undefined;
  readonly variable?: string;
}

const ownPair = { url: 'AGENT_RUN_BASE_URL', key: 'AGENT_RUN_API_KEY' } as const;
const pairs = [ownPair, { url: 'OZ_API_BASE_URL', key: 'WARP_API_KEY' }] as const;
type Pair = (typeof pairs)[number];

/** Throws ConfigurationError, which names the option or variable and never contains a key. */
export function resolveCredentials(options: GivenOptions, environment: Environment): Credentials {
  const read = (variable: string): Setting | undefined => {
    // A variable filled from a file or a secret often ends in a line break that is not part of its value.
    const text = environment(variable)?.trim();
    return text === undefined ? undefined : { text, variable };
  };
  const isKeyOf = (pair: Pair, address: string): boolean => {
    const url = read(pair.url);
    return url === undefined ? pair === ownPair : readBaseUrl(url).baseUrl === address;
  };
  const { apiKey, allowHttp = false } = options;
  const isSource = typeof apiKey === 'function' || apiKey instanceof KeySource;
  const givenKey = isSource ? undefined : readOption('apiKey', apiKey);
  const pair = pairs.find(({ url, key }) => read(url) ?? read(key)) ?? ownPair;
  const owners = pairs.filter(({ key }) => givenKey !== undefined && read(key)?.text === givenKey.text);
  const candidates = isSource || givenKey !== undefined ? (owners.length > 0 ? owners : pairs) : [pair];
  const [first] = candidates.flatMap(({ url }) => read(url) ?? []);
  const url = readOption('baseUrl', options.baseUrl) ?? first;
  if (url === undefined)
    throw missing({ what: 'the address of the service', option: 'baseUrl', variable: candidates[0]?.url });
  const { baseUrl, baseUrlNote } = readBaseUrl(url);
  checkScheme(url, baseUrl, allowHttp);
  if (isSource) return { baseUrl, baseUrlNote, apiKey };
  const [key] = [givenKey, ...pairs.map(one => (isKeyOf(one, baseUrl) ? read(one.key) : undefined))].flatMap(
    one => one ?? [],
  );
  if (key === undefined)
    throw missing({
      what: `the API key for ${baseUrl}`,
      option: 'apiKey',
      variable: pairs.find(one => isKeyOf(one, baseUrl))?.key,
      reasons: pairs.flatMap(one => {
        const owner = read(one.url);
        const origin = owner === undefined ? one.url : new URL(readBaseUrl(owner).baseUrl).origin;
        return read(one.key) === undefined ? [] : [`the key in ${one.key} belongs to ${origin}`];
      }),
    });
  if (!isKey(key.text))
    throw wrong(key, name => `the API key in ${name(key)} contains a space, a line break or another invalid character`);
  return { baseUrl, baseUrlNote, apiKey: key.text };
}

/** Undefined if the option is missing or empty. Throws ConfigurationError. */
function readOption(option: NamedOption, given: unknown): Setting | undefined {
  const text = given instanceof URL ? given.href : (given ?? '');
  if (typeof text !== 'string') throw wrong({ option }, name => `${name({ option })} must be a string`);
  return text.trim() === '' ? undefined : { text, option };
}

/** Throws ConfigurationError. The error shows only a plain host, because the value may be a misplaced key. */
function readBaseUrl(setting: Setting): Omit<Credentials, 'apiKey'> {
  const text = setting.text.trim();
  const url = parseUrl(text);
  const refuse = (why: string): never => {
    throw wrong(setting, name => `${name(setting)} ${why}`);
  };
  if (url === null || !/^https?:$/.test(url.protocol)) {
    const [, host] = /^((?:[a-z0-9-]{1,20}\.)+[a-z]{2,20}|localhost)(?::\d+)?(?:\/[a-z0-9/]{0,20})?$/.exec(text) ?? [];
    const scheme = host === 'localhost' ? 'http' : 'https';
    return refuse(
      `must be a URL that starts with https:// or http://${host === undefined ? '' : `, not "${text}". Use ${scheme}://${text}`}`,
    );
  }
  if (url.username !== '' || url.password !== '')
    return refuse('must not contain a user name or password; the key is a separate setting');
  if (url.search !== '' || url.hash !== '') return refuse('must not contain a query or fragment');
  const bare = `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
  if (bare.endsWith(apiPrefix)) return { baseUrl: bare, baseUrlNote: undefined };
  const baseUrl = `${bare}${apiPrefix}`;
  return { baseUrl, baseUrlNote: `${bare} does not end with ${apiPrefix}; using ${baseUrl}` };
}

function checkScheme(setting: Setting, baseUrl: string, allowHttp: boolean): void {
  const { protocol, hostname } = new URL(baseUrl);
  if (protocol === 'https:' || isLoopback(hostname) || allowHttp) return;
  throw wrong(
    { option: 'allowHttp' },
    name =>
      `${name(setting)}: the API key would be sent to ${hostname} over plain HTTP. Use https, or allow it with ${name({ option: 'allowHttp' })}`,
  );
}

type Named = Pick<Setting, 'option' | 'variable'>;

function wrong(of: Named, say: (name: (setting: Named) => string) => string): ConfigurationError {
  const sentence = (nameOption: NameOption): string =>
    say(({ option, variable = '' }) => (option === undefined ? variable : nameOption(option)));
  return new ConfigurationError(sentence, { option: of.option });
}

function missing(facts: {
  readonly what: string;
  readonly option: NamedOption;
  /** The variable that can be set instead of the option. */
  readonly variable: string | undefined;
  /** Why the variables that are set were not used. */
  readonly reasons?: readonly string[];
}): ConfigurationError {
  const { what, option, variable, reasons = [] } = facts;
  const because = reasons.length === 0 ? '' : `${reasons.join(', ')}; `;
  const otherwise = variable === undefined ? '' : `, or set ${variable}`;
  return wrong({ option }, name => `${what} is missing: ${because}give ${name({ option })}${otherwise}`);
}
