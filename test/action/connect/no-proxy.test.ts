import { expect, test } from 'vitest';
import { isExempt } from '../../../src/action/connect/no-proxy.ts';

const cases: readonly (readonly [noProxy: string, url: string, isExempt: boolean])[] = [
  ['', 'https://agents.example.com', false],
  ['agents.example.com', 'https://agents.example.com', true],
  ['AGENTS.example.COM', 'https://Agents.Example.com', true],
  ['agents.example.com.', 'https://agents.example.com', true],
  ['agents.example.com', 'https://agents.example.com.', true],
  ['other.example.com', 'https://agents.example.com', false],
  ['a.example.com, agents.example.com', 'https://agents.example.com', true],
  ['a.example.com agents.example.com', 'https://agents.example.com', true],
  // Names cover their subdomains.
  ['example.com', 'https://agents.example.com', true],
  ['example.com', 'https://myexample.com', false],
  ['.example.com', 'https://agents.example.com', true],
  ['.example.com', 'https://example.com', true],
  ['.example.com', 'https://myexample.com', false],
  ['*.example.com', 'https://agents.example.com', true],
  ['agents.example.com', 'https://example.com', false],
  ['.', 'https://agents.example.com', false],
  // Everything.
  ['*', 'https://agents.example.com', true],
  ['a.example.com,*', 'http://192.0.2.1', true],
  // Ports.
  ['agents.example.com:8443', 'https://agents.example.com:8443', true],
  ['agents.example.com:8443', 'https://agents.example.com', false],
  ['agents.example.com:443', 'https://agents.example.com', true],
  ['agents.example.com:80', 'http://agents.example.com', true],
  ['.example.com:8443', 'https://agents.example.com:8443', true],
  // Addresses are compared as addresses.
  ['192.0.2.1', 'http://192.0.2.1', true],
  ['192.0.2.1', 'http://192.0.2.10', false],
  ['2.1', 'http://192.0.2.1', false],
  ['192.0.2.1:8080', 'http://192.0.2.1:8080', true],
  ['192.0.2.1:8080', 'http://192.0.2.1', false],
  ['192.0.2.0/24', 'http://192.0.2.77', true],
  ['192.0.2.0/24', 'http://192.0.3.77', false],
  ['192.0.2.0/33', 'http://192.0.2.0', false],
  ['192.0.2.0/x', 'http://192.0.2.0', false],
  ['192.0.2.0/24', 'http://agents.example.com', false],
  ['2001:db8::1', 'http://[2001:db8:0:0::1]', true],
  ['[2001:db8::1]', 'http://[2001:db8::1]', true],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]:8080', true],
  ['[2001:db8::1]:8080', 'http://[2001:db8::1]', false],
  ['2001:db8::/32', 'http://[2001:db8:ffff::1]', true],
  ['2001:db8::/32', 'http://[2001:db9::1]', false],
  ['192.0.2.0/24', 'http://[2001:db8::1]', false],
  // Loopback.
  ['', 'http://127.0.0.1:3000', true],
  ['', 'http://localhost:3000', true],
  ['', 'http://[::1]:3000', true],
  ['<-loopback>', 'http://127.0.0.1:3000', false],
  ['<-loopback>', 'http://localhost:3000', false],
  ['<-loopback>,localhost', 'http://localhost:3000', true],
  ['<-loopback>', 'http://agents.example.com', false],
];

test.each(cases)('NO_PROXY "%s" exempts %s: %s', (noProxy, url, expected) => {
  expect(isExempt(new URL(url), noProxy)).toBe(expected);
});
