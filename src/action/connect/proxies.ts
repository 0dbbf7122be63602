/**
 * The environment's proxies. As with curl, the lower-case spelling has priority, an empty variable counts as unset,
 * and an https address never uses the http proxy. Unlike curl, it reads HTTP_PROXY too, as the runner does.
 */
import { InputError, quote } from '../inputs/values.ts';
import { isExempt } from './no-proxy.ts';

export type Variables = Readonly<Record<string, string | undefined>>;

export interface NamedProxy {
  readonly variable: string;
  /** Scheme, host and port. Nothing else is ever shown. */
  readonly origin: string;
  readonly host: string;
  readonly authorization: string | undefined;
  /** Spellings of the password to mask: as written, decoded, and encoded as sent. */
  readonly secrets: readonly string[];
}

export interface Proxies {
  /** Returns the proxy for an address, if any. Throws InputError if its variable is not a proxy address. */
  find(url: URL): NamedProxy | undefined;
  readonly isAny: boolean;
  readonly secrets: readonly string[];
}

const variablesOf = {
  'https:': ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'],
  'http:': ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'],
} as const;

/** An invalid variable only fails the addresses that need it. */
export function readProxies(variables: Variables): Proxies {
  const noProxy = [variables.no_proxy, variables.NO_PROXY].find(isSet) ?? '';
  const named = new Map(Object.entries(variablesOf).map(([scheme, names]) => [scheme, tryProxy(names, variables)]));
  return {
    find(url) {
      const proxy = named.get(url.protocol);
      if (proxy === undefined || isExempt(url, noProxy)) return undefined;
      if (proxy instanceof InputError) throw proxy;
      return proxy;
    },
    isAny: [...named.values()].some(proxy => proxy !== undefined),
    secrets: [...new Set([...named.values()].flatMap(proxy => (proxy && 'secrets' in proxy ? proxy.secrets : [])))],
  };
}

function tryProxy(names: readonly string[], variables: Variables): NamedProxy | InputError | undefined {
  const variable = names.find(name => isSet(variables[name]));
  if (variable === undefined) return undefined;
  try {
    return readProxy(variable, variables[variable] ?? '');
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}

function isSet(value: string | undefined): value is string {
  return value !== undefined && value.trim() !== '';
}

function readProxy(variable: string, value: string): NamedProxy {
  const text = value.trim();
  const refuse = (why: string): never => {
    throw new InputError(`${variable}: ${quote(redactCredentials(text))} ${why}`);
  };
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  // A password with a bare "/", "?" or "#" ends the host too early.
  if (url === null || (url.pathname + url.search + url.hash).includes('@'))
    return refuse(
      'is not a proxy address; write it as http://host:port or http://user:password@host:port, with %XX for special characters in the password',
    );
  if (url.protocol !== 'http:' && url.protocol !== 'https:')
    return refuse(
      `is a ${url.protocol.slice(0, -1)} proxy, which is not supported; use an http proxy (http://host:port), or add the server's host to NO_PROXY`,
    );
  const [user, password] = [decode(url.username), decode(url.password)];
  const token = Buffer.from(`${user}:${password}`).toString('base64');
  const hasCredentials = user !== '' || password !== '';
  return {
    variable,
    origin: url.origin,
    host: `${url.hostname}:${url.port === '' ? (url.protocol === 'https:' ? 443 : 80) : url.port}`,
    authorization: hasCredentials ? `Basic ${token}` : undefined,
    secrets: hasCredentials ? secretsOf({ text, user, password, encoded: url.password, token }) : [],
  };
}

/** A user name without a password is a token. */
function secretsOf(parts: {
  readonly text: string;
  readonly user: string;
  readonly password: string;
  readonly encoded: string;
  readonly token: string;
}): readonly string[] {
  const written = /^(?:[^:]+:\/\/)?[^:]*:(.*)@/s.exec(parts.text)?.[1] ?? '';
  const secrets = parts.password === '' ? [parts.user] : [written, parts.encoded, parts.password];
  return [...new Set([...secrets, parts.token])].filter(secret => secret !== '');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function redactCredentials(text: string): string {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1***@');
}
