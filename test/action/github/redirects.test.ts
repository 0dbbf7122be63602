import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { openGitHub } from '../../../src/action/github/github.ts';
import { startRedirect } from '../../support/redirect.ts';

test('a redirect of the API to another host does not carry the token', async () => {
  const seen: (string | undefined)[] = [];
  const other = createServer((incoming, outgoing) => {
    seen.push(incoming.headers.authorization);
    outgoing.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>(resolve => other.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    other.close();
    other.closeAllConnections();
  });
  const apiUrl = await startRedirect(`http://127.0.0.1:${(other.address() as AddressInfo).port}/user`);
  const github = openGitHub({
    token: 'token-of-the-host-0123456789',
    apiUrl,
    fetch: globalThis.fetch,
    log: () => {},
    limitMs: 10_000,
  });
  await github.request('GET /user');
  expect(seen).toEqual([undefined]);
});
