/**
 * Which addresses NO_PROXY keeps from the proxy, read as curl and the runner do: a name covers the hosts below it, with or without a dot or
 * `*.` before it; a port narrows an entry; addresses are compared as addresses, also with a prefix (10.0.0.0/8); `*` covers everything.
 */
import { BlockList, isIP, isIPv4 } from 'node:net';
import { isLoopback } from '../../base/network/loopback.ts';

/** Asks for a proxy even to this machine, in the spelling of Chromium. */
const proxyLoopback = '<-loopback>';

/** Whether `url` is reached without a proxy. This machine is, for a proxy elsewhere would look for the server on itself. */
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

/** More than one colon without brackets is an IPv6 address without a port. */
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
