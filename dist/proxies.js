import {
  InputError,
  isLoopback,
  quoteText
} from "./core.js";

// src/action/connect/no-proxy.ts
import { BlockList, isIP, isIPv4 } from "node:net";
var proxyLoopback = "<-loopback>";
function isExempt(url, noProxy) {
  const entries = noProxy.toLowerCase().split(/[\s,]+/).filter((entry) => entry !== "");
  if (entries.includes("*")) return true;
  const host = url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
  if (isLoopback(host) && !entries.includes(proxyLoopback)) return true;
  const port = url.port === "" ? url.protocol === "https:" ? "443" : "80" : url.port;
  return entries.some((entry) => {
    const { name, onlyPort } = readEntry(entry);
    if (onlyPort !== void 0 && onlyPort !== port) return false;
    return isIP(host) === 0 ? coversName(name, host) : coversAddress(name, host);
  });
}
function readEntry(entry) {
  const [, bracketed, bare, onlyPort] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? bare ?? entry, onlyPort };
}
function coversName(name, host) {
  const domain = name.replace(/^\*?\./, "").replace(/\.$/, "");
  return domain !== "" && (host === domain || host.endsWith(`.${domain}`));
}
function coversAddress(name, host) {
  const [address = "", prefix] = name.split("/");
  if (isIP(address) === 0) return false;
  const bits = isIPv4(address) ? 32 : 128;
  const prefixBits = prefix === void 0 ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(prefixBits <= bits)) return false;
  const covered = new BlockList();
  covered.addSubnet(address, prefixBits, familyOf(address));
  return covered.check(host, familyOf(host));
}
function familyOf(address) {
  return isIPv4(address) ? "ipv4" : "ipv6";
}

// src/action/connect/proxies.ts
var variablesOf = {
  "https:": ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"],
  "http:": ["http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"]
};
function readProxies(variables) {
  const noProxy = [variables.no_proxy, variables.NO_PROXY].find(isSet) ?? "";
  const named = new Map(Object.entries(variablesOf).map(([scheme, names]) => [scheme, tryProxy(names, variables)]));
  return {
    find(url) {
      const proxy = named.get(url.protocol);
      if (proxy === void 0 || isExempt(url, noProxy)) return void 0;
      if (proxy instanceof InputError) throw proxy;
      return proxy;
    },
    secrets: [...new Set([...named.values()].flatMap((proxy) => proxy && "secrets" in proxy ? proxy.secrets : []))]
  };
}
function tryProxy(names, variables) {
  const variable = names.find((name) => isSet(variables[name]));
  if (variable === void 0) return void 0;
  try {
    return readProxy(variable, variables[variable] ?? "");
  } catch (error) {
    if (error instanceof InputError) return error;
    throw error;
  }
}
function isSet(value) {
  return value !== void 0 && value.trim() !== "";
}
function readProxy(variable, value) {
  const text = value.trim();
  const refuse = (why) => {
    throw new InputError(`${variable}: ${quoteText(hideCredentials(text))} ${why}`);
  };
  const url = URL.parse(/^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`);
  if (url === null || (url.pathname + url.search + url.hash).includes("@"))
    return refuse(
      "is not a proxy address; write it as http://host:port or http://user:password@host:port, with %XX for special characters in the password"
    );
  if (url.protocol !== "http:" && url.protocol !== "https:")
    return refuse(
      `is a ${url.protocol.slice(0, -1)} proxy, which is not supported; use an http proxy (http://host:port), or add the server's host to NO_PROXY`
    );
  const [user, password] = [decode(url.username), decode(url.password)];
  const token = Buffer.from(`${user}:${password}`).toString("base64");
  const hasCredentials = user !== "" || password !== "";
  return {
    variable,
    origin: url.origin,
    host: `${url.hostname}:${url.port === "" ? url.protocol === "https:" ? 443 : 80 : url.port}`,
    authorization: hasCredentials ? `Basic ${token}` : void 0,
    secrets: hasCredentials ? secretsOf({ text, user, password, encoded: url.password, token }) : []
  };
}
function secretsOf(parts) {
  const written = /^(?:[^:]+:\/\/)?[^:]*:(.*)@/s.exec(parts.text)?.[1] ?? "";
  const secrets = parts.password === "" ? [parts.user] : [written, parts.encoded, parts.password];
  return [.../* @__PURE__ */ new Set([...secrets, parts.token])].filter((secret) => secret !== "");
}
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
function hideCredentials(text) {
  return text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, "$1***@");
}
export {
  readProxies
};
