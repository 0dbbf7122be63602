import { expect, test } from 'vitest';
import { readProxies, type Variables } from '../../../src/action/connect/proxies.ts';

const server = new URL('https://agents.example.com');
const plainServer = new URL('http://agents.example.com');

const named: readonly (readonly [
  fact: string,
  variables: Variables,
  https: string | undefined,
  http: string | undefined,
])[] = [
  ['nothing names none', {}, undefined, undefined],
  ['each scheme has its own', { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://b:2' }, 'a:1', 'b:2'],
  ['the lower-case spelling goes first', { HTTPS_PROXY: 'http://a:1', https_proxy: 'http://b:2' }, 'b:2', undefined],
  ['an empty variable is none', { https_proxy: ' ', HTTPS_PROXY: 'http://a:1' }, 'a:1', undefined],
  ['https is not sent to the proxy of http', { http_proxy: 'http://a:1' }, undefined, 'a:1'],
  ['ALL_PROXY serves where nothing else does', { ALL_PROXY: 'http://a:1', http_proxy: 'http://b:2' }, 'a:1', 'b:2'],
  ['a scheme may be left out', { https_proxy: 'proxy.example.com:3128' }, 'proxy.example.com:3128', undefined],
  ['a port may be left out', { https_proxy: 'http://a', http_proxy: 'https://a' }, 'a:80', 'a:443'],
  [
    'NO_PROXY keeps both away',
    { https_proxy: 'a:1', http_proxy: 'a:1', NO_PROXY: 'example.com' },
    undefined,
    undefined,
  ],
  ['no_proxy goes before NO_PROXY', { https_proxy: 'a:1', no_proxy: 'b', NO_PROXY: 'example.com' }, 'a:1', undefined],
  ['an empty no_proxy is none', { https_proxy: 'a:1', no_proxy: '', NO_PROXY: 'example.com' }, undefined, undefined],
];

test.each(named)('%s', (_fact, variables, https, http) => {
  const proxies = readProxies(variables);
  expect([proxies.find(server)?.host, proxies.find(plainServer)?.host]).toEqual([https, http]);
});

test('credentials are sent decoded and are secrets in every spelling', () => {
  const proxies = readProxies({ https_proxy: 'http://mona:pa%40s^s@proxy.example.com:3128' });
  const token = Buffer.from('mona:pa@s^s').toString('base64');
  expect(proxies.find(server)?.authorization).toBe(`Basic ${token}`);
  expect(proxies.secrets.toSorted()).toEqual(['pa%40s%5Es', 'pa%40s^s', 'pa@s^s', token].toSorted());
});

test('an invalid percent escape in credentials is taken literally', () => {
  const proxies = readProxies({ https_proxy: 'http://mona:100%sure@proxy.example.com' });
  expect(proxies.find(server)?.authorization).toBe(`Basic ${Buffer.from('mona:100%sure').toString('base64')}`);
});

test('a user name without a password is a token and therefore a secret', () => {
  const { secrets } = readProxies({ https_proxy: 'http://sesame-token@proxy.example.com' });
  expect(secrets).toContain('sesame-token');
});

const unusable: readonly (readonly [value: string, message: RegExp])[] = [
  [
    'http://mona:sesame@proxy.example.com:port',
    /^HTTPS_PROXY: "http:\/\/\*\*\*@proxy\.example\.com:port" is not a proxy address.*http:\/\/host:port/,
  ],
  ['mona:sesame@', /^HTTPS_PROXY: "\*\*\*@" is not a proxy address/],
  ['http://mona:ses#ame@proxy.example.com', /is not a proxy address.*%XX/],
  ['http://mona:12/sesame@proxy.example.com', /is not a proxy address.*%XX/],
  [
    'socks5://mona:sesame@proxy.example.com:1080',
    /^HTTPS_PROXY: "socks5:\/\/\*\*\*@proxy\.example\.com:1080" is a socks5 proxy, which is not supported; .*NO_PROXY/,
  ],
];

test.each(unusable)('%s is refused without showing its credentials', (value, message) => {
  const proxies = readProxies({ HTTPS_PROXY: value });
  expect(() => proxies.find(server)).toThrow(message);
  expect(() => proxies.find(server)).not.toThrow(/sesame|ame@|mona/);
});

test('an invalid proxy variable does not affect addresses that do not use it', () => {
  const proxies = readProxies({ ALL_PROXY: 'socks5://a:1', https_proxy: 'http://b:2', no_proxy: 'exempt.example.com' });
  expect(proxies.find(server)?.host).toBe('b:2');
  expect(proxies.find(new URL('http://exempt.example.com'))).toBeUndefined();
  expect(() => proxies.find(plainServer)).toThrow('ALL_PROXY');
});
