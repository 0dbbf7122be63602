/**
 * The step's network: the environment's proxies (proxies.ts) and extra certificates (trust.ts). Without either, it is
 * the platform's fetch, and undici is not loaded.
 */
import type { Dispatcher } from 'undici';
import { ConnectionError } from '../../client/index.ts';
import { InputError } from '../inputs/values.ts';
import { type NamedProxy, readProxies, type Variables } from './proxies.ts';
import { explainProxyFailure } from './proxy-faults.ts';
import { trustFile } from './trust.ts';

export interface Network {
  /** Like the platform's fetch. A failure on the way to a proxy is the client's ConnectionError. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Describes the proxy for an address, such as `proxy.example.com:3128 (HTTPS_PROXY)`. */
  proxyOf(url: string): string | undefined;
  /** Describes the way to an address, as the end of a sentence. Undefined without a proxy or extra certificates. */
  describe(url: string): string | undefined;
  /** Proxy passwords in each spelling, to be masked. */
  readonly secrets: readonly string[];
  /** Closes open connections, which would keep the process alive. */
  close(): Promise<void>;
}

export interface NetworkOptions {
  /** The environment: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY. The lower-case spelling has priority. */
  readonly variables: Variables;
  readonly caFile?: string | undefined;
  /** The server's address, if known. A faulty variable for another proxy then does not stop the step. */
  readonly baseUrl?: string | undefined;
}

/** Throws InputError for a variable that is not a proxy address, and for a file without a certificate. */
export async function openNetwork({ variables, caFile, baseUrl }: NetworkOptions): Promise<Network> {
  const proxies = readProxies(variables);
  for (const url of baseUrl === undefined ? anyServer : [baseUrl]) if (URL.canParse(url)) proxies.find(new URL(url));
  const trust = caFile === undefined ? undefined : trustFile(caFile);
  if (!proxies.isAny && trust === undefined) return platformNetwork;
  const { createDispatcher, fetchThrough } = await import('./dispatchers.ts');
  const dispatchers = new Map<string, Dispatcher>();
  let isClosed = false;

  function dispatcherFor(proxy: NamedProxy | undefined): Dispatcher {
    if (isClosed) throw new Error('the network of the step is closed; nothing can be sent anymore');
    const key = `${proxy?.origin} ${proxy?.authorization}`;
    const dispatcher = dispatchers.get(key) ?? createDispatcher(proxy, trust?.secureContext);
    dispatchers.set(key, dispatcher);
    return dispatcher;
  }

  /** Throws the client's error. Otherwise the client would assume that the request may have arrived. */
  function findUsable(address: URL): NamedProxy | undefined {
    try {
      return proxies.find(address);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new ConnectionError(error.message, { host: address.host, fault: 'fetch', neverLeft: true });
    }
  }

  const proxyOf = (url: string): string | undefined => {
    const proxy = proxies.find(new URL(url));
    return proxy === undefined ? undefined : `${proxy.host} (${proxy.variable})`;
  };
  return {
    async fetch(url, init) {
      const address = new URL(url);
      const proxy = findUsable(address);
      if (proxy === undefined && trust === undefined) return await globalThis.fetch(url, init);
      const dispatcher = dispatcherFor(proxy);
      try {
        return await fetchThrough(dispatcher, url, init);
      } catch (error) {
        throw proxy === undefined ? error : explainProxyFailure(error, proxy, address);
      }
    },
    proxyOf,
    describe(url) {
      const proxy = proxyOf(url);
      const way = proxy === undefined ? [] : [`through the proxy ${proxy}`];
      const also = trust === undefined ? [] : [`also trusting \`ca_file\` (certificates: ${trust.certificates})`];
      return [...way, ...also].join(', ') || undefined;
    },
    secrets: proxies.secrets,
    async close() {
      isClosed = true;
      await Promise.all([...dispatchers.values()].map(dispatcher => dispatcher.destroy()));
    },
  };
}

const platformNetwork: Network = {
  fetch: (url, init) => globalThis.fetch(url, init),
  proxyOf: () => undefined,
  describe: () => undefined,
  secrets: [],
  close: async () => {},
};

/** If the server is unknown, every variable has to be valid. */
const anyServer = ['https://server.invalid', 'http://server.invalid'];
