/** The built-in agent as the server starts it: a separate program, through the worker and the executor. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { version } from '../../../../../src/base/process/version.ts';
import type { AgentConfig } from '../../../../../src/contract/config.ts';
import { builtinAdapter } from '../../../../../src/server/harness/agents/builtin/builtin.ts';
import { createHarnesses } from '../../../../../src/server/harness/harness-set.ts';
import { type ModelScript, startModelServer } from '../../../../../src/testing/index.ts';
import { makeCertificate } from '../../../../action/connect/certificates.ts';
import { hiddenHost, openProxy } from '../../../../action/connect/partners.ts';
import { isAlive, pidsIn } from '../../../../support/processes.ts';
import { createTempFolder } from '../../../../support/temp-folder.ts';
import { openTlsFront } from '../../../../support/tls-front.ts';
import { openBench } from '../../../worker/worker-fixture.ts';
import { settings } from '../fake-agent.ts';
import { apiKey, createFolders } from './loop-fixture.ts';

const mcpProgram = resolve(import.meta.dirname, '../../../../support/mcp-server.ts');

async function openAgent(
  script: ModelScript,
  more: { readonly apiKey?: string; readonly env?: Record<string, string>; readonly root?: string } = {},
) {
  const server = await startModelServer(script, { apiKey });
  onTestFinished(() => server.close());
  const endpoint = { api: 'anthropic' as const, root: more.root ?? server.url, apiKey: more.apiKey ?? apiKey };
  const bench = await openBench({
    harnesses: {
      default: 'builtin',
      agents: { builtin: { ...settings, kind: 'builtin', endpoint, model: 'm-1', env: more.env ?? {} } },
    },
  });
  return { bench, server, work: (config: AgentConfig = {}) => bench.work('Do it.', config) };
}

test('a run with a file, an MCP server and an answer succeeds, and the key appears nowhere', async () => {
  const { server, work } = await openAgent(
    [
      {
        text: 'I start.',
        tools: [
          { write: { path: 'a.txt', content: 'hello' } },
          { shell: 'cat a.txt; env; cat /proc/$PPID/environ /proc/$PPID/cmdline' },
        ],
      },
      { tools: [{ mcp: { server: 'local', tool: 'greet', input: { name: 'octo' } } }] },
      { text: 'All done.' },
    ],
    { env: { OF_THE_CONFIGURATION: 'yes', OF_THE_MODEL: apiKey } },
  );
  const { run, result, events, log, left } = await work({
    base_prompt: 'Be short.',
    mcp_servers: {
      local: { command: process.execPath, args: [mcpProgram], env: { MCP_SECRET: 'secret-of-the-server' } },
    },
  });
  expect([run.state, result, left]).toEqual(['SUCCEEDED', 'All done.', []]);
  const outputs = events.flatMap(event => (event.type === 'tool_result' ? [String(event.data.output)] : []));
  expect(outputs[1]).toMatch(/^hello/);
  expect(outputs[1]).toContain('OF_THE_CONFIGURATION=yes');
  expect(outputs[2]).toBe('hello octo, secret of 20 characters');
  expect(server.requests[0]?.system).toContain('Be short.');
  for (const seen of [JSON.stringify(events), log.stderr, outputs[1]]) {
    expect(seen).not.toContain(apiKey);
    expect(seen).not.toContain('secret-of-the-server');
  }
});

test('a wrong key ends the run with a fixable fault, and is not shown', async () => {
  const { work } = await openAgent([{ text: 'x' }], { apiKey: 'another-key-than-that' });
  const { run, events } = await work();
  expect(run.state).toBe('ERROR');
  expect(run.statusMessage).toMatchObject({ error_code: 'authentication_required' });
  expect(JSON.stringify([run.statusMessage, events])).not.toContain('another-key-than-that');
});

test('a run canceled while a tool works leaves nothing', async () => {
  const { bench } = await openAgent([
    {
      tools: [
        {
          shell: 'sh -c \'echo "pid $$" >> pids; sleep 60\' & setsid sh -c \'echo "pid $$" >> pids; sleep 60\' & wait',
        },
      ],
    },
  ]);
  const claimed = await bench.claim('Do it.');
  const working = bench.worker.run(claimed);
  const file = join(bench.dataDir, 'runs', claimed.runId, 'workspace/pids');
  const read = () => readFile(file, 'utf8').catch(() => '');
  await expect.poll(async () => pidsIn(await read()).length).toBe(2);
  const pids = pidsIn(await read());
  await bench.store.requestCancel(claimed.runId, 'enough');
  const startMs = performance.now();
  await working;
  expect(performance.now() - startMs).toBeLessThan(15_000);
  expect((await bench.look(claimed.runId)).run.state).toBe('CANCELLED');
  expect(pids.filter(isAlive)).toEqual([]);
});

test('a signal ends the program and its shell tool at once', async () => {
  const server = await startModelServer([{ tools: [{ shell: 'echo "pid $$"; echo "pid $$" > pids; sleep 60' }] }]);
  onTestFinished(() => server.close());
  const folders = await createFolders();
  const child = start(
    builtinAdapter.launch({
      prompt: 'Do it.',
      instructions: '',
      model: 'm-1',
      endpoint: { api: 'gemini', root: server.url, apiKey },
      mcpServers: [],
      skills: [],
      ...folders,
      variables: {},
      newSessionId: 'a',
      resume: undefined,
      stepsMax: 3,
    }).stdin,
  );
  const read = () => readFile(join(folders.workspace, 'pids'), 'utf8').catch(() => '');
  await expect.poll(read).not.toBe('');
  const startMs = performance.now();
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([143, null]);
  expect(performance.now() - startMs).toBeLessThan(15_000);
  expect(pidsIn(await read()).filter(isAlive)).toEqual([]);
});

test('an invalid order is not quoted, and --version prints the version', async () => {
  const broken = start('{"apiKey": the-key', []);
  const [out, errors] = await Promise.all([text(broken.stdout), text(broken.stderr), once(broken, 'exit')]);
  expect([out, errors, broken.exitCode]).toEqual(['', expect.stringMatching(/^the built-in agent reads .+\n$/), 2]);
  expect(await text(start('', ['--version']).stdout)).toBe(`${version}\n`);
});

test('it cannot be replaced with another program', () => {
  const agents = { builtin: { ...settings, kind: 'builtin', program: '/usr/bin/agent' } };
  expect(() => createHarnesses({ default: undefined, script: false, commands: {}, agents })).toThrow(
    'harnesses.builtin.program: the built-in agent is part of the server',
  );
});

function start(stdin: string, args: readonly string[] = []) {
  const { program } = builtinAdapter;
  if (typeof program === 'string') throw new Error('it has no file');
  const child = spawn(process.execPath, [program.file, ...args], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end(stdin);
  return child;
}

describe('a model behind a proxy', () => {
  test('is reached through it, and one on this machine or in NO_PROXY directly', async () => {
    const model = await startModelServer(() => ({ text: 'Through.' }), { apiKey });
    onTestFinished(() => model.close());
    const proxy = await openProxy({ port: Number(new URL(model.url).port), credentials: 'mona:pass word' });
    const env = { HTTP_PROXY: `mona:pass%20word@${proxy.host}`, https_proxy: '' };
    const far = await openAgent([], { root: `http://${hiddenHost}`, env });
    const { run, result, events } = await far.work();
    expect([run.state, result], JSON.stringify(events)).toEqual(['SUCCEEDED', 'Through.']);
    expect(proxy.seen).toEqual([`POST http://${hiddenHost}/v1/messages`]);
    const near = await openAgent([{ text: 'Directly.' }], { env });
    expect((await near.work()).result).toBe('Directly.');
    const left = await openAgent([], { root: 'http://no.example.internal', env: { ...env, NO_PROXY: '*' } });
    const refused = (await left.bench.work('Do it.', {})).run;
    expect(refused.statusMessage?.error_code).toBe('resource_unavailable');
    expect(proxy.seen).toHaveLength(1);
  });

  test('is trusted by the authority of NODE_EXTRA_CA_CERTS', async () => {
    const model = await startModelServer(() => ({ text: 'Trusted.' }), { apiKey });
    onTestFinished(() => model.close());
    const authority = makeCertificate({ name: 'agent-run test authority' });
    const secured = await openTlsFront(makeCertificate({ name: hiddenHost, authority }), model.url);
    const proxy = await openProxy({ port: secured });
    const file = join(createTempFolder(), 'authority.pem');
    await writeFile(file, authority.cert);
    const env = { HTTPS_PROXY: `http://${proxy.host}`, NODE_EXTRA_CA_CERTS: file };
    const { result } = await (await openAgent([], { root: `https://${hiddenHost}`, env })).work();
    expect([result, proxy.seen]).toEqual(['Trusted.', [`CONNECT ${hiddenHost}:443`]]);
  });

  test('is not asked if the variable is not a proxy address, and its password is not shown', async () => {
    const env = { HTTPS_PROXY: 'socks5://mona:pass@127.0.0.1:1' };
    const { run, log } = await (await openAgent([{ text: 'x' }], { env })).work();
    expect(run.statusMessage?.message).toContain('HTTPS_PROXY must be the address of an HTTP proxy');
    expect(JSON.stringify([run.statusMessage, log])).not.toContain('mona:pass');
  });
});
