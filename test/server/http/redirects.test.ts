import { expect, test } from 'vitest';
import { type HttpApp, openHttpApp } from '../../support/http-app.ts';

const session = '7b0f3f0e-4f0a-4c8e-9a51-0d6a5f8f2c11';

/** Sends no key. */
async function look(app: HttpApp, path: string): Promise<unknown> {
  const response = await app.fetch(new Request(`http://127.0.0.1/api/v1/agent/${path}/redirect`));
  return response.status === 200 ? await response.json() : response.status;
}

test('a conversation redirects to its session while open, and the session back afterwards', async () => {
  const app = await openHttpApp();
  const run = await app.startRun();
  const both = async () => [
    await look(app, `sessions/${session}`),
    await look(app, `conversations/${run.conversationId}`),
  ];
  expect(await both()).toEqual([{}, {}]);
  await app.store.noteContinuation(run, { sessionId: session, clones: [], baselines: [] });
  expect(await both()).toEqual([{}, { session_id: session }]);
  await app.store.finishRun(run, { state: 'SUCCEEDED' });
  expect(await both()).toEqual([{ conversation_id: run.conversationId }, {}]);
});

test('unknown ids redirect nowhere, and neighboring addresses need a key', async () => {
  const app = await openHttpApp();
  for (const id of ['0192f000-0000-7000-8000-000000000000', 'nonsense', '%00', 'x'.repeat(2000)])
    for (const kind of ['sessions', 'conversations']) expect(await look(app, `${kind}/${id}`)).toEqual({});
  for (const path of ['/agent/sessions/x', '/agent/sessions/x/redirect/y', '/agent/runs', '/agent/runs/redirect'])
    expect((await app.fetch(new Request(`http://127.0.0.1/api/v1${path}`))).status).toBe(401);
});

test('the OpenAPI document marks both redirects as open', async () => {
  const app = await openHttpApp();
  const document = (await (await app.fetch(new Request('http://127.0.0.1/openapi.json'))).json()) as {
    readonly paths: Readonly<Record<string, { readonly get?: { readonly security?: unknown; responses: object } }>>;
  };
  for (const path of ['/agent/sessions/{sessionUuid}/redirect', '/agent/conversations/{conversationId}/redirect']) {
    expect(document.paths[path]?.get?.security).toEqual([]);
    expect(Object.keys(document.paths[path]?.get?.responses ?? {})).not.toContain('401');
  }
});
