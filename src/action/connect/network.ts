/**
 * The network of the step: proxies of the environment (proxies.ts) and certificates beside the platform's own (trust.ts). Without either it is the
 * platform's fetch, and undici is not loaded.
 */
import type { Dispatcher } from 'undici';
import { ConnectionError } from '../../client/index.ts';
import { InputError } from '../inputs/values.ts';
import { type NamedProxy, readProxies, type Variables } from './proxies.ts';
import { explainProxyFailure } from './proxy-faults.ts';
import { trustFile } from './trust.ts';

export interface Network {
  /** As the platform's. What fails on the way to a proxy is a ConnectionError of the client. A redirect that is followed keeps the way of the first address. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** The proxy on the way to an address as a person knows it: `proxy.example.com:3128 (HTTPS_PROXY)`. */
  proxyOf(url: string): string | undefined;
  /** The way to an address, as the end of a sentence; undefined where there is nothing to say. */
  describe(url: string): string | undefined;
  /** Passwords of proxies in each spelling, to be masked. */
  readonly secrets: readonly string[];
  /** Ends open connections, so that nothing keeps the process alive. */
  close(): Promise<void>;
}

export interface NetworkOptions {
  /** The environment: HTTPS_PROXY, HTTP_PROXY, ALL_PROXY and NO_PROXY in both spellings, the lower-case one first. */
  readonly variables: Variables;
  /** Path of a PEM file. */
  readonly caFile?: string | undefined;
  /** The server, where it is known: then a proxy that is not on the way to it may be wrong without stopping the step. */
  readonly baseUrl?: string | undefined;
}

/** Throws InputError for a variable that names no proxy and for a file that holds no certificate. */
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

  /** As the client's error, or the client would take the request for one that may have arrived. */
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

/** Where the server is not known each variable has to be right. */
const anyServer = ['https://server.invalid', 'http://server.invalid'];
