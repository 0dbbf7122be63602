/** Faults between the step and its proxy, kept apart from the server's because it never saw the request. */
import { describeParts, findCause } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import { ConnectionError, type ConnectionFault } from '../../client/index.ts';
import type { NamedProxy } from './proxies.ts';

/** The request reached only the proxy, so the server has not seen it. */
export class ProxyError extends ConnectionError {
  override readonly name = 'ProxyError';
  readonly remedy: string;

  constructor(
    words: string,
    facts: { readonly server: URL; readonly fault: ConnectionFault; readonly remedy: string },
  ) {
    super(`${facts.server.host}: ${words}`, { host: facts.server.host, fault: facts.fault, neverLeft: true });
    this.remedy = facts.remedy;
  }
}

function refuseCredentials(proxy: NamedProxy, server: URL): ProxyError {
  const [words, remedy] =
    proxy.authorization === undefined
      ? ['requires a user name and password', `Add them to ${proxy.variable} as http://user:password@host:port`]
      : [
          `rejected the user name and password in ${proxy.variable}`,
          `Check them; write special characters of the password as %XX`,
        ];
  // Not retried: the proxy would refuse the same credentials again.
  return new ProxyError(`the proxy ${proxy.host} ${words} (407)`, { server, fault: 'fetch', remedy });
}

/** Returns a ProxyError if the proxy is certainly at fault, otherwise what undici threw. */
export function explainProxyFailure(thrown: unknown, proxy: NamedProxy, server: URL): unknown {
  const { status, code, syscall } = readFailure(thrown);
  if (status === 407) return refuseCredentials(proxy, server);
  if (status !== undefined)
    return new ProxyError(`the proxy ${proxy.host} refused to connect to the server (${status})`, {
      server,
      // A proxy that refuses a request on purpose refuses it again.
      fault: status < 500 ? 'fetch' : 'unreachable',
      remedy: `Check that the proxy can resolve ${server.hostname} and may connect to its port ${server.port || 443}. If the host needs no proxy, add it to NO_PROXY`,
    });
  // This process resolves and connects to no host except the proxy.
  if (syscall !== 'connect' && syscall !== 'getaddrinfo') return thrown;
  const [fault, words] = faults[code] ?? ['unreachable', 'cannot be reached'];
  return new ProxyError(`the proxy ${proxy.host} ${words} (${describeParts(findCause(thrown)) ?? code})`, {
    server,
    fault,
    remedy: `Check ${proxy.variable}, or add ${server.hostname} to NO_PROXY if it needs no proxy`,
  });
}

const faults: Readonly<Record<string, readonly [ConnectionFault, string]>> = {
  ECONNREFUSED: ['refused', 'refused the connection'],
  ECONNRESET: ['unreachable', 'closed the connection'],
  ENOTFOUND: ['unresolved', 'has a host name that does not resolve'],
  EAI_AGAIN: ['unresolved', 'has a host name that does not resolve'],
};

/** undici reports the status of a refusal only in its message. */
function readFailure(thrown: unknown): { status: number | undefined; code: string; syscall: unknown } {
  let [status, code, syscall]: [number | undefined, string, unknown] = [undefined, 'no code', undefined];
  for (let error = thrown, depth = 0; depth < 5 && isObject(error); depth += 1) {
    const told = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(String(error.message))?.[1];
    if (told !== undefined) status = Number(told);
    if (typeof error.code === 'string') code = error.code;
    if (error.syscall !== undefined) syscall = error.syscall;
    error = error.cause ?? (Array.isArray(error.errors) ? error.errors[0] : undefined);
  }
  return { status, code, syscall };
}
