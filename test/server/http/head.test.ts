import { readdirSync, readlinkSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { AgentRuns } from '../../../src/client/index.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { waitUntil } from '../../support/wait-until.ts';

/** Headers that differ in every answer. */
const ofTheConnection = /^(x-request-id|date|connection|keep-alive)$/;

/** Open files of this process with this name. */
function findOpenFiles(uid: string): readonly string[] {
  return readdirSync('/proc/self/fd').flatMap(fd => {
    try {
      const path = readlinkSync(`/proc/self/fd/${fd}`);
      return path.includes(uid) ? [path] : [];
    } catch {
      // The descriptor of the listing itself.
      return [];
    }
  });
}

async function leaveFile() {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, maxRetries: 0 });
  const { run_id } = await client.runs.create({
    prompt: '```sh\nhead -c 3000000 /dev/zero > "$AGENT_RUN_ARTIFACTS/a.bin"; echo ok\n```',
  });
  const run = await client.runs.wait(run_id);
  const uid = String(run.artifacts?.[0]?.data['artifact_uid' as never]);
  const artifact = (await client.get(`/agent/artifacts/${uid}`)) as {
    readonly data: { readonly download_url: string };
  };
  const key = { Authorization: `Bearer ${server.apiKey}` };
  const link = new URL(run.session_link ?? '');
  const pageFile = new URL(`${link.pathname}/artifacts/${uid}${link.search}`, link);
  return { server, client, run, uid, key, download: artifact.data.download_url, pageFile };
}

test.runIf(process.platform === 'linux')("HEAD of a file has GET's headers and leaves nothing open", async () => {
  const { uid, download, pageFile } = await leaveFile();
  for (const url of [download, pageFile]) {
    const got = await fetch(url);
    expect((await got.arrayBuffer()).byteLength).toBe(3_000_000);
    for (let count = 0; count < 10; count += 1) {
      const head = await fetch(url, { method: 'HEAD' });
      const told = (answer: Response) => [...answer.headers].filter(([name]) => !ofTheConnection.test(name));
      expect([head.status, told(head)]).toEqual([200, told(got)]);
    }
  }
  await waitUntil(() => findOpenFiles(uid).length === 0);
});

test('every address answers GET and HEAD with a request id', async () => {
  const { server, run, uid, key, download, pageFile } = await leaveFile();
  const origin = new URL(server.baseUrl).origin;
  const events = `${server.baseUrl}/agent/runs/${run.run_id}/events`;
  const addresses: readonly [string | URL, Record<string, string>][] = [
    ...['/', '/errors', '/errors/no_result', '/errors/x', '/healthz', '/readyz', '/openapi.json', '/gone'].map(
      path => [`${origin}${path}`, {}] as [string, Record<string, string>],
    ),
    [download, {}],
    [pageFile, {}],
    [`${download}x`, {}],
    [run.session_link ?? '', {}],
    [`${server.baseUrl}/agent/artifacts/${uid}`, key],
    [`${server.baseUrl}/agent/artifacts/${uid}/download`, key],
    [`${server.baseUrl}/agent/runs/${run.run_id}`, key],
    [`${server.baseUrl}/agent/runs/${run.run_id}/result`, key],
    [events, key],
    [events, { ...key, Accept: 'text/event-stream' }],
    [events, {}],
  ];
  for (const [address, headers] of addresses)
    for (const method of ['GET', 'HEAD']) {
      const answer = await fetch(address, {
        method,
        redirect: 'manual',
        headers: { ...headers, 'X-Request-Id': 'mine-1' },
      });
      await answer.body?.cancel();
      expect(answer.headers.get('X-Request-Id'), `${method} ${address}`).toBe('mine-1');
      expect(answer.headers.get('Agent-Run-Features'), `${method} ${address}`).not.toBeNull();
    }
});
