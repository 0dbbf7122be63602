/**
 * Finds the addresses that NO_PROXY exempts, by the rules of curl and the runner:
 * - A name covers its subdomains, with or without a leading dot or `*.`.
 * - A port narrows an entry.
 * - IP addresses are compared as addresses, also with a prefix (10.0.0.0/8).
 * - `*` covers everything.
 */
import { BlockList, isIP, isIPv4 } from 'node:net';
import { isLoopback } from '../../base/network/loopback.ts';

/** Sends even loopback through the proxy. Chromium uses the same spelling. */
const proxyLoopback = '<-loopback>';

/** True if `url` is reached without a proxy. Loopback usually is: for a proxy it means another machine. */
export function isExempt(url: URL, noProxy: string): boolean {
  const entries = noProxy
    .toLowerCase()
    .split(/[\s,]+/)
    .filter(entry => entry !== '');
  if (entries.includes('*')) return true;
  const host = url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  if (isLoopback(host) && !entries.includes(proxyLoopback)) return true;
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  return entries.some(entry => {
    const { name, onlyPort } = readEntry(entry);
    if (onlyPort !== undefined && onlyPort !== port) return false;
    return isIP(host) === 0 ? coversName(name, host) : coversAddress(name, host);
  });
}

/** A name with more than one colon and no brackets is an IPv6 address without a port. */
function readEntry(entry: string): { readonly name: string; readonly onlyPort: string | undefined } {
  const [, bracketed, bare, onlyPort] = /^(?:\[([^\]]+)\]|([^:[\]]+))(?::(\d+))?$/.exec(entry) ?? [];
  return { name: bracketed ?? bare ?? entry, onlyPort };
}

function coversName(name: string, host: string): boolean {
  const domain = name.replace(/^\*?\./, '').replace(/\.$/, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function coversAddress(name: string, host: string): boolean {
  const [address = '', prefix] = name.split('/');
  if (isIP(address) === 0) return false;
  const bits = isIPv4(address) ? 32 : 128;
  const prefixBits = prefix === undefined ? bits : /^\d{1,3}$/.test(prefix) ? Number(prefix) : Number.NaN;
  if (!(prefixBits <= bits)) return false;
  const covered = new BlockList();
  covered.addSubnet(address, prefixBits, familyOf(address));
  return covered.check(host, familyOf(host));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}
