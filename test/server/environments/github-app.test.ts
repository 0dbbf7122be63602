import { generateKeyPairSync, verify } from 'node:crypto';
import { expect, test } from 'vitest';
import { createAppTokens } from '../../../src/server/environments/github-app.ts';
import { grantToken, openFakeGitHub } from '../../support/fake-github.ts';

const { privateKey: key, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const privateKey = key.export({ type: 'pkcs8', format: 'pem' }).toString();
const { signal } = new AbortController();

const installation = 'GET /repos/octo-org/shop/installation';
const tokens = 'POST /app/installations/7/access_tokens';
async function openApp() {
  const api = await openFakeGitHub();
  return { ...api, tokenOf: createAppTokens({ id: 12345, privateKey, apiUrl: api.apiUrl }) };
}

test("a token is requested for one repository with the App's signature", async () => {
  const { faults, requests, tokenOf } = await openApp();
  faults.push(...grantToken('ghs_1'));
  expect(await tokenOf('octo-org/shop', signal)).toBe('ghs_1');
  expect(requests.map(({ method, path }) => `${method} ${path}`)).toEqual([installation, tokens]);
  expect(requests[1]?.body).toEqual({ repositories: ['shop'] });
  for (const { token = '' } of requests) {
    const [, head = '', body = '', signature = ''] = /^bearer ([^.]+)\.([^.]+)\.([^.]+)$/.exec(token) ?? [];
    expect(JSON.parse(Buffer.from(body, 'base64url').toString())).toMatchObject({ iss: 12345 });
    expect(verify('sha256', Buffer.from(`${head}.${body}`), publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
  }
});

test('a token is cached per repository until five minutes before it expires', async () => {
  const { faults, calls, tokenOf } = await openApp();
  faults.push(...grantToken('ghs_short', { minutes: 4.9 }), ...grantToken('ghs_long', { minutes: 5.5 }));
  for (const token of ['ghs_short', 'ghs_long', 'ghs_long']) expect(await tokenOf('octo-org/shop', signal)).toBe(token);
  expect(calls().filter(call => call === tokens)).toHaveLength(2);
  await expect(tokenOf('octo-org/tools', signal)).rejects.toThrow(
    /^GitHub App 12345 is not installed on octo-org\/tools\. Install it there, or add the repository to its installation$/,
  );
});

test.each([
  [
    { on: installation, status: 401, body: { message: 'A JSON web token could not be decoded' } },
    'does not have this private key: the host answered 401: A JSON web token could not be decoded. Set `id` to the ID of the App, and',
  ],
  [
    { on: installation, status: 404, body: { message: 'Integration not found' } },
    'does not have this private key: the host answered 404: Integration not found. Set `id`',
  ],
  [
    { on: tokens, status: 403, body: { message: 'This installation has been suspended' } },
    'got no token for octo-org/shop: the host answered 403: This installation has been suspended',
  ],
  [{ on: tokens, status: 201, body: { token: 'a b', expires_at: '' } }, 'answered with no token'],
  [{ on: installation, status: 502, how: 'html', times: 2 } as const, 'answered 502'],
  [
    { on: installation, status: 307, headers: { location: 'http://127.0.0.1:1/x' }, times: 2 },
    'got no token for octo-org/shop: http',
  ],
])('%j is described in plain words', async (fault, words) => {
  const { faults, requests, tokenOf } = await openApp();
  faults.push(fault, ...grantToken('ghs_1'));
  const said = await tokenOf('octo-org/shop', signal).then(String, (error: Error) => error.message);
  expect(said).toMatch(/^GitHub App 12345 /);
  expect(said).toContain(words);
  expect(requests.length).toBeLessThanOrEqual(2);
});

test('a credential that the host repeats is redacted in the error', async () => {
  const { faults, requests, tokenOf } = await openApp();
  const repeated = { message: '' };
  faults.push({ on: installation, status: 403, body: repeated });
  Object.defineProperty(repeated, 'message', { enumerable: true, get: () => `you sent ${requests[0]?.token}` });
  await expect(tokenOf('octo-org/shop', signal)).rejects.toThrow('the host answered 403: you sent bearer ***');
});

test('the signal ends a token request with its reason', async () => {
  const { faults, requests, tokenOf } = await openApp();
  faults.push({ on: installation, how: 'silent' });
  const stopping = new AbortController();
  const refused = expect(tokenOf('octo-org/shop', stopping.signal)).rejects.toThrow('stop');
  await expect.poll(() => requests.length).toBe(1);
  stopping.abort(new Error('stop'));
  await refused;
});
