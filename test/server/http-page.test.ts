import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer } from '../support/test-server.ts';

const page = readFileSync(new URL('../../docs/http.md', import.meta.url), 'utf8');
const mark = '--- the next block ---';

/** Runs the blocks in one shell and returns the output of each. */
async function runBlocks(blocks: readonly string[], env: Readonly<Record<string, string>>) {
  const shell = spawn('bash', ['-u'], {
    cwd: createTempFolder(),
    env: { PATH: process.env.PATH, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = once(shell, 'close');
  shell.stdin.end(blocks.map(block => `${block}\nprintf '\\n%s\\n' '${mark}'\n`).join(''));
  const [stdout, stderr] = await Promise.all([text(shell.stdout), text(shell.stderr)]);
  await ended;
  return { outputs: stdout.split(`\n${mark}\n`).map(output => output.trim()), stderr };
}

test('every block of the HTTP page works in one shell', async () => {
  // The key has a name, so the message of a cancel contains quotes.
  const { url, client: nobody, server } = await openTestServer({ apiKey: undefined });
  const key = server.madeKey ?? '';
  const client = nobody.withOptions({ apiKey: key });
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)\n```$/gm)].map(([, block = '']) => block);
  const { outputs, stderr } = await runBlocks(blocks, { AGENT_RUN_BASE_URL: `${url}/api/v1`, AGENT_RUN_API_KEY: key });
  const [setUp, created, followed, result, eventPage, stream, downloaded, cancelled, list, ...rest] = outputs;
  expect(rest).toEqual(['']);
  expect(stderr).toBe('');
  expect(setUp).toBe('');

  const run = JSON.parse(created ?? '');
  expect(run).toMatchObject({ state: 'QUEUED', session_link: expect.stringContaining(run.run_id) });
  expect(followed).toMatch(/^((QUEUED|INPROGRESS)\n)*SUCCEEDED$/);
  expect(result).toBe('one\ntwo');
  expect(JSON.parse(eventPage ?? '')).toMatchObject({
    events: [
      { seq: 1, type: 'state', data: { state: 'QUEUED' } },
      { seq: 2, type: 'state', data: { state: 'INPROGRESS' } },
    ],
    next_after: 2,
    done: false,
  });

  // After the two events that the page has read.
  expect(stream).toMatch(/\n\nid: 3\n[\s\S]*"one\\n[\s\S]*"two\\n[\s\S]*"state":"SUCCEEDED"\}\}$/);

  expect(downloaded).toBe('a page');

  const cancelledId = JSON.parse(cancelled ?? '') as string;
  await expect.poll(async () => (await client.runs.retrieve(cancelledId)).state).toBe('CANCELLED');
  expect(JSON.parse(list ?? '')).toMatchObject({ runs: [{ run_id: run.run_id }] });
});
