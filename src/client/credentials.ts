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
 * A pair of which one half is set is not passed over in silence: what lacks is an error.
 */
import { isLoopback } from '../base/loopback.ts';
import { type BaseAddress, readBaseUrl } from './address.ts';
import { ConfigurationError } from './errors.ts';
import type { ClientOptions, Environment } from './options.ts';

export interface Credentials {
  readonly baseUrl: string;
  readonly baseUrlNote: string | undefined;
  readonly apiKey: string;
}

const ownPair = { address: 'AGENT_RUN_BASE_URL', key: 'AGENT_RUN_API_KEY' } as const;
const publicPair = { address: 'OZ_API_BASE_URL', key: 'WARP_API_KEY' } as const;
const pairs = [ownPair, publicPair] as const;
type Pair = (typeof pairs)[number];

/** Something said by whom: `where` names the option or the variable. */
interface Said {
  readonly text: string;
  readonly where: string;
}

/** Throws ConfigurationError, which names option and variable and never shows a key. */
export function resolveCredentials(options: ClientOptions, environment: Environment): Credentials {
  const givenUrl = sayOption('baseUrl', options.baseUrl);
  const givenKey = sayOption('apiKey', options.apiKey);
  const pair =
    pairs.find(({ address, key }) => environment(address) !== undefined || environment(key) !== undefined) ?? ownPair;
  const url =
    givenUrl ?? (givenKey === undefined ? say(pair.address, environment) : findAddress(givenKey, environment));
  if (url === undefined) throw lacking('the address of the service', 'baseUrl', pair.address);
  const address = readBaseUrl(url.text, url.where);
  const key = givenKey ?? (givenUrl === undefined ? say(pair.key, environment) : findKey(address, environment));
  if (key === undefined) throw lacking(`the API key for ${address.baseUrl}`, 'apiKey', pair.key);
  checkKey(key);
  checkScheme(address, url.where, options.allowHttp ?? false);
  return { baseUrl: address.baseUrl, baseUrlNote: address.note, apiKey: key.text };
}

/** The address in the environment that an explicit key may go to. */
function findAddress(key: Said, environment: Environment): Said | undefined {
  const owners = pairs.filter(pair => environment(pair.key) === key.text);
  const candidates = owners.length === 0 ? pairs : owners;
  return candidates.map(pair => say(pair.address, environment)).find(said => said !== undefined);
}

/** The key in the environment that may go to an explicit address. */
function findKey(address: BaseAddress, environment: Environment): Said | undefined {
  const isFor = (pair: Pair): boolean => {
    const own = say(pair.address, environment);
    return own === undefined ? pair === ownPair : readBaseUrl(own.text, own.where).baseUrl === address.baseUrl;
  };
  const pair = pairs.find(candidate => environment(candidate.key) !== undefined && isFor(candidate));
  return pair === undefined ? undefined : say(pair.key, environment);
}

function checkKey(key: Said): void {
  if (!/^[\x21-\x7e]+$/.test(key.text))
    throw new ConfigurationError(
      `the API key in ${key.where} has a blank, a line break or another character that no key has`,
    );
}

function checkScheme(address: BaseAddress, where: string, allowHttp: boolean): void {
  const url = new URL(address.baseUrl);
  if (url.protocol === 'https:' || isLoopback(url.hostname) || allowHttp) return;
  throw new ConfigurationError(
    `${where} is ${address.baseUrl}: the API key would go to ${url.hostname} over plain http. Use https, or set allowHttp`,
  );
}

function lacking(what: string, option: string, variable: string): ConfigurationError {
  return new ConfigurationError(
    `${what} is missing: give the option ${option}, or set ${variable} (a key and an address in the environment belong together and are not mixed with others)`,
  );
}

function sayOption(name: string, text: string | undefined): Said | undefined {
  return text === undefined || text.trim() === '' ? undefined : { text, where: `the option ${name}` };
}

function say(variable: string, environment: Environment): Said | undefined {
  const text = environment(variable);
  return text === undefined ? undefined : { text, where: variable };
}
