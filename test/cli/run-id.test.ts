import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { runCommandLine } from '../../src/cli/command-line.ts';
import { findRunId, shortenId } from '../../src/cli/run-id.ts';
import { AgentRuns } from '../../src/client/index.ts';
import { createRun, runId } from '../client/fixtures.ts';
import { allFeatures, answerJson, answerProblem, startScriptedServer } from '../client/scripted-server.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { runCommand } from './command.ts';
import { createFakeShell } from './fake-shell.ts';

const ids = ['0199c1f0-7d3e-7cc0-8f0a-2f4b7c1d9e55', '0199c1f0-7d3e-7cc0-8f0a-2f4b11119e55'] as const;
const runs = ids.map(id => createRun('QUEUED', { run_id: id, title: `Title of ${id}` }));

const whatToGive = 'Give "last", a full id, or 4 or more characters from its start or its end; see npx agent-run list';

async function find(text: string, listed = runs) {
  await using server = await startScriptedServer(answerJson({ runs: listed, page_info: {} }, allFeatures));
  const client = new AgentRuns({ baseUrl: server.url, apiKey: 'k', logLevel: 'off' });
  const id = await findRunId(client, text).catch((error: Error) => error.message);
  return { id, requests: server.requests.length };
}

test('a run is found by the beginning or end of its id, and as "last"', async () => {
  expect(shortenId(ids[0])).toBe('7c1d9e55');
  expect((await find('7c1d9e55')).id).toBe(ids[0]);
  expect((await find('0199c1f0-7d3e-7cc0-8f0a-2f4b1')).id).toBe(ids[1]);
  expect((await find('7c1d')).id).toBe(ids[0]);
  expect((await find('7C1D9E55')).id).toBe(ids[0]);
  expect((await find('last')).id).toBe(ids[0]);
});

test('a whole id, and an id in another format, cost no request', async () => {
  expect(await find(ids[1])).toEqual({ id: ids[1], requests: 0 });
  expect(await find('some-run')).toEqual({ id: 'some-run', requests: 0 });
});

test('an ambiguous id lists its runs, an unknown one says how far the search went', async () => {
  const { id } = await find('9e55');
  for (const text of ['"9e55" matches 2 runs', ...ids, `Title of ${ids[0]}`]) expect(id).toContain(text);
  expect((await find('abcd')).id).toBe(`No run matches "abcd" (searched the newest 2). ${whatToGive}`);
  expect((await find('last', [])).id).toBe('This server has no runs yet');
});

test.for([
  ['4', `"4" is too short for a run id. ${whatToGive}`],
  ['latest', `"latest" is not the id of a run on this server. ${whatToGive}`],
  [ids[0], `This server has no run ${ids[0]}; see npx agent-run list`],
] as const)('an unknown run %s gives the mistake, the valid forms and the next command', async ([id, why]) => {
  const detail = `this server has no run "${id}"`;
  await using server = await startScriptedServer(answerProblem(404, 'resource_not_found', { detail }, allFeatures));
  for (const [name, ...more] of [['cancel'], ['get'], ['logs'], ['wait'], ['open'], ['artifacts'], ['followup', 'x']]) {
    const shell = createFakeShell({ cwd: '/' });
    const args = [name ?? '', id, ...more, '--base-url', server.url, '--api-key', 'k'];
    expect(await runCommandLine(args, shell)).toBe(1);
    expect(shell.notes).toEqual([`agent-run: ${why}`]);
  }
});

async function open(link: string | undefined, env: Readonly<Record<string, string>> = {}) {
  await using server = await startScriptedServer(
    answerJson(createRun('QUEUED', link === undefined ? {} : { session_link: link }), allFeatures),
  );
  const shell = createFakeShell({ cwd: '/', env });
  const code = await runCommandLine(['open', runId, '--base-url', server.url, '--api-key', 'k'], shell);
  return { code, printed: shell.printed, notes: shell.notes };
}

test.skipIf(process.platform !== 'linux')('open opens the page on the desktop, or prints its address', async () => {
  const link = 'http://127.0.0.1:1/runs/1?token=a&b';
  const folder = createTempFolder();
  const file = join(folder, 'opened');
  writeFileSync(join(folder, 'xdg-open'), `#!/bin/sh\nprintf %s "$1" > '${file}'\n`);
  chmodSync(join(folder, 'xdg-open'), 0o755);
  const PATH = [folder, process.env.PATH].join(delimiter);
  expect(await open(link, { PATH, DISPLAY: ':0' })).toEqual({ code: 0, printed: [], notes: [`Opened ${link}`] });
  await expect.poll(() => readFileSync(file, { encoding: 'utf8', flag: 'a+' })).toBe(link);
  expect(await open(link, { PATH })).toMatchObject({ code: 0, printed: [link] });
  expect(await open(link, { PATH: createTempFolder(), DISPLAY: ':0' })).toMatchObject({ code: 0, printed: [link] });
});

test.for([undefined, 'file:///etc/passwd', '--help'])('open starts no program for the page %s', async link => {
  expect(await open(link, { DISPLAY: ':0' })).toMatchObject({
    code: 1,
    notes: [expect.stringContaining('names no page')],
  });
});

test('list takes several states in one flag, in any case', async () => {
  await using server = await startScriptedServer(answerJson({ runs: [], page_info: {} }, allFeatures));
  await runCommand(['list', '--state', 'failed,Error', '--base-url', server.url, '--api-key', 'k']);
  expect(server.requests[0]?.path).toContain('state=FAILED&state=ERROR');
});
