/**
 * The network of the step: proxies of the environment (proxies.ts) and certificates beside the platform's own (trust.ts). Without either it is
 * the platform's fetch and nothing is loaded.
 */
import type { Proxies, Variables } from './proxies.ts';

export interface Network {
  /** As the platform's. What fails on the way to a proxy is a ConnectionError of the client. */
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** The proxy on the way to an address as a person knows it: `proxy.example.com:3128 (HTTPS_PROXY)`. */
  proxyOf(url: string): string | undefined;
  /** The way to an address, as the end of a sentence; undefined where there is nothing to say. */
  describe(url: string): string | undefined;
  /** Passwords of proxies in each spelling, to be masked. */
  readonly secrets: readonly string[];
  /** Ends open connections through proxies, so that nothing keeps the process alive. */
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
  const proxies = await readNamedProxies(variables);
  if (proxies === undefined && caFile === undefined) return platformNetwork;
  for (const url of baseUrl === undefined ? anyServer : [baseUrl]) if (URL.canParse(url)) proxies?.find(new URL(url));
  const trust = caFile === undefined ? undefined : (await import('./trust.ts')).trustFile(caFile);
  const { createProxiedFetch } = await import('./proxied-fetch.ts');
  const findProxy = (url: URL) => proxies?.find(url);
  const { fetch, close } = createProxiedFetch({ findProxy, secureContext: trust?.secureContext });
  const proxyOf = (url: string): string | undefined => {
    const proxy = findProxy(new URL(url));
    return proxy === undefined ? undefined : `${proxy.host} (${proxy.variable})`;
  };
  return {
    fetch,
    proxyOf,
    describe(url) {
      const proxy = proxyOf(url);
      const way = proxy === undefined ? [] : [`through the proxy ${proxy}`];
      const also = trust === undefined ? [] : [`also trusting \`ca_file\` (certificates: ${trust.certificates})`];
      return [...way, ...also].join(', ') || undefined;
    },
    secrets: proxies?.secrets ?? [],
    async close() {
      await close();
      trust?.close();
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

async function readNamedProxies(variables: Variables): Promise<Proxies | undefined> {
  const isNamed = Object.entries(variables).some(
    ([name, value]) => /^(https?|all)_proxy$/i.test(name) && value?.trim(),
  );
  return isNamed ? (await import('./proxies.ts')).readProxies(variables) : undefined;
}
