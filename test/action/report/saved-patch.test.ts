import { existsSync, readFileSync } from 'node:fs';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Connection } from '../../../src/action/connect/connect.ts';
import { findPatch, writePatchFile } from '../../../src/action/report/saved-patch.ts';
import { AgentRuns, type Run } from '../../../src/client/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const { signal } = new AbortController();
const patch = 'diff --git a/x b/x\n\0binary\n';

/** A service that keeps the patch on another host, as the public one does. Records that host's requests. */
async function openService(send: (outgoing: ServerResponse) => void) {
  const keys: unknown[] = [];
  const server = createServer((incoming, outgoing) => {
    if (incoming.url === '/files/1') {
      keys.push(incoming.headers.authorization);
      send(outgoing);
      return;
    }
    const data = { download_url: `http://${incoming.headers.host}/files/1`, filename: 'changes.patch' };
    const isAsked = incoming.url === '/api/v1/agent/artifacts/a-1';
    outgoing.writeHead(isAsked ? 200 : 404, { 'Content-Type': 'application/json' });
    outgoing.end(JSON.stringify({ artifact_uid: 'a-1', artifact_type: 'FILE', data }));
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = new AgentRuns({ baseUrl, apiKey: 'key-of-the-service', logLevel: 'off', maxRetries: 0 });
  return { keys, connection: { client, fetch: globalThis.fetch } as unknown as Connection };
}

const runWith = (filename: string, more: { readonly filepath?: string } = {}) =>
  ({
    artifacts: [
      { artifact_type: 'FILE', created_at: 'x', data: { artifact_uid: 'a-0', filename: 'report.md' } },
      { artifact_type: 'FILE', created_at: 'x', data: { artifact_uid: 'a-1', filename, ...more } },
    ],
  }) as unknown as Run;

test("the changes of a run are written byte for byte, and the key is not sent to the file's host", async () => {
  const { keys, connection } = await openService(outgoing => outgoing.end(patch));
  const path = join(createTempFolder(), 'changes.patch');
  await writePatchFile(connection, findPatch(runWith('changes.patch')) ?? '', { path, signal });
  expect([readFileSync(path, 'utf8'), keys]).toEqual([patch, [undefined]]);
});

test('a run without changes has no patch', () => {
  expect([findPatch(runWith('other.patch')), findPatch({} as Run)]).toEqual([undefined, undefined]);
});

test("an agent's file in a folder is not the patch, whatever its name", () => {
  const places = ['changes.patch', 'mine/changes.patch'];
  expect(places.map(filepath => findPatch(runWith('changes.patch', { filepath })))).toEqual(['a-1', undefined]);
});

test.each<readonly [string, (outgoing: ServerResponse) => void, string]>([
  ['that is gone', outgoing => outgoing.writeHead(410).end(), '410'],
  [
    'that leads elsewhere',
    outgoing => outgoing.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
    'fetch failed',
  ],
  [
    'without an end',
    outgoing => {
      const piece = Buffer.alloc(1024 * 1024);
      const go = () => {
        while (!outgoing.destroyed && outgoing.write(piece));
      };
      outgoing.on('drain', go);
      go();
    },
    'is larger than the limit',
  ],
])('a download %s writes nothing and says why', async (_what, send, why) => {
  const { connection } = await openService(send);
  const path = join(createTempFolder(), 'changes.patch');
  await expect(writePatchFile(connection, 'a-1', { path, signal })).rejects.toThrow(why);
  expect(existsSync(path)).toBe(false);
});
