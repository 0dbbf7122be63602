import { expect, test } from 'vitest';
import { createDirectFetch } from '../../../src/action/embedded/direct-fetch.ts';

const url = 'http://127.0.0.1/x';

test('a request reaches the server with method, headers and body, and its response comes back whole', async () => {
  const fetch = createDirectFetch(
    async request =>
      new Response(`${request.method} ${request.headers.get('x-a')} ${await request.text()}`, {
        status: 201,
        headers: { 'x-b': '2' },
      }),
    () => false,
  );
  const response = await fetch(url, { method: 'POST', headers: { 'x-a': '1' }, body: 'body' });
  expect([response.status, response.headers.get('x-b'), await response.text()]).toEqual([201, '2', 'POST 1 body']);
});

test('an abort ends a pending request with its reason, and a later response is dropped', async () => {
  const late = Promise.withResolvers<Response>();
  const given = Promise.withResolvers<void>();
  const seen: AbortSignal[] = [];
  const fetch = createDirectFetch(
    request => {
      seen.push(request.signal);
      return late.promise;
    },
    () => false,
  );
  const abort = new AbortController();
  const answer = fetch(url, { signal: abort.signal });
  abort.abort(new Error('enough'));
  await expect(answer).rejects.toThrow('enough');
  expect(seen[0]?.aborted).toBe(true);
  late.resolve(new Response(new ReadableStream({ cancel: () => given.resolve() })));
  await given.promise;
});

test('an abort ends a body that is still streaming with its reason, and cancels its source', async () => {
  const given = Promise.withResolvers<void>();
  const fetch = createDirectFetch(
    () =>
      new Response(
        new ReadableStream({
          start: to => to.enqueue(new TextEncoder().encode('first')),
          cancel: () => given.resolve(),
        }),
      ),
    () => false,
  );
  const abort = new AbortController();
  const reader = (await fetch(url, { signal: abort.signal })).body?.getReader();
  expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('first');
  const more = reader?.read();
  abort.abort(new Error('enough'));
  await expect(more).rejects.toThrow('enough');
  await given.promise;
});

test('an aborted signal or a closed server lets no request through', async () => {
  let calls = 0;
  let closed = false;
  const fetch = createDirectFetch(
    () => {
      calls += 1;
      return new Response();
    },
    () => closed,
  );
  await expect(fetch(url, { signal: AbortSignal.abort(new Error('enough')) })).rejects.toThrow('enough');
  closed = true;
  await expect(fetch(url)).rejects.toThrow(TypeError);
  expect(calls).toBe(0);
});
