/** Dispatchers for proxies and for extra certificates. Only this file loads undici. */
import type { SecureContext } from 'node:tls';
// The bundle contains undici under this name. The toolkit's import of `undici`, which nothing here uses, is left out.
import { Agent, type Dispatcher, errors, Pool, ProxyAgent, fetch as undiciFetch } from 'undici/index.js';
import type { NamedProxy } from './proxies.ts';

/** `secureContext` is set only if the step trusts more certificates than the process does. */
export function createDispatcher(proxy: NamedProxy | undefined, secureContext: SecureContext | undefined): Dispatcher {
  const trusting = secureContext === undefined ? {} : { secureContext };
  if (proxy === undefined) return new Agent({ connect: trusting });
  return new ProxyAgent({
    uri: proxy.origin,
    ...(proxy.authorization === undefined ? {} : { token: proxy.authorization }),
    requestTls: trusting,
    proxyTls: trusting,
    // Many proxies open tunnels to TLS ports only.
    proxyTunnel: false,
    clientFactory: (origin, options) => new ProxyConnections(origin, options),
  });
}

/** If a proxy closes the connection instead of opening a tunnel, undici retries at once and without end. */
class ProxyConnections extends Pool {
  override async connect(options: Dispatcher.ConnectOptions): Promise<Dispatcher.ConnectData> {
    try {
      return await super.connect(options);
    } catch (error) {
      if (!(error instanceof errors.SocketError)) throw error;
      throw Object.assign(new Error(error.message), { code: 'ECONNRESET', syscall: 'connect' });
    }
  }
}

/** A redirect uses the proxy of the first address. */
export async function fetchThrough(dispatcher: Dispatcher, url: string, init: RequestInit): Promise<Response> {
  const given = { ...init, dispatcher } as unknown as Parameters<typeof undiciFetch>[1];
  return (await undiciFetch(url, given)) as unknown as Response;
}
