/** Questions, answers and conversations that go on, with the built-in agent and a scripted model: by the client, the command and the action. */
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { runAction } from '../../src/action/run-action.ts';
import { runCommandLine } from '../../src/cli/command-line.ts';
import type { Run } from '../../src/client/index.ts';
import { type ModelScript, type ModelServer, startModelServer } from '../../src/testing/index.ts';
import { createFakeHost, type FakeHost } from '../action/fake-host.ts';
import { createFakeShell, type FakeShell } from '../cli/fake-shell.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const apiKey = 'key-of-the-model-4711';
const asks = [
  {
    tools: [
      { write: { path: 'note.txt', content: 'begun\n' } },
      { shell: 'echo "Red or blue?" > "$AGENT_RUN_QUESTION"' },
    ],
  },
  { text: 'I have asked.' },
] as const;

async function openServer(script: ModelScript): Promise<TestServer & { readonly model: ModelServer }> {
  const model = await startModelServer(script, { apiKey });
  onTestFinished(() => model.close());
  const builtin = {
    ...{
      kind: 'builtin',
      endpoint: { api: 'openai-chat' as const, root: model.url, apiKey },
      model: 'm-1',
      models: undefined,
    },
    ...{ program: undefined, steps: 20, stallMs: 60_000, env: {} },
  } as const;
  const server = await openTestServer({
    harnesses: { default: 'builtin', script: false, commands: {}, agents: { builtin } },
  });
  return { ...server, model };
}

/** What the model was told in its last request. */
const heardLast = ({ requests }: ModelServer): string =>
  requests
    .at(-1)
    ?.messages.map(({ text }) => text)
    .join('\n') ?? '';

async function untilBlocked({ client }: TestServer, runId: string): Promise<Run> {
  for await (const run of client.runs.follow(runId)) if (run.state === 'BLOCKED') return run;
  throw new Error('it ended');
}

test('client: a run asks, goes on with the answer, and its conversation goes on in a new run', async () => {
  const server = await openServer([
    ...asks,
    { tools: [{ read: 'note.txt' }] },
    { text: 'It is blue now.', usage: { input: 10, output: 1 } },
    { text: 'As I said, blue.', usage: { input: 20, output: 2 } },
  ]);
  const { client, model } = server;
  const { run_id } = await client.runs.create({ prompt: 'Paint it.', interactive: true });
  const blocked = await untilBlocked(server, run_id);
  expect(blocked).toMatchObject({ status_message: { message: 'Red or blue?' }, conversation_id: run_id });
  expect(JSON.stringify(model.requests[0]?.body)).toContain('AGENT_RUN_QUESTION');
  await client.runs.followup(run_id, { message: 'The blue one.' }, { idempotencyKey: 'answer-1' });
  const ended = await client.runs.wait(run_id);
  expect([ended.state, ended.result?.text, ended.attempt]).toEqual(['SUCCEEDED', 'It is blue now.', 2]);
  expect(heardLast(model)).toMatch(/Paint it\.[\s\S]*I have asked\.[\s\S]*The blue one\.[\s\S]*begun/);

  const next = await client.runs.create({ prompt: 'Which colour?', conversation_id: run_id });
  const second = await client.runs.wait(next.run_id);
  expect([second.result?.text, second.conversation_id, second.session_id]).toEqual([
    'As I said, blue.',
    run_id,
    ended.session_id,
  ]);
  expect(heardLast(model)).toMatch(/The blue one\.[\s\S]*It is blue now\.[\s\S]*Which colour\?/);
  const used: unknown[] = [];
  for await (const event of client.runs.events(next.run_id)) if (event.type === 'usage') used.push(event.data);
  expect(used.at(-1)).toMatchObject({ input_tokens: 20, output_tokens: 2, requests: 1 });
  expect([model.problems, model.remaining]).toEqual([[], 0]);
});

