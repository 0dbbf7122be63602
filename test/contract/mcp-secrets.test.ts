import { expect, test } from 'vitest';
import { hideMcpSecrets } from '../../src/contract/mcp-secrets.ts';

const hide = (url: string) => hideMcpSecrets({ mcp_servers: { a: { url } } }).mcp_servers?.a?.url;

test.each([
  ['https://mcp.example.com/a?user=octo&key=k', 'https://mcp.example.com/a?user=***&key=***'],
  [
    'https://mcp.example.com/a?flag&empty=&a==?b=c#d?e=f&g=h',
    'https://mcp.example.com/a?flag&empty=&a=***#d?e=***&g=***',
  ],
  ['https://mcp.example.com/a=b?c?d=e', 'https://mcp.example.com/a=b?c?d=***'],
  ['https://octo:pass@mcp.example.com:8443/a@b', 'https://octo:***@mcp.example.com:8443/a@b'],
  ['https://octo:pa:s@s@mcp.example.com', 'https://octo:***@mcp.example.com'],
  ['https:\\\\octo:pass@mcp.example.com', 'https:\\\\octo:***@mcp.example.com'],
  ['https://octo@mcp.example.com:8443/a:b@c', 'https://octo@mcp.example.com:8443/a:b@c'],
])('a view of %s shows %s', (url, shown) => {
  expect(hide(url)).toBe(shown);
});

test.each([
  ['http://h/?', '?'],
  ['http://h/?', '&'],
  ['http://h\\', ':'],
  ['http://h\\', ':@'],
  ['http:', '\\'],
  ['http://h/?', '?=&'],
])('an address of %s and thousands of %s is redacted in linear time', (begin, more) => {
  const url = begin + more.repeat(32_000 / more.length);
  const began = performance.now();
  for (let time = 0; time < 5; time += 1) hide(url);
  expect(performance.now() - began).toBeLessThan(1000);
});
