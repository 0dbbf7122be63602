/** Answers to create requests with `conversation_id` and to follow-ups. */
import { describe, expect, test } from 'vitest';
import { limitsSchema } from '../../../src/server/config/config-schema.ts';
import type { HttpParts } from '../../../src/server/http/app.ts';
import type { RunEnding, StoredRun } from '../../../src/server/store/store.ts';
import { readAnswer } from '../../support/answer.ts';
import { type HttpApp, openHttpApp } from '../../support/http-app.ts';

const continuation = { sessionId: 's1', clones: [], baselines: [] };
const environment = {
  uid: 'a'.repeat(22),
  name: 'shop',
  description: undefined,
  repositories: [{ name: 'octo-org/shop', url: 'https://git.example.com/octo-org/shop', ref: undefined, path: '.' }],
  setup: [],
  env: {},
  publish: 'none',
  publishBase: undefined,
  updatedAt: 0,
} as const;

interface Talk extends HttpApp {
  /** An ended run of the harness `mine`. */
  end(body?: Record<string, unknown>, ending?: RunEnding): Promise<StoredRun>;
  create(body: Record<string, unknown>): Promise<[number, string, string]>;
}

async function openTalk(more: Partial<HttpParts> = {}): Promise<Talk> {
  const app = await openHttpApp({ environments: [environment], ...more });
  return {
    ...app,
    async end({ config = {}, ...body } = {}, ending = { state: 'SUCCEEDED' }) {
      const mine = { harness: { type: 'mine' }, ...(config as object) };
      const run = await app.startRun({ prompt: 'Begin', config: mine, ...body });
      await app.store.noteContinuation(run, continuation);
      await app.store.finishRun(run, ending);
      return run;
    },
    async create(body) {
      const response = await app.call('POST', '/agent/runs', { body });
      const { type = '', detail, run_id } = await readAnswer(response);
      return [response.status, type.split('/').at(-1) ?? '', (response.ok ? run_id : detail) ?? ''];
    },
  };
}

test('a run has a conversation from the start, and a session once its agent reports one', async () => {
  const talk = await openTalk();
  const { run_id } = await readAnswer(talk.call('POST', '/agent/runs', { body: { prompt: 'x' } }));
  const read = () => readAnswer(talk.call('GET', `/agent/runs/${run_id}`));
  expect(await read()).toMatchObject({ conversation_id: run_id });
  expect(await read()).not.toHaveProperty('session_id');
  const run = await talk.store.claimRun();
  if (run !== undefined) await talk.store.noteContinuation(run, continuation);
  expect(await read()).toMatchObject({ conversation_id: run_id, session_id: 's1' });
  expect((await readAnswer(talk.call('GET', '/agent/runs'))).runs).toMatchObject([{ conversation_id: run_id }]);
});

