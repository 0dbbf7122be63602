/**
 * Address and key come in pairs, so that no service ever gets the key of another:
 *
 * | given as options | address | key |
 * |---|---|---|
 * | both | as given | as given |
 * | only baseUrl | as given | of the pair in the environment with the same address; else AGENT_RUN_API_KEY where AGENT_RUN_BASE_URL is not set |
 * | only apiKey | AGENT_RUN_BASE_URL, else OZ_API_BASE_URL; never that of the pair whose key is another while this key is the other pair's | as given |
 * | none | AGENT_RUN_BASE_URL | AGENT_RUN_API_KEY |
 * | none, and nothing of that pair is set | OZ_API_BASE_URL | WARP_API_KEY |
 *
 * A function counts as a key that is given, and a client that is copied has one.
 *
 * Blanks and line breaks around a value of the environment are no part of it.
 *
 * A pair of which one half is set is not passed over in silence: what lacks is an error.
 */
import { isLoopback } from '../../base/loopback.ts';
import { ConfigurationError, type NamedOption } from '../errors/errors.ts';
import { type BaseAddress, nameOrigin, type Origin, readBaseUrl } from '../http/address.ts';
import { type ApiKeyFunction, isKey, KeySource } from './key-source.ts';
import type { ClientOptions } from './options.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly baseUrlNote: string | undefined;
  readonly apiKey: GivenKey;
}

/** A key source comes from the client that is copied. */
export type GivenKey = string | ApiKeyFunction | KeySource;

/** The options of a client, or of a copy. */
export type GivenOptions = Omit<ClientOptions, 'apiKey'> & { readonly apiKey?: GivenKey | undefined };

const ownPair = { address: 'AGENT_RUN_BASE_URL', key: 'AGENT_RUN_API_KEY' } as const;
const publicPair = { address: 'OZ_API_BASE_URL', key: 'WARP_API_KEY' } as const;
const pairs = [ownPair, publicPair] as const;
type Pair = (typeof pairs)[number];

/** The value of a variable; a blank one counts as unset. */
export type Environment = (name: string) => string | undefined;

/** Something said by whom. */
interface Said {
  readonly text: string;
  readonly origin: Origin;
}

/** Throws ConfigurationError, which names option and variable and never shows a key. */
export function resolveCredentials(options: GivenOptions, variables: Environment): Credentials {
  // A file or a secret often ends in a line break, which is no part of what it holds.
  const environment: Environment = name => variables(name)?.trim();
  const givenUrl = sayOption('baseUrl', options.baseUrl);
  const source = isSource(options.apiKey) ? options.apiKey : undefined;
  const givenKey = isSource(options.apiKey) ? undefined : sayOption('apiKey', options.apiKey);
  const pair =
    pairs.find(({ address, key }) => environment(address) !== undefined || environment(key) !== undefined) ?? ownPair;
  const isKeyGiven = source !== undefined || givenKey !== undefined;
  const url = givenUrl ?? (isKeyGiven ? findAddress(givenKey, environment) : say(pair.address, environment));
  if (url === undefined) throw lackingAddress(pair, environment);
  const address = readBaseUrl(url.text, url.origin);
  checkScheme(address, url.origin, options.allowHttp ?? false);
  const { baseUrl, note: baseUrlNote } = address;
  if (source !== undefined) return { baseUrl, baseUrlNote, apiKey: source };
  const key = givenKey ?? (givenUrl === undefined ? say(pair.key, environment) : findKey(address, environment));
  if (key === undefined) throw lackingKey(address, givenUrl === undefined ? [pair] : pairs, environment);
  checkKey(key);
  return { baseUrl, baseUrlNote, apiKey: key.text };
}

function isSource(key: GivenKey | undefined): key is ApiKeyFunction | KeySource {
  return typeof key === 'function' || key instanceof KeySource;
}

