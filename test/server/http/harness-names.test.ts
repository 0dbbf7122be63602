/** Names of harnesses in requests and answers. */
import { expect, test } from 'vitest';
import type { HttpParts } from '../../../src/server/http/app.ts';
import { readAnswer } from '../../support/answer.ts';
import { type HttpApp, openHttpApp } from '../../support/http-app.ts';

const types = new Map([
  ['quick', 'claude'],
  ['careful', 'claude'],
  ['codex', 'codex'],
] as const);

const harnesses: HttpParts['harnesses'] = {
  names: ['builtin', 'quick', 'careful', 'codex', 'deploy'],
  default: 'builtin',
  publishedType: name => types.get(name as 'codex') ?? 'oz',
  canResume: () => true,
};

/** The harness in the answer, otherwise status and detail. */
async function createWith(app: HttpApp, harness: unknown): Promise<unknown> {
  const response = await app.call('POST', '/agent/runs', { body: { prompt: 'x', config: { harness } } });
  const answer = await readAnswer(response);
  if (!response.ok) return [response.status, answer.detail];
  return (await readAnswer(app.call('GET', `/agent/runs/${answer.run_id}`))).agent_config?.harness;
}

test.each([
  [undefined, 'oz', 'builtin'],
  [{}, 'oz', 'builtin'],
  [{ type: 'oz' }, 'oz', 'builtin'],
  [{ type: 'codex' }, 'codex', 'codex'],
  [{ name: 'deploy' }, 'oz', 'deploy'],
  [{ type: 'deploy' }, 'oz', 'deploy'],
  [{ type: 'oz', name: 'deploy' }, 'oz', 'deploy'],
  [{ type: 'deploy', name: 'deploy' }, 'oz', 'deploy'],
  [{ type: 'claude', name: 'quick' }, 'claude', 'quick'],
  [{ type: 'quick' }, 'claude', 'quick'],
])('the harness %j is answered as type %s with name %s', async (asked, type, name) => {
  const app = await openHttpApp({ harnesses });
  expect(await createWith(app, asked)).toEqual({ type, name });
  const { runs } = await readAnswer(app.call('GET', '/agent/runs'));
  expect(runs[0]?.agent_config?.harness).toEqual({ type, name });
  expect((await app.store.claimRun())?.config.harness).toEqual({ type: name });
});

test('a published type selects the only harness of that program', async () => {
  const app = await openHttpApp({ harnesses: { ...harnesses, names: ['builtin', 'quick'] } });
  expect(await createWith(app, { type: 'claude' })).toEqual({ type: 'claude', name: 'quick' });
});

test.each([
  [{ name: 'gone' }, 'config.harness.name: this server has no harness "gone"; it has builtin, quick, careful'],
  [{ type: 'gemini' }, 'config.harness.type: this server has no harness "gemini"; it has builtin, quick'],
  [{ type: 'claude' }, 'config.harness.type: this server has several harnesses for claude; choose one with'],
  [{ type: 'codex', name: 'builtin' }, 'config.harness.name: the harness builtin does not have the type "codex"'],
  [{ type: 'oz', name: 'quick' }, 'config.harness.name: the harness quick does not have the type "oz"'],
  [{ type: 'deploy', name: 'builtin' }, 'config.harness.name: the harness builtin does not have the type "deploy"'],
])('the harness %j is rejected', async (asked, sentence) => {
  const app = await openHttpApp({ harnesses });
  expect(await createWith(app, asked)).toEqual([422, expect.stringContaining(sentence)]);
});

test('a continued run may name its harness as an answer does', async () => {
  const app = await openHttpApp({ harnesses });
  const first = await app.startRun({ prompt: 'x', config: { harness: { name: 'quick' } } });
  await app.store.noteContinuation(first, { sessionId: 's', clones: [], baselines: [] });
  await app.store.finishRun(first, { state: 'SUCCEEDED' });
  const goOn = (harness: unknown) =>
    app.call('POST', '/agent/runs', {
      body: { prompt: 'y', conversation_id: first.runId, config: { harness } },
    });
  const other = await goOn({ name: 'careful' });
  expect([other.status, (await readAnswer(other)).detail]).toEqual([
    422,
    expect.stringContaining('config.harness: the conversation uses quick'),
  ]);
  expect((await goOn({ type: 'claude', name: 'quick' })).status).toBe(200);
});
