/** What a person can do about a fault of the network, beside what the client says of it. */
import { isObject } from '../../base/json.ts';
import { isLoopback } from '../../base/loopback.ts';
import { ConnectionError, type ConnectionFault, StartUnknownError } from '../../client/index.ts';
import { ProxyError } from './proxy-faults.ts';

interface Way {
  readonly hasCaFile: boolean;
  /** What `Network.proxyOf` says for the address of the server. */
  readonly proxy: string | undefined;
  /** What the address of the server was given in. @default `base_url` */
  readonly option?: string | undefined;
}

const usualOption = '`base_url`';

/** Whole sentences without the last full stop; undefined where the client has said it all, or the fault is of another kind. */
export function explainNetworkFault(error: unknown, way: Way): string | undefined {
  if (error instanceof StartUnknownError) return explainNetworkFault(error.cause, way);
  if (error instanceof ProxyError) return error.remedy;
  if (!(error instanceof ConnectionError)) return undefined;
  const through = way.proxy === undefined ? undefined : `The way to ${error.host} leads through the proxy ${way.proxy}`;
  const hint = explainers[error.fault]?.(error, way);
  return [through, hint].filter(sentence => sentence !== undefined).join('. ') || undefined;
}

type Explain = (error: ConnectionError, way: Way) => string | undefined;

const proxyVariables = 'Where the way out of this network is a proxy, name it in HTTPS_PROXY under `env:` of the step';

const explainers: Readonly<Partial<Record<ConnectionFault, Explain>>> = {
  certificate: explainCertificate,
  unresolved: (_error, { proxy, option = usualOption }) =>
    proxy === undefined
      ? `Is the host of ${option} spelled as it should be, and known to the name server of the runner? ${proxyVariables}`
      : undefined,
  refused: ({ host }, { option = usualOption }) =>
    isLoopback(new URL(`http://${host}`).hostname)
      ? `Nothing listens at ${host} on the runner itself; in a container job this is the container, and a server elsewhere has another name`
      : `Nothing listens at ${host}: check host and port of ${option}, and whether the server runs`,
  unreachable: explainSilence,
  timeout: explainSilence,
  tls: (_error, { proxy }) =>
    proxy === undefined
      ? undefined
      : 'If the proxy itself speaks plain http, its address begins with http:// for https servers too',
};

function explainSilence({ neverLeft }: ConnectionError, { proxy }: Way): string | undefined {
  if (proxy !== undefined || !neverLeft) return undefined;
  return `May the runner reach that host? A runner of GitHub sees public addresses alone. ${proxyVariables}`;
}

function explainCertificate(error: ConnectionError, { hasCaFile, proxy, option = usualOption }: Way): string {
  const code = readCode(error.cause);
  const whose = proxy === undefined ? 'The server' : 'The server, or a proxy that reads along,';
  if (code === 'CERT_HAS_EXPIRED') return `${whose} needs a new certificate; it is checked by the clock of the runner`;
  if (code === 'CERT_NOT_YET_VALID') return 'Compare the clocks of the runner and of the server';
  if (code?.startsWith('ERR_TLS_CERT_ALTNAME'))
    return `Give ${option} with a host name that stands in the certificate, or have a certificate made for this one`;
  return hasCaFile
    ? `\`ca_file\` was read, but the authority of this certificate is not in it: it takes the certificate of the root, and those in between where the server does not send them`
    : `${whose} has a certificate of an authority that the runner does not know; give the file of the authority (PEM) as \`ca_file\`, or name it in NODE_EXTRA_CA_CERTS under \`env:\` of the step`;
}

/** The innermost code. */
function readCode(thrown: unknown): string | undefined {
  let code: string | undefined;
  for (let error = thrown, depth = 0; depth < 5 && isObject(error); depth += 1, error = error.cause)
    if (typeof error.code === 'string') code = error.code;
  return code;
}
