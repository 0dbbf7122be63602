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
  const through = way.proxy === void 0 ? void 0 : `The request to ${error.host} goes through the proxy ${way.proxy}`;
  const hint = explainers[error.fault]?.(error, way);
  return [through, hint].filter((sentence) => sentence !== void 0).join(". ") || void 0;
}
var proxyVariables = "If this network needs a proxy, set HTTPS_PROXY under `env:` of the step";
var explainers = {
  certificate: explainCertificate,
  unresolved: (_error, { proxy, option = usualOption }) => proxy === void 0 ? `Check the spelling of the host in ${option}, and that the runner's DNS can resolve it. ${proxyVariables}` : void 0,
  refused: ({ host }, { option = usualOption }) => isLoopback(new URL(`http://${host}`).hostname) ? `Nothing is listening at ${host} on the runner. In a container job, this address is the container itself; use the name of the machine that runs the server` : `Nothing is listening at ${host}. Check the host and port in ${option}, and that the server is running`,
  unreachable: explainSilence,
  timeout: explainSilence,
  tls: (_error, { proxy }) => proxy === void 0 ? void 0 : "If the proxy itself speaks plain http, its address must start with http://, even for https servers"
};
function explainSilence({ neverLeft }, { proxy }) {
  if (proxy !== void 0 || !neverLeft) return void 0;
  return `Check that the runner can reach that host. GitHub-hosted runners reach only public addresses. ${proxyVariables}`;
}
function explainCertificate(error, { hasCaFile, proxy, option = usualOption }) {
  const code = readCode(error.cause);
  const whose = proxy === void 0 ? "The server" : "The server, or a proxy that inspects its traffic,";
  if (code === "CERT_HAS_EXPIRED") return `${whose} needs a new certificate, or the clock of the runner is wrong`;
  if (code === "CERT_NOT_YET_VALID") return "Compare the clocks of the runner and of the server";
  if (code?.startsWith("ERR_TLS_CERT_ALTNAME"))
    return `Use a host name in ${option} that the certificate lists, or issue a certificate for this one`;
  return hasCaFile ? `\`ca_file\` does not contain the authority of this certificate. It needs the root certificate, and any intermediate ones that the server does not send` : `${whose} uses a certificate from an authority that the runner does not trust. Set \`ca_file\` to the authority's PEM file, or set NODE_EXTRA_CA_CERTS under \`env:\` of the step`;
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
