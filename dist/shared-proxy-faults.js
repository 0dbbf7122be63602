import {
  describeParts,
  findCause
} from "./shared-cause.js";
import {
  ConnectionError,
  isObject
} from "./core.js";

// src/action/connect/proxy-faults.ts
var ProxyError = class extends ConnectionError {
  name = "ProxyError";
  /** What to do. */
  remedy;
  constructor(words, facts) {
    super(`${facts.server.host}: ${words}`, { host: facts.server.host, fault: facts.fault, neverLeft: true });
    this.remedy = facts.remedy;
  }
};
function refuseCredentials(proxy, server) {
  const [words, remedy] = proxy.authorization === void 0 ? ["requires a user name and password", `Add them to ${proxy.variable} as http://user:password@host:port`] : [
    `rejected the user name and password in ${proxy.variable}`,
    `Check them; write special characters of the password as %XX`
  ];
  return new ProxyError(`the proxy ${proxy.host} ${words} (407)`, { server, fault: "fetch", remedy });
}
function explainProxyFailure(thrown, proxy, server) {
  const { status, code, syscall } = readFailure(thrown);
  if (status === 407) return refuseCredentials(proxy, server);
  if (status !== void 0)
    return new ProxyError(`the proxy ${proxy.host} refused to connect to the server (${status})`, {
      server,
      // A proxy that is allowed to say no says it again.
      fault: status < 500 ? "fetch" : "unreachable",
      remedy: `Check that the proxy can resolve ${server.hostname} and may connect to its port ${server.port || 443}. If the host needs no proxy, add it to NO_PROXY`
    });
  if (syscall !== "connect" && syscall !== "getaddrinfo") return thrown;
  const [fault, words] = faults[code] ?? ["unreachable", "cannot be reached"];
  return new ProxyError(`the proxy ${proxy.host} ${words} (${describeParts(findCause(thrown)) ?? code})`, {
    server,
    fault,
    remedy: `Check ${proxy.variable}, or add ${server.hostname} to NO_PROXY if it needs no proxy`
  });
}
var faults = {
  ECONNREFUSED: ["refused", "refused the connection"],
  ENOTFOUND: ["unresolved", "has a host name that does not resolve"],
  EAI_AGAIN: ["unresolved", "has a host name that does not resolve"]
};
function readFailure(thrown) {
  let [status, code, syscall] = [void 0, "no code", void 0];
  for (let error = thrown, depth = 0; depth < 5 && isObject(error); depth += 1) {
    const told = /^Proxy (?:response|Authentication Required) \((\d{3})\)/.exec(String(error.message))?.[1];
    if (told !== void 0) status = Number(told);
    if (typeof error.code === "string") code = error.code;
    if (error.syscall !== void 0) syscall = error.syscall;
    error = error.cause ?? (Array.isArray(error.errors) ? error.errors[0] : void 0);
  }
  return { status, code, syscall };
}

export {
  ProxyError,
  explainProxyFailure
};
