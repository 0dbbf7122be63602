/** Advice for network faults, in addition to the client's own message. */
import { isObject } from '../../base/json.ts';
import { isLoopback } from '../../base/network/loopback.ts';
import { ConnectionError, type ConnectionFault, StartUnknownError } from '../../client/index.ts';
import { ProxyError } from './proxy-faults.ts';

interface Way {
  readonly hasCaFile: boolean;
  /** Result of `Network.proxyOf` for the server's address. */
  readonly proxy: string | undefined;
  /** Name of the input or variable that set the server's address. @default `base_url` */
  readonly option?: string | undefined;
}

const usualOption = '`base_url`';

/** Sentences without the last period. Undefined if the client's message is enough. */
export function explainNetworkFault(error: unknown, way: Way): string | undefined {
  if (error instanceof StartUnknownError) return explainNetworkFault(error.cause, way);
  if (error instanceof ProxyError) return error.remedy;
  if (!(error instanceof ConnectionError)) return undefined;
  const through =
    way.proxy === undefined ? undefined : `The request to ${error.host} goes through the proxy ${way.proxy}`;
  const hint = explainers[error.fault]?.(error, way);
  return [through, hint].filter(sentence => sentence !== undefined).join('. ') || undefined;
}

type Explain = (error: ConnectionError, way: Way) => string | undefined;

const proxyVariables = 'If this network needs a proxy, set HTTPS_PROXY under `env:` of the step';

const explainers: Readonly<Partial<Record<ConnectionFault, Explain>>> = {
  certificate: explainCertificate,
  unresolved: (_error, { proxy, option = usualOption }) =>
    proxy === undefined
      ? `Check the spelling of the host in ${option}, and that the runner's DNS can resolve it. ${proxyVariables}`
      : undefined,
  refused: ({ host }, { option = usualOption }) =>
    isLoopback(new URL(`http://${host}`).hostname)
      ? `Nothing is listening at ${host} on the runner. In a container job, this address is the container itself; use the name of the machine that runs the server`
      : `Nothing is listening at ${host}. Check the host and port in ${option}, and that the server is running`,
  unreachable: explainSilence,
  timeout: explainSilence,
  tls: (_error, { proxy }) =>
    proxy === undefined
      ? undefined
      : 'If the proxy itself speaks plain http, its address must start with http://, even for https servers',
};

function explainSilence({ neverLeft }: ConnectionError, { proxy }: Way): string | undefined {
  if (proxy !== undefined || !neverLeft) return undefined;
  return `Check that the runner can reach that host. GitHub-hosted runners reach only public addresses. ${proxyVariables}`;
}

function explainCertificate(error: ConnectionError, { hasCaFile, proxy, option = usualOption }: Way): string {
  const code = readCode(error.cause);
  const whose = proxy === undefined ? 'The server' : 'The server, or a proxy that inspects its traffic,';
  if (code === 'CERT_HAS_EXPIRED') return `${whose} needs a new certificate, or the clock of the runner is wrong`;
  if (code === 'CERT_NOT_YET_VALID') return 'Compare the clocks of the runner and of the server';
  if (code?.startsWith('ERR_TLS_CERT_ALTNAME'))
    return `Use a host name in ${option} that the certificate lists, or issue a certificate for this one`;
  return hasCaFile
    ? `\`ca_file\` does not contain the authority of this certificate. It needs the root certificate, and any intermediate ones that the server does not send`
    : `${whose} uses a certificate from an authority that the runner does not trust. Set \`ca_file\` to the authority's PEM file, or set NODE_EXTRA_CA_CERTS under \`env:\` of the step`;
}

function readCode(thrown: unknown): string | undefined {
  let code: string | undefined;
  for (let error = thrown, depth = 0; depth < 5 && isObject(error); depth += 1, error = error.cause)
    if (typeof error.code === 'string') code = error.code;
  return code;
}
