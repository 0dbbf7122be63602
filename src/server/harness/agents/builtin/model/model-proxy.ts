/** Loopback addresses bypass the proxy. */
const own = 'localhost,127.0.0.1,[::1]';

/**
 * Has `fetch` go through the proxies that the environment of the run names, with curl's precedence: small letters win, an empty variable is none. Node's own
 * switch would come with every program that the agent starts, asks for tunnels to port 80, and ends the program at an address without `http://`.
 */
export async function useProxies(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const read = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();
  const [httpProxy = '', httpsProxy = ''] = ['HTTP_PROXY', 'HTTPS_PROXY'].map(name => readAddress(name, read(name)));
  const noProxy = read('NO_PROXY');
  if ((httpProxy === '' && httpsProxy === '') || noProxy === '*') return;
  const undici = await import('undici');
  // Its types leave out that it passes this on to the agent of each proxy.
  const options = { httpProxy, httpsProxy, noProxy: `${noProxy},${own}`, proxyTunnel: false };
  undici.setGlobalDispatcher(new undici.EnvHttpProxyAgent(options));
  // The one of Node may be of another version.
  const { fetch, FormData, Headers, Request, Response } = undici;
  Object.assign(globalThis, { fetch, FormData, Headers, Request, Response });
}

/** Throws an Error without the value, which may hold a password. */
function readAddress(name: string, value: string): string {
  if (value === '') return '';
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url.href;
  throw new Error(`${name} must be the address of an HTTP proxy, such as http://host:port`);
}
