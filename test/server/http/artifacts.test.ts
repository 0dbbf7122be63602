import { execFileSync } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Context } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { AgentRuns } from '../../../src/client/index.ts';
import { answerFile } from '../../../src/server/http/artifact-routes.ts';
import type { StoredArtifact } from '../../../src/server/store/store.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

interface ArtifactAnswer {
  readonly artifact_uid: string;
  readonly artifact_type: string;
  readonly data: Readonly<Record<string, unknown>> & { readonly download_url: string; readonly expires_at: string };
}

async function leave(script: string) {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, maxRetries: 0 });
  const { run_id } = await client.runs.create({ prompt: `\`\`\`sh\n${script}\necho ok\n\`\`\`` });
  const run = await client.runs.wait(run_id);
  const [artifact] = run.artifacts ?? [];
  const uid = String(artifact?.data['artifact_uid' as never]);
  return { server, client, run, uid };
}

test('a file is listed in the run, and its download address needs no key and expires', async () => {
  const { client, run, uid } = await leave('printf "<script>" > "$AGENT_RUN_ARTIFACTS/ä page.html"');
  expect(run.artifacts).toEqual([
    {
      artifact_type: 'FILE',
      created_at: run.finished_at,
      data: {
        artifact_uid: uid,
        filename: 'ä page.html',
        filepath: 'ä page.html',
        mime_type: 'text/html',
        size_bytes: 8,
      },
    },
  ]);
  const answer = (await client.get(`/agent/artifacts/${uid}`)) as ArtifactAnswer;
  expect(answer).toMatchObject({
    artifact_uid: uid,
    artifact_type: 'FILE',
    data: { content_type: 'text/html', filename: 'ä page.html', size_bytes: 8 },
  });
  const leftMs = Date.parse(answer.data.expires_at) - Date.now();
  expect(leftMs).toBeGreaterThan(3_500_000);
  expect(leftMs).toBeLessThanOrEqual(3_600_000);
  const response = await fetch(answer.data.download_url);
  expect(await response.text()).toBe('<script>');
  // Never rendered as a page of this server.
  expect(Object.fromEntries(response.headers)).toMatchObject({
    'content-type': 'application/octet-stream',
    'content-length': '8',
    'content-disposition': "attachment; filename*=UTF-8''%C3%A4%20page.html",
    'x-content-type-options': 'nosniff',
  });
});

test('the download route redirects to the file', async () => {
  const { server, uid } = await leave('echo x > "$AGENT_RUN_ARTIFACTS/a.txt"');
  const response = await fetch(`${server.baseUrl}/agent/artifacts/${uid}/download`, {
    headers: { Authorization: `Bearer ${server.apiKey}` },
  });
  expect([response.redirected, await response.text()]).toEqual([true, 'x\n']);
});

test('a changed address, or one of another file, opens nothing', async () => {
  const { client, server, uid } = await leave('cd "$AGENT_RUN_ARTIFACTS"; echo x > a.txt; echo y > b.txt');
  const { data } = (await client.get(`/agent/artifacts/${uid}`)) as ArtifactAnswer;
  const token = new URL(data.download_url).searchParams.get('token') ?? '';
  const origin = new URL(server.baseUrl).origin;
  const ask = async (path: string) => (await fetch(`${origin}${path}`)).status;
  expect(await ask(`/artifacts/${uid}?token=${token}`)).toBe(200);
  expect(await ask(`/artifacts/${uid}`)).toBe(403);
  expect(await ask(`/artifacts/${uid}?token=${Number(token.split('.')[0]) + 1}.${token.split('.')[1]}`)).toBe(403);
  expect(await ask(`/artifacts/01890000-0000-7000-8000-000000000000?token=${token}`)).toBe(403);
  expect(await ask(`/artifacts/..%2F..%2Fagent-run.db?token=${token}`)).toBe(403);
});

test('an unknown or invalid id is not found', async () => {
  const { client } = await leave('true');
  for (const uid of ['01890000-0000-7000-8000-000000000000', 'x'])
    await expect(client.get(`/agent/artifacts/${uid}`)).rejects.toMatchObject({ status: 404 });
});

test('runs are listed by the kind of their artifacts', async () => {
  const { client, run } = await leave('echo x > "$AGENT_RUN_ARTIFACTS/a.txt"');
  await client.runs.wait((await client.runs.create({ prompt: '```sh\necho ok\n```' })).run_id);
  const list = async (artifact_type: 'FILE' | 'PULL_REQUEST') =>
    (await client.runs.list({ artifact_type })).runs.map(({ run_id }) => run_id);
  expect(await list('FILE')).toEqual([run.run_id]);
  expect(await list('PULL_REQUEST')).toEqual([]);
});

test('a pipe in place of a kept file is not found', async () => {
  const pipes = [1, 2, 3, 4, 5].map(name => join(createTempFolder(), String(name)));
  execFileSync('mkfifo', pipes);
  const artifact: StoredArtifact = { type: 'FILE', createdAt: 0, data: { filename: 'a', size_bytes: 1 } };
  const answers = Promise.allSettled(
    pipes.map(pipe => answerFile(new Context(new Request('http://server/')), pipe, artifact)),
  );
  expect(await readFile(import.meta.filename, 'utf8')).not.toBe('');
  for (const answer of await answers)
    expect(answer).toMatchObject({ status: 'rejected', reason: { code: 'resource_not_found' } });
});
