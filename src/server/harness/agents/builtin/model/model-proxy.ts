const own = 'localhost,127.0.0.1,[::1]';

/**
 * Makes `fetch` use the proxies in the run's environment, with curl's precedence: lower case wins, an empty variable
 * counts as unset. Node's own switch would also apply to every program that the agent starts, asks for tunnels to
 * port 80, and ends the program at an address without `http://`.
 */
export async function useProxies(env: Readonly<Record<string, string | undefined>>): Promise<void> {
  const read = (name: string): string => (env[name.toLowerCase()] || env[name] || '').trim();
  const [httpProxy = '', httpsProxy = ''] = ['HTTP_PROXY', 'HTTPS_PROXY'].map(name => readAddress(name, read(name)));
  const noProxy = read('NO_PROXY');
  if ((httpProxy === '' && httpsProxy === '') || noProxy === '*') return;
  const undici = await import('undici');
  // Its types omit that this is passed on to the agent of each proxy.
  const options = { httpProxy, httpsProxy, noProxy: `${noProxy},${own}`, proxyTunnel: false };
  undici.setGlobalDispatcher(new undici.EnvHttpProxyAgent(options));
  // Node's own fetch may be of another version.
  const { fetch, FormData, Headers, Request, Response } = undici;
  Object.assign(globalThis, { fetch, FormData, Headers, Request, Response });
}

/** Throws an Error without the value, which may contain a password. */
function readAddress(name: string, value: string): string {
  if (value === '') return '';
  const url = URL.parse(value.includes('://') ? value : `http://${value}`);
  if (url !== null && ['http:', 'https:'].includes(url.protocol)) return url.href;
  throw new Error(`${name} must be the address of an HTTP proxy, such as http://host:port`);
}
