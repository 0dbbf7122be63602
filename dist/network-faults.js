import {
  ProxyError
} from "./shared-proxy-faults.js";
import "./shared-cause.js";
import {
  ConnectionError,
  StartUnknownError,
  isLoopback,
  isObject
} from "./core.js";

// src/action/connect/network-faults.ts
var usualOption = "`base_url`";
function explainNetworkFault(error, way) {
  if (error instanceof StartUnknownError) return explainNetworkFault(error.cause, way);
  if (error instanceof ProxyError) return error.remedy;
  if (!(error instanceof ConnectionError)) return void 0;
  const through = way.proxy === void 0 ? void 0 : `The way to ${error.host} leads through the proxy ${way.proxy}`;
  const hint = explainers[error.fault]?.(error, way);
  return [through, hint].filter((sentence) => sentence !== void 0).join(". ") || void 0;
}
var proxyVariables = "Where the way out of this network is a proxy, name it in HTTPS_PROXY under `env:` of the step";
var explainers = {
  certificate: explainCertificate,
  unresolved: (_error, { proxy, option = usualOption }) => proxy === void 0 ? `Is the host of ${option} spelled as it should be, and known to the name server of the runner? ${proxyVariables}` : void 0,
  refused: ({ host }, { option = usualOption }) => isLoopback(new URL(`http://${host}`).hostname) ? `Nothing listens at ${host} on the runner itself; in a container job this is the container, and a server elsewhere has another name` : `Nothing listens at ${host}: check host and port of ${option}, and whether the server runs`,
  unreachable: explainSilence,
  timeout: explainSilence,
  tls: (_error, { proxy }) => proxy === void 0 ? void 0 : "If the proxy itself speaks plain http, its address begins with http:// for https servers too"
};
function explainSilence({ neverLeft }, { proxy }) {
  if (proxy !== void 0 || !neverLeft) return void 0;
  return `May the runner reach that host? A runner of GitHub sees public addresses alone. ${proxyVariables}`;
}
function explainCertificate(error, { hasCaFile, proxy, option = usualOption }) {
  const code = readCode(error.cause);
  const whose = proxy === void 0 ? "The server" : "The server, or a proxy that reads along,";
  if (code === "CERT_HAS_EXPIRED") return `${whose} needs a new certificate; it is checked by the clock of the runner`;
  if (code === "CERT_NOT_YET_VALID") return "Compare the clocks of the runner and of the server";
  if (code?.startsWith("ERR_TLS_CERT_ALTNAME"))
    return `Give ${option} with a host name that stands in the certificate, or have a certificate made for this one`;
  return hasCaFile ? `\`ca_file\` was read, but the authority of this certificate is not in it: it takes the certificate of the root, and those in between where the server does not send them` : `${whose} has a certificate of an authority that the runner does not know; give the file of the authority (PEM) as \`ca_file\`, or name it in NODE_EXTRA_CA_CERTS under \`env:\` of the step`;
}
function readCode(thrown) {
  let code;
  for (let error = thrown, depth = 0; depth < 5 && isObject(error); depth += 1, error = error.cause)
    if (typeof error.code === "string") code = error.code;
  return code;
}
export {
  explainNetworkFault
};
