import { describe, expect, test } from 'vitest';
import { type ModelScript, startModelServer } from '../../../src/testing/index.ts';
import { apis, ask, readFrames } from './ask.ts';

const hello: ModelScript = [{ text: 'Hello there, it is me.' }];

describe.each(apis)('over %s', api => {
  test('a stream is server-sent events in several chunks, with the API’s own end', async () => {
    await using server = await startModelServer(hello);
    const response = await ask(server.url, { api, stream: true });
    expect(response.headers.get('content-type')).toMatch(/^text\/event-stream/);
    const frames = await readFrames(response);
    const texts = frames.map(frame => textOf(frame)).filter(text => text !== '');
    expect(texts.length).toBeGreaterThan(1);
    expect(texts.join('')).toBe('Hello there, it is me.');
    expect(frames.at(-1)).toEqual(
      {
        'openai-chat': '[DONE]',
        'openai-responses': expect.objectContaining({ type: 'response.completed' }),
        anthropic: { type: 'message_stop' },
        gemini: expect.objectContaining({ candidates: [expect.objectContaining({ finishReason: 'STOP' })] }),
      }[api],
    );
  });

  test('an error has the shape, the status and the headers of the API', async () => {
    await using server = await startModelServer([
      { status: 429, error: 'Slow down.', headers: { 'retry-after': '7' } },
      { status: 503 },
    ]);
    const response = await ask(server.url, { api });
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '7']);
    expect(await response.json()).toEqual(
      {
        'openai-chat': { error: { message: 'Slow down.', type: 'requests', param: null, code: 'rate_limit_exceeded' } },
        'openai-responses': {
          error: { message: 'Slow down.', type: 'requests', param: null, code: 'rate_limit_exceeded' },
        },
        anthropic: {
          type: 'error',
          error: { type: 'rate_limit_error', message: 'Slow down.' },
          request_id: expect.any(String),
        },
        gemini: { error: { code: 429, message: 'Slow down.', status: 'RESOURCE_EXHAUSTED' } },
      }[api],
    );
    const second = await ask(server.url, { api });
    expect(second.status).toBe(503);
    expect(await second.text()).toContain('The script answers with status 503.');
  });

  test('a request without a turn is refused, and recorded', async () => {
    await using server = await startModelServer([]);
    const response = await ask(server.url, { api });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('the script has no turn left for request 1');
    expect(server.problems).toEqual([expect.stringContaining('the script has no turn left for request 1')]);
  });

  test('a wrong or missing key is refused before a turn is taken; the right one is accepted', async () => {
    await using server = await startModelServer(hello, { apiKey: 'right-key' });
    const wrong = await ask(server.url, { api, key: 'wrong-key' });
    const none = await ask(server.url, { api });
    const status = api === 'gemini' ? 400 : 401;
    expect([wrong.status, none.status, server.remaining]).toEqual([status, status, 1]);
    expect((await ask(server.url, { api, key: 'right-key' })).status).toBe(200);
    expect(server.requests.map(({ isKeyRight }) => isKeyRight)).toEqual([false, false, true]);
    expect(JSON.stringify([server.requests, server.problems, await wrong.text()])).not.toMatch(/(right|wrong)-key/);
  });

  test('a key has the same fingerprint in any header', async () => {
    await using server = await startModelServer(hello);
    await ask(server.url, { api, key: 'right-key' });
    const { headers } = server.requests[0] ?? {};
    // printf right-key | sha256sum | cut -c 1-12
    expect(Object.values(headers ?? {})).toContain('sha256:76c365c9956f');
  });

  test('an unknown model is not found, and the others are listed', async () => {
    await using server = await startModelServer(hello, { models: ['m-2', 'm-3'] });
    expect((await ask(server.url, { api })).status).toBe(404);
    expect([(await ask(server.url, { api, model: 'm-3' })).status, server.remaining]).toEqual([200, 0]);
    const base = api === 'gemini' ? '/v1beta/models' : '/v1/models';
    const headers: Record<string, string> = api === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {};
    const list = await (await fetch(server.url + base, { headers })).json();
    const ids = { models: [{ name: 'models/m-2' }, { name: 'models/m-3' }] };
    expect(list).toMatchObject(api === 'gemini' ? ids : { data: [{ id: 'm-2' }, { id: 'm-3' }] });
    expect((await fetch(`${server.url}${base}/m-2`, { headers })).status).toBe(200);
    expect((await fetch(`${server.url}${base}/m-1`, { headers })).status).toBe(404);
  });

  test('a cut stream sends its chunks, and then breaks', async () => {
    await using server = await startModelServer([{ text: 'It is cut here, in the middle.', cutAfterChunks: 2 }]);
    const response = await ask(server.url, { api, stream: true });
    // On a busy machine, fetch drops unread data when the connection breaks.
    await new Promise(resolve => setTimeout(resolve, 15));
    const { text, isWhole } = await readUntilBroken(response);
    expect(text.match(/^data: /gm)).toHaveLength(2);
    expect(isWhole).toBe(false);
  });

  test('a cut answer without a stream breaks within its body', async () => {
    await using server = await startModelServer([{ text: 'It is cut here.', cutAfterChunks: 0 }]);
    const { text, isWhole } = await readUntilBroken(await ask(server.url, { api }));
    expect(text).toMatch(/^\{/);
    expect(isWhole).toBe(false);
  });

  test('a stall sends a first chunk and then nothing, until the server closes', async () => {
    const server = await startModelServer([{ text: 'It stalls.', stall: true }]);
    const response = await ask(server.url, { api, stream: true });
    const reader = response.body?.getReader();
    const first = await reader?.read();
    expect(new TextDecoder().decode(first?.value)).toMatch(/^(event|data): /);
    const next = reader?.read().then(
      () => 'a chunk or an end',
      () => 'broken',
    );
    const silence = new Promise(resolve => setTimeout(resolve, 100, 'silence'));
    expect(await Promise.race([next, silence])).toBe('silence');
    await server.close();
    expect(await next).toBe('broken');
  });

  test('the request is recorded in one shape', async () => {
    await using server = await startModelServer(hello);
    const schema = { type: 'object', properties: { command: { type: 'string' } } };
    await ask(server.url, { api, tools: { bash: schema } });
    expect(server.requests).toEqual([
      expect.objectContaining({
        api,
        model: 'm-1',
        system: 'Be brief.',
        messages: [{ role: 'user', text: 'Say hello.', calls: [] }],
        tools: [{ name: 'bash', kind: 'function', schema }],
        toolResults: [],
        isStreamed: false,
        isSide: false,
        isKeyRight: undefined,
      }),
    ]);
  });
});

function textOf(frame: unknown): string {
  const { choices, type, delta, candidates } = frame as {
    choices?: [{ delta?: { content?: string } }];
    type?: string;
    delta?: string | { text?: string };
    candidates?: [{ content?: { parts?: [{ text?: string }] } }];
  };
  if (type === 'response.output_text.delta') return String(delta);
  if (type === 'content_block_delta') return (typeof delta === 'object' ? delta.text : undefined) ?? '';
  return choices?.[0]?.delta?.content ?? candidates?.[0].content?.parts?.[0].text ?? '';
}

async function readUntilBroken(response: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}