/** The address in the environment that an explicit key may go to. */
function findAddress(key: Said | undefined, environment: Environment): Said | undefined {
  const owners = pairs.filter(pair => key !== undefined && environment(pair.key) === key.text);
  const candidates = owners.length === 0 ? pairs : owners;
  return candidates.map(pair => say(pair.address, environment)).find(said => said !== undefined);
}

/** The key in the environment that may go to an explicit address. */
function findKey(address: BaseAddress, environment: Environment): Said | undefined {
  const pair = pairs.find(one => environment(one.key) !== undefined && isKeyFor(one, address, environment));
  return pair === undefined ? undefined : say(pair.key, environment);
}

function isKeyFor(pair: Pair, address: BaseAddress, environment: Environment): boolean {
  const own = say(pair.address, environment);
  return own === undefined ? pair === ownPair : readBaseUrl(own.text, own.origin).baseUrl === address.baseUrl;
}

function checkKey(key: Said): void {
  if (!isKey(key.text))
    throw new ConfigurationError(
      nameOption =>
        `the API key in ${nameOrigin(key.origin, nameOption)} contains a space, a line break or another invalid character`,
      { option: 'option' in key.origin ? key.origin.option : undefined },
    );
}

function checkScheme(address: BaseAddress, origin: Origin, allowHttp: boolean): void {
  const url = new URL(address.baseUrl);
  if (url.protocol === 'https:' || isLoopback(url.hostname) || allowHttp) return;
  throw new ConfigurationError(
    nameOption =>
      `${nameOrigin(origin, nameOption)}: the API key would be sent to ${url.hostname} over plain HTTP. Use https, or allow it with ${nameOption('allowHttp')}`,
    { option: 'allowHttp' },
  );
}

function lackingAddress(pair: Pair, environment: Environment): ConfigurationError {
  const what = 'the address of the service';
  return environment(pair.address) === undefined
    ? lacking({ what, option: 'baseUrl', variable: pair.address })
    : lacking({ what, option: 'baseUrl', reason: `the one in ${pair.address} belongs to another key` });
}

/** Says of a key that is there why it is not used. `candidates` are the pairs that it could have come from. */
function lackingKey(address: BaseAddress, candidates: readonly Pair[], environment: Environment): ConfigurationError {
  const reasons = candidates.flatMap(pair => {
    if (environment(pair.key) === undefined) return [];
    const own = say(pair.address, environment);
    const owner = own === undefined ? pair.address : new URL(readBaseUrl(own.text, own.origin).baseUrl).origin;
    return [`the key in ${pair.key} belongs to ${owner}`];
  });
  return lacking({
    what: `the API key for ${address.baseUrl}`,
    option: 'apiKey',
    variable: candidates.find(pair => isKeyFor(pair, address, environment))?.key,
    reason: reasons.length === 0 ? undefined : reasons.join(', '),
  });
}

function lacking(facts: {
  readonly what: string;
  readonly option: NamedOption;
  /** What can be set instead of the option. */
  readonly variable?: string | undefined;
  /** Why what there is does not count. */
  readonly reason?: string | undefined;
}): ConfigurationError {
  const { what, option, variable, reason } = facts;
  const because = reason === undefined ? '' : `${reason}; `;
  const otherwise = variable === undefined ? '' : `, or set ${variable}`;
  return new ConfigurationError(nameOption => `${what} is missing: ${because}give ${nameOption(option)}${otherwise}`, {
    option,
  });
}

/** Undefined for a blank text. Throws ConfigurationError for what is none; JavaScript lets everything through. */
function sayOption(option: NamedOption, given: unknown): Said | undefined {
  if (given === undefined || given === null) return undefined;
  const text = given instanceof URL ? given.href : given;
  if (typeof text !== 'string')
    throw new ConfigurationError(nameOption => `${nameOption(option)} must be a string`, { option });
  return text.trim() === '' ? undefined : { text, origin: { option } };
}

function say(variable: string, environment: Environment): Said | undefined {
  const text = environment(variable);
  return text === undefined ? undefined : { text, origin: { variable } };
}
