/** The way through proxies, and past them where the step trusts more than the process can. undici is loaded with this file, and with nothing else. */
import type { SecureContext } from 'node:tls';
import { Agent, type Dispatcher, ProxyAgent, type RequestInit as UndiciInit, fetch as undiciFetch } from 'undici';
import { ConnectionError } from '../../client/index.ts';
import { InputError } from '../inputs/values.ts';
import type { NamedProxy } from './proxies.ts';
import { explainProxyFailure } from './proxy-faults.ts';

export interface ProxiedFetch {
  fetch(url: string, init: RequestInit): Promise<Response>;
  /** Ends what is still open; nothing keeps the process alive then. */
  close(): Promise<void>;
}

/** `secureContext`: whom to trust, where the process itself does not. */
export function createProxiedFetch({
  findProxy,
  secureContext,
}: {
  readonly findProxy: (url: URL) => NamedProxy | undefined;
  readonly secureContext: SecureContext | undefined;
}): ProxiedFetch {
  const agents = new Map<string, Dispatcher>();
  let isClosed = false;

  function agentFor(proxy: NamedProxy | undefined): Dispatcher {
    if (isClosed) throw new Error('the network of the step is closed; nothing can be sent anymore');
    const key = proxy === undefined ? '' : `${proxy.origin} ${proxy.authorization}`;
    const trusting = secureContext === undefined ? {} : { secureContext };
    const agent =
      agents.get(key) ??
      (proxy === undefined
        ? new Agent({ connect: trusting })
        : new ProxyAgent({
            uri: proxy.origin,
            ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
            requestTls: trusting,
            proxyTls: trusting,
            // Many proxies open tunnels to the ports of TLS alone.
            proxyTunnel: false,
          }));
    agents.set(key, agent);
    return agent;
  }

  /** A redirect that is followed keeps the way of the first address. */
  async function fetch(url: string, init: RequestInit): Promise<Response> {
    const address = new URL(url);
    const proxy = findUsable(address);
    if (proxy === undefined && secureContext === undefined) return await globalThis.fetch(url, init);
    const dispatcher = agentFor(proxy);
    try {
      const response = await undiciFetch(url, { ...(init as unknown as UndiciInit), dispatcher });
      return response as unknown as Response;
    } catch (error) {
      throw proxy === undefined ? error : explainProxyFailure(error, proxy, address);
    }
  }

  /** As the client's error, or the client would take the request for one that may have arrived. */
  function findUsable(address: URL): NamedProxy | undefined {
    try {
      return findProxy(address);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new ConnectionError(error.message, { host: address.host, fault: 'fetch', neverLeft: true });
    }
  }

  return {
    fetch,
    async close() {
      isClosed = true;
      await Promise.all([...agents.values()].map(agent => agent.destroy()));
    },
  };
}