describe('a create request with conversation_id', () => {
  test("inherits the conversation's values, overrides them and needs no prompt", async () => {
    const talk = await openTalk();
    const config = {
      name: 'nightly',
      model_id: 'm-1',
      base_prompt: 'Be short.',
      environment_id: 'shop',
      skills: ['octo-org/shop:a', 'octo-org/shop:b'],
      output_schema: { type: 'object' },
    };
    const first = await talk.end({ title: 'The first', config, ref: 'next' });
    const id = first.conversationId;
    const read = async (body: Record<string, unknown>) => {
      const [status, , runId] = await talk.create({ conversation_id: id.toUpperCase(), ...body });
      expect([status, runId]).toEqual([200, expect.any(String)]);
      const claimed = await talk.store.claimRun();
      if (claimed !== undefined) await talk.store.finishRun(claimed, { state: 'SUCCEEDED' });
      return await readAnswer(talk.call('GET', `/agent/runs/${runId}`));
    };
    expect(await read({})).toMatchObject({
      conversation_id: id,
      session_id: 's1',
      prompt: '',
      title: 'The first',
      ref: 'next',
    });
    const again = await read({ prompt: 'And now?' });
    expect(again).toMatchObject({ prompt: 'And now?', title: 'And now?' });
    const { output_schema: _own, ...kept } = first.config;
    const shown = { type: 'oz', name: 'mine' };
    expect(again.agent_config).toEqual({ ...kept, harness: shown });
    const own = {
      model_id: 'm-2',
      environment_id: 'shop',
      harness: { type: 'mine' },
      output_schema: { type: 'array' },
    };
    const modelOnly = await read({ config: { harness: { model_id: 'm-3' } } });
    expect(modelOnly.agent_config).toMatchObject({ model_id: 'm-3', harness: shown });
    const other = await read({ skill: 'octo-org/shop:c', ref: 'next', config: own });
    expect(other.agent_config).toEqual({
      ...{ name: 'nightly', base_prompt: 'Be short.', skill_spec: 'octo-org/shop:c' },
      ...{ ...own, environment_id: environment.uid, harness: shown },
    });
  });

  test('accepts the id of any of its runs', async () => {
    const talk = await openTalk();
    const { conversationId } = await talk.end();
    const [, , secondId] = await talk.create({ prompt: 'And?', conversation_id: conversationId });
    const claimed = await talk.store.claimRun();
    if (claimed !== undefined) await talk.store.finishRun(claimed, { state: 'SUCCEEDED' });
    const [status, , thirdId] = await talk.create({ prompt: 'And now?', conversation_id: secondId.toUpperCase() });
    expect(status).toBe(200);
    expect(await talk.store.readRun(thirdId)).toMatchObject({ conversationId });
  });

  test.each([
    ['another harness', { config: { harness: { type: 'script' } } }, 'config.harness: the conversation uses mine'],
    ['the default harness', { config: { harness: { type: 'oz' } } }, 'config.harness: the conversation uses mine'],
    [
      'an environment',
      { config: { environment_id: 'shop' } },
      'config.environment_id: the conversation uses no environment',
    ],
    ['another commit', { sha: 'a'.repeat(40) }, 'sha: the conversation uses no sha'],
  ])('cannot take %s', async (_name, body, detail) => {
    const talk = await openTalk();
    const { conversationId } = await talk.end();
    expect(await talk.create({ prompt: 'x', conversation_id: conversationId, ...body })).toEqual([
      422,
      'operation_not_supported',
      expect.stringContaining(detail),
    ]);
  });

  test('names the fixed environment by its name', async () => {
    const talk = await openTalk({
      environments: [environment, { ...environment, uid: 'b'.repeat(22), name: 'boxed' }],
    });
    const { conversationId } = await talk.end({ config: { environment_id: 'shop' } });
    const config = { environment_id: 'boxed' };
    expect(await talk.create({ prompt: 'x', conversation_id: conversationId, config })).toEqual([
      422,
      'operation_not_supported',
      expect.stringContaining('config.environment_id: the conversation uses shop, and'),
    ]);
  });

  test.each(['0192f000-0000-7000-8000-000000000000', 'no-id', ''])('with the unknown id %j is 404', async id => {
    const talk = await openTalk();
    expect(await talk.create({ prompt: 'x', conversation_id: id })).toEqual([
      404,
      'resource_not_found',
      expect.stringContaining('this server has no conversation'),
    ]);
  });

  test('is a conflict while a run is open, and rejected while one is BLOCKED', async () => {
    const talk = await openTalk();
    const { conversationId } = await talk.end();
    const body = { prompt: 'x', conversation_id: conversationId };
    const both = await Promise.all([talk.create(body), talk.create(body)]);
    expect(both.map(([status]) => status).sort()).toEqual([200, 409]);
    expect(await talk.create(body)).toEqual([409, 'conflict', expect.stringMatching(/has not ended \(QUEUED\); wait/)]);
    const claimed = await talk.store.claimRun();
    if (claimed !== undefined) await talk.store.finishRun(claimed, { state: 'BLOCKED' });
    expect(await talk.create(body)).toEqual([
      422,
      'operation_not_supported',
      expect.stringContaining(
        `npx agent-run followup ${claimed?.runId} MESSAGE (POST /agent/runs/${claimed?.runId}/followups)`,
      ),
    ]);
  });

  test('says why it cannot continue: no session, no harness, expired', async () => {
    const talk = await openTalk({ isConversationKept: async ({ title }) => title !== 'old' });
    const none = await talk.startRun();
    await talk.store.finishRun(none, { state: 'FAILED' });
    const reply = async ({ conversationId }: StoredRun) =>
      (await talk.create({ prompt: 'x', conversation_id: conversationId })).join(' ');
    expect(await reply(none)).toMatch(/^422 .* left no session/);
    expect(await reply(await talk.end({ config: { harness: { type: 'script' } } }))).toMatch(
      /^422 .*the harness script cannot/,
    );
    expect(await reply(await talk.end({ title: 'old' }))).toMatch(
      /^404 .*expired; .*for 20 minutes after its last run/,
    );
  });

  test('repeated with its key returns the open run', async () => {
    const talk = await openTalk();
    const { conversationId } = await talk.end();
    const send = () =>
      talk.call('POST', '/agent/runs', {
        body: { conversation_id: conversationId },
        headers: { 'Idempotency-Key': 'k' },
      });
    const first = await readAnswer(send());
    const second = await send();
    expect([second.status, second.headers.get('Idempotent-Replayed')]).toEqual([200, 'true']);
    expect((await readAnswer(second)).run_id).toBe(first.run_id);
  });
});

