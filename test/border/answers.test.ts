import { expect, test } from 'vitest';
import {
  answerUnlessAborted,
  BodyTooLongError,
  bufferAnswer,
  cancelBody,
  findRedirect,
  findTarget,
  parseJson,
  RedirectError,
  readBytes,
  readChunks,
  readRetryAfterMs,
  refuseRedirect,
  watchAnswer,
} from '../../src/border/answers.ts';

/** A body of chunks of four bytes with a count of those taken. After the last one it ends, breaks, or never ends. */
function createBody({ chunks = 3, breaks = false }) {
  const seen = { taken: 0, isCancelled: false };
  const body = new ReadableStream(
    {
      pull(to) {
        if (seen.taken < chunks) {
          seen.taken += 1;
          to.enqueue(new TextEncoder().encode('four'));
        } else if (breaks) to.error(new Error('reset'));
        else to.close();
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}
const readText = async (answer: Response, bytesMax: number) =>
  new TextDecoder().decode(await readBytes(answer, bytesMax));

test('a body up to the limit is read whole', async () => {
  const { body, seen } = createBody({});
  expect(await readText(new Response(body), 12)).toBe('fourfourfour');
  expect(seen.isCancelled).toBe(false);
  expect(await readText(new Response(null), 0)).toBe('');
});

test.each<[string, Record<string, string>]>([
  ['no length', {}],
  ['the length of the packed body', { 'content-length': '2', 'content-encoding': 'gzip' }],
  ['a large length', { 'content-length': '2000000' }],
])('a body with %s is cancelled beyond the limit', async (_name, headers) => {
  const { body, seen } = createBody({ chunks: 1000 });
  await expect(readBytes(new Response(body, { headers }), 11)).rejects.toThrow(BodyTooLongError);
  expect(seen).toEqual({ taken: 3, isCancelled: true });
});

test('a body with a small content-length is limited too', async () => {
  const answer = () => new Response('fourfour', { headers: { 'content-length': '8' } });
  expect(await readText(answer(), 8)).toBe('fourfour');
  await expect(readBytes(answer(), 7)).rejects.toThrow('the body is longer than 7 bytes');
});

test('a body without a stream is read whole unless its length is over the limit', async () => {
  const answer = (headers = {}) => Object.defineProperty(new Response('four', { headers }), 'body', { value: null });
  expect(await readText(answer(), 4)).toBe('four');
  await expect(readBytes(answer(), 3)).rejects.toThrow(BodyTooLongError);
  const long = Object.defineProperty(answer({ 'content-length': '5000000' }), 'arrayBuffer', { value: undefined });
  await expect(readBytes(long, 4_000_000)).rejects.toThrow(BodyTooLongError);
});

test('a body that is not iterable is read', async () => {
  const { body } = createBody({});
  Object.defineProperty(body, Symbol.asyncIterator, { value: undefined });
  expect(await readText(new Response(body), 12)).toBe('fourfourfour');
});

test('a broken body rejects with its own error', async () => {
  const { body } = createBody({ breaks: true });
  await expect(readBytes(new Response(body), 100)).rejects.toThrow('reset');
});

test('a reader that stops early cancels the body', async () => {
  const { body, seen } = createBody({ chunks: 1000 });
  for await (const chunk of readChunks(new Response(body), 100)) {
    expect(chunk.length).toBe(4);
    break;
  }
  expect(seen).toEqual({ taken: 1, isCancelled: true });
});

test('a buffered answer equals the original', async () => {
  const { body } = createBody({});
  const buffered = await bufferAnswer(new Response(body, { status: 201, headers: { 'x-a': '1' } }), 12);
  expect([buffered.status, buffered.headers.get('x-a'), await buffered.text()]).toEqual([201, '1', 'fourfourfour']);
  expect((await bufferAnswer(new Response(null, { status: 204 }), 12)).status).toBe(204);
});

test.each<[string, { breaks?: boolean; leaves?: boolean }, number]>([
  ['is read to its end', {}, 3],
  ['breaks', { breaks: true }, 3],
  ['is given up by its reader', { leaves: true }, 1],
])('a watched body that %s ends once', async (_name, { breaks = false, leaves = false }, chunks) => {
  const { body, seen } = createBody({ breaks });
  const told: string[] = [];
  const end = Promise.withResolvers<void>();
  const onEnd = () => {
    told.push('end');
    end.resolve();
  };
  const watched = watchAnswer(new Response(body, { status: 201 }), { onChunk: () => void told.push('chunk'), onEnd });
  expect(watched.status).toBe(201);
  if (leaves) {
    const reader = watched.body?.getReader();
    await reader?.read();
    await reader?.cancel();
  } else if (breaks) await expect(watched.text()).rejects.toThrow('reset');
  else expect(await watched.text()).toBe('fourfourfour');
  await end.promise;
  expect(told).toEqual([...Array(chunks).fill('chunk'), 'end']);
  expect(seen.isCancelled).toBe(leaves);
});

test('a watched answer without a body ends at once', () => {
  const told: string[] = [];
  watchAnswer(new Response(null), { onEnd: () => void told.push('end') });
  expect(told).toEqual(['end']);
});

test('an answer that arrives after the abort is cancelled', async () => {
  const { body, seen } = createBody({});
  const late = Promise.withResolvers<Response>();
  const answer = answerUnlessAborted(late.promise, AbortSignal.abort(new Error('enough')));
  await expect(answer).rejects.toThrow('enough');
  late.resolve(new Response(body));
  await expect.poll(() => seen.isCancelled).toBe(true);
});

test('an unread body is cancelled, and a missing body is not an error', async () => {
  const { body, seen } = createBody({});
  await cancelBody(new Response(body));
  await cancelBody(new Response(null));
  expect(seen.isCancelled).toBe(true);
});

test('text that is not JSON gives undefined', () => {
  expect(['{"a":1}', 'null', '<html>', '', '{"a":'].map(parseJson)).toEqual([
    { a: 1 },
    null,
    undefined,
    undefined,
    undefined,
  ]);
});

test.each<[Record<string, string>, number | undefined]>([
  [{ 'retry-after': '3' }, 3000],
  [{ 'retry-after': '1.5' }, 1500],
  [{ 'retry-after': '86400' }, 86_400_000],
  [{ 'retry-after-ms': '20', 'retry-after': '3' }, 20],
  [{ 'retry-after-ms': 'soon', 'retry-after': '3' }, 3000],
  [{ 'retry-after': 'Tue, 01 Jan 2030 00:00:07 GMT' }, 7000],
  // The server's clock is a day off, so its own Date gives the date its meaning.
  [{ 'retry-after': 'Wed, 02 Jan 2030 00:00:07 GMT', date: 'Wed, 02 Jan 2030 00:00:00 GMT' }, 7000],
  [{ 'retry-after': 'in a while' }, undefined],
  [{ 'retry-after': '-5' }, undefined],
  [{}, undefined],
])('%o asks for %s ms', (headers, ms) => {
  expect(readRetryAfterMs(name => headers[name], Date.UTC(2030, 0, 1))).toBe(ms);
});

test.each<[string | undefined, string | undefined]>([
  ['https://user:pass@example.com/path?token=1', 'https://example.com'],
  ['custom:token', 'custom:'],
  ['/here', undefined],
  [undefined, undefined],
])('a redirect to %s leads to %s', (location, target) => {
  expect(findTarget(new Response(null, { headers: location === undefined ? {} : { location } }))).toBe(target);
});

test('a redirect is refused with its body cancelled, and found in the resulting error', async () => {
  const { body, seen } = createBody({});
  const answer = new Response(body, { status: 302, headers: { location: 'https://example.com/?token=1' } });
  const error: unknown = await refuseRedirect(answer, 'and stays here').catch(thrown => thrown);
  expect(error).toEqual(new RedirectError('it redirects to https://example.com (status 302), and stays here'));
  expect(seen.isCancelled).toBe(true);
  expect(findRedirect(new Error('fetch failed', { cause: error }))).toBe(error);
  await refuseRedirect(new Response(null, { status: 304 }), '');
  expect(findRedirect(new Error('fetch failed'))).toBeUndefined();
});
