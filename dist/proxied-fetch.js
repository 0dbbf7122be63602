import {
  explainProxyFailure
} from "./shared-proxy-faults.js";
import "./shared-cause.js";
import {
  ConnectionError,
  InputError
} from "./core.js";

// src/action/connect/proxied-fetch.ts
function createProxiedFetch({
  findProxy,
  secureContext
}) {
  const agents = /* @__PURE__ */ new Map();
  let isClosed = false;
  function agentFor({ Agent, ProxyAgent }, proxy) {
    if (isClosed) throw new Error("the network of the step is closed; nothing can be sent anymore");
    const key = proxy === void 0 ? "" : `${proxy.origin} ${proxy.authorization}`;
    const trusting = secureContext === void 0 ? {} : { secureContext };
    const agent = agents.get(key) ?? (proxy === void 0 ? new Agent({ connect: trusting }) : new ProxyAgent({
      uri: proxy.origin,
      ...proxy.authorization === void 0 ? {} : { token: proxy.authorization },
      requestTls: trusting,
      proxyTls: trusting,
      // Many proxies open tunnels to the ports of TLS alone.
      proxyTunnel: false
    }));
    agents.set(key, agent);
    return agent;
  }
  async function fetch(url, init) {
    const address = new URL(url);
    const proxy = findUsable(address);
    if (proxy === void 0 && secureContext === void 0) return await globalThis.fetch(url, init);
    const undici = await import("./undici.js");
    const dispatcher = agentFor(undici, proxy);
    try {
      const response = await undici.fetch(url, { ...init, dispatcher });
      return response;
    } catch (error) {
      throw proxy === void 0 ? error : explainProxyFailure(error, proxy, address);
    }
  }
  function findUsable(address) {
    try {
      return findProxy(address);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      throw new ConnectionError(error.message, { host: address.host, fault: "fetch", neverLeft: true });
    }
  }
  return {
    fetch,
    async close() {
      isClosed = true;
      await Promise.all([...agents.values()].map((agent) => agent.destroy()));
    }
  };
}
export {
  createProxiedFetch
};