test('interactive needs a harness that can continue', async () => {
  const talk = await openTalk();
  const [status, , runId] = await talk.create({
    prompt: 'x',
    interactive: true,
    config: { harness: { type: 'mine' } },
  });
  expect([status, (await talk.store.readRun(runId))?.isInteractive]).toEqual([200, true]);
  expect(await talk.create({ prompt: 'x', interactive: true })).toEqual([
    422,
    'operation_not_supported',
    expect.stringContaining('interactive: the harness script has no agent'),
  ]);
});

test('interactive is rejected with the name of the limit if none is kept', async () => {
  const limits = limitsSchema.parse({ keep_conversation_minutes: 0 });
  const talk = await openTalk({ limits });
  expect(await talk.create({ prompt: 'x', interactive: true, config: { harness: { type: 'mine' } } })).toEqual([
    422,
    'operation_not_supported',
    expect.stringContaining('set limits.keep_conversation_minutes'),
  ]);
});

describe('a follow-up', () => {
  const openBlocked = async () => {
    const talk = await openTalk();
    const run = await talk.end({}, { state: 'BLOCKED', statusMessage: { message: 'Which?' } });
    const send = async (body: unknown, key?: string) => {
      const headers = key === undefined ? {} : { 'Idempotency-Key': key };
      const response = await talk.call('POST', `/agent/runs/${run.runId}/followups`, { body, headers });
      const answer = await readAnswer(response);
      const code = (answer.type ?? '').split('/').at(-1);
      return { status: response.status, code, answer, replayed: response.headers.get('Idempotent-Replayed') };
    };
    return { talk, run, send };
  };

  test('queues a BLOCKED run and is answered with an empty object', async () => {
    const { talk, run, send } = await openBlocked();
    expect(await send({ message: 'The blue one.', mode: 'normal' })).toMatchObject({ status: 200, answer: {} });
    expect(await talk.store.claimRun()).toMatchObject({ runId: run.runId, attempt: 2, followup: 'The blue one.' });
  });

  test.each([{}, { message: ' ' }, { message: 1 }, { message: 'x', mode: 1 }])(
    'with the body %j is rejected',
    async body => {
      const { talk, run, send } = await openBlocked();
      expect(await send(body)).toMatchObject({ status: 400, code: 'invalid_request' });
      expect((await talk.store.readRun(run.runId))?.state).toBe('BLOCKED');
    },
  );

  test('in another mode is rejected', async () => {
    const { send } = await openBlocked();
    expect(await send({ message: 'x', mode: 'plan' })).toMatchObject({ status: 422 });
  });

  test('with a key is sent once, and conflicts with another message', async () => {
    const { send } = await openBlocked();
    expect(await send({ message: 'x' }, 'k')).toMatchObject({ status: 200, replayed: null });
    expect(await send({ message: 'x' }, 'k')).toMatchObject({ status: 200, answer: {}, replayed: 'true' });
    expect(await send({ message: 'y' }, 'k')).toMatchObject({ status: 422, code: 'operation_not_supported' });
    expect(await send({ message: 'x' }, 'a key')).toMatchObject({ status: 400 });
  });

  test('to a working or ended run is rejected with a remedy', async () => {
    const { talk, run, send } = await openBlocked();
    await send({ message: 'x' });
    expect(await send({ message: 'more' })).toMatchObject({
      status: 422,
      answer: {
        detail: expect.stringContaining('the run is QUEUED, and agents on this server do not accept messages'),
      },
    });
    const claimed = await talk.store.claimRun();
    if (claimed !== undefined) await talk.store.finishRun(claimed, { state: 'SUCCEEDED' });
    expect(await send({ message: 'more' })).toMatchObject({
      status: 400,
      code: 'invalid_request',
      answer: { detail: `the run is over (SUCCEEDED); start a new run with conversation_id ${run.conversationId}` },
    });
  });

  test('to a stopping server is retryable', async () => {
    const { talk, send } = await openBlocked();
    talk.drain();
    expect(await send({ message: 'x' })).toMatchObject({ status: 503, answer: { retryable: true } });
  });
});