test('command: run says what is asked and how to answer, followup goes on, run --conversation goes on after it', async () => {
  const server = await openServer([...asks, { text: 'It is blue now.' }, { text: 'As I said, blue.' }]);
  const call = async (...args: readonly string[]): Promise<FakeShell & { readonly code: number }> => {
    const shell = createFakeShell({ cwd: '/', input: [Buffer.from('The blue one.\n')] });
    const code = await runCommandLine(['--base-url', server.url, '--api-key', server.key, ...args], shell);
    return { ...shell, code };
  };
  const first = await call('run', 'Paint it.', '--interactive');
  const runId = /^run (\S+)$/.exec(first.notes[0] ?? '')?.[1] ?? '';
  expect([first.code, first.printed]).toEqual([1, []]);
  expect(first.notes.slice(-2)).toEqual([
    'The run is blocked: the agent waits for an answer: Red or blue?',
    `Answer it: npx agent-run followup ${runId} MESSAGE`,
  ]);
  // Whoever is asked may take longer than the lease of a command that is gone.
  expect(await server.client.runs.retrieve(runId)).not.toHaveProperty('lease_expires_at');
  expect((await call('followup', runId)).code).toBe(2);
  const answered = await call('followup', runId, '-');
  expect([answered.code, answered.printed]).toEqual([0, ['It is blue now.']]);
  expect(answered.notes).toContain('│ The blue one.');
  expect(answered.notes.join('\n')).not.toContain('I have asked.');
  expect((await call('followup', runId, 'More')).notes.at(-1)).toContain(
    `npx agent-run run --conversation ${runId} PROMPT`,
  );
  const next = await call('run', '--conversation', runId, 'Which colour?');
  expect([next.code, next.printed]).toEqual([0, ['As I said, blue.']]);
});

describe('action: a run that asks', () => {
  const step = async ({ url, key }: TestServer, on_blocked: string): Promise<FakeHost> => {
    const folder = createTempFolder();
    const host = createFakeHost(
      { base_url: url, api_key: key, prompt: 'Paint it.', on_blocked },
      {
        PATH: process.env.PATH ?? '',
        GITHUB_WORKSPACE: folder,
        RUNNER_TEMP: folder,
        GITHUB_EVENT_PATH: join(folder, 'e'),
      },
    );
    await runAction(host);
    return host;
  };

  test.each([
    ['fail', 1],
    ['neutral', 0],
  ])('on_blocked: %s ends the step, leaves the run open, and says what is asked', async (onBlocked, failures) => {
    const server = await openServer([...asks, { text: 'It is blue now.' }]);
    const host = await step(server, onBlocked);
    expect([host.outputs.conclusion, host.outputs.state, host.failures.length]).toEqual([
      'blocked',
      'BLOCKED',
      failures,
    ]);
    expect(host.outputs.status_message).toBe('Red or blue?');
    expect(host.summary.join('\n')).toContain('Red or blue?');
    expect(host.outputs.session_id).toMatch(/^[0-9a-f-]{36}$/);
    const runId = host.outputs.run_id ?? '';
    await server.client.runs.followup(runId, { message: 'Blue.' });
    expect((await server.client.runs.wait(runId)).state).toBe('SUCCEEDED');
  });

  test('on_blocked: wait follows on until somebody has answered', async () => {
    const server = await openServer([...asks, { text: 'It is blue now.' }]);
    const ended = step(server, 'wait');
    let runId: string | undefined;
    while (runId === undefined) {
      const { runs } = await server.client.runs.list({ state: 'BLOCKED' });
      runId = runs[0]?.run_id;
    }
    await server.client.runs.followup(runId, { message: 'Blue.' });
    const host = await ended;
    expect([host.outputs.conclusion, host.outputs.result, host.failures]).toEqual(['succeeded', 'It is blue now.', []]);
    expect(host.lines.join('\n')).toContain('BLOCKED');
  });
});
