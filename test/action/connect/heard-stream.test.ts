import { expect, test } from 'vitest';
import { hearStream } from '../../../src/action/connect/heard-stream.ts';

test('each sign of life in a stream is heard when it comes, and the stream is the same', async () => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const headers = { 'content-type': 'text/event-stream; charset=utf-8', 'x-other': '1' };
  let heard = 0;
  const response = hearStream(new Response(readable, { status: 200, headers }), () => {
    heard += 1;
  });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  for (const [index, text] of [': alive\n\n', 'data: 1\n\n'].entries()) {
    const written = writer.write(new TextEncoder().encode(text));
    expect(await reader?.read()).toEqual({ done: false, value: text });
    await written;
    expect(heard).toBe(index + 1);
  }
  await writer.close();
  expect([await reader?.read(), response.headers.get('x-other')]).toEqual([{ done: true, value: undefined }, '1']);
});

test('an answer that is no stream is left as it is', () => {
  const response = Response.json({});
  expect(hearStream(response, () => {})).toBe(response);
});
