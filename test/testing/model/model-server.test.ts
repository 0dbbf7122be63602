import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { type ModelScript, type ModelServerOptions, startModelServer } from '../../../src/testing/index.ts';
import { apis, ask, readFrames } from './ask.ts';

const hello: ModelScript = [{ text: 'Hello there, it is me.' }];

test('a silent server sends nothing until the client disconnects, and serves others meanwhile', async () => {
  await using server = await startModelServer([{ silent: true }, { text: 'Hello.' }]);
  const leaving = new AbortController();
  const silent = ask(server.url, { api: 'openai-chat', signal: leaving.signal }).then(
    () => 'an answer',
    () => 'gone',
  );
  while (server.requests.length === 0) await new Promise(resolve => setTimeout(resolve, 5));
  expect((await ask(server.url, { api: 'anthropic' })).status).toBe(200);
  leaving.abort();
  expect(await silent).toBe('gone');
});

test('close ends a silent answer and a delayed one', async () => {
  const server = await startModelServer([{ silent: true }, { text: 'Late.', delayMs: 60_000 }]);
  const asked = [ask(server.url, { api: 'gemini' }), ask(server.url, { api: 'anthropic', stream: true })];
  const answers = Promise.allSettled(asked);
  while (server.requests.length < 2) await new Promise(resolve => setTimeout(resolve, 5));
  await server.close();
  expect((await answers).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
});

test('delays come before the answer, and between chunks', async () => {
  await using server = await startModelServer([{ text: 'Hello there.', delayMs: 60, chunkDelayMs: 20 }]);
  const start = performance.now();
  const response = await ask(server.url, { api: 'openai-chat', stream: true });
  expect(performance.now() - start).toBeGreaterThan(55);
  const frames = await readFrames(response);
  expect(performance.now() - start).toBeGreaterThan(55 + 19 * (frames.length - 1));
});

test('a script that is a function sees the request, and answers every time', async () => {
  await using server = await startModelServer(({ api, messages }) => ({ text: `${api}: ${messages.at(-1)?.text}` }));
  for (const api of apis)
    expect(await (await ask(server.url, { api, prompt: 'What is it?' })).text()).toContain(`${api}: What is it?`);
  expect(server.remaining).toBe(Number.POSITIVE_INFINITY);
});

test('a function among the turns is called when it is due, and may take its time', async () => {
  await using server = await startModelServer([
    { text: 'First.' },
    async request => await Promise.resolve({ text: `Second, of ${request.model}.` }),
  ]);
  await ask(server.url, { api: 'gemini' });
  expect(await (await ask(server.url, { api: 'gemini', model: 'm-7' })).text()).toContain('Second, of m-7.');
});

test('a function that throws, or returns no turn, is a problem and not a crash', async () => {
  await using server = await startModelServer([
    () => {
      throw new Error('the test slipped');
    },
    () => ({ txet: 'Hello.' }) as never,
  ]);
  expect(await (await ask(server.url, { api: 'anthropic' })).text()).toContain('the test slipped');
  expect((await ask(server.url, { api: 'anthropic' })).status).toBe(400);
  expect(server.problems).toEqual([
    'the test slipped',
    'turns[1].txet is not a member of a turn. Did you mean "text"?',
  ]);
});

test('side requests of programs take no turn', async () => {
  await using server = await startModelServer(hello);
  const schema = { type: 'OBJECT', properties: { score: { type: 'INTEGER' } }, required: ['score'] };
  await ask(server.url, { api: 'openai-chat', system: 'You are a title generator. You output ONLY a title.' });
  await ask(server.url, { api: 'anthropic', prompt: 'quota', body: { max_tokens: 1 } });
  const routed = await ask(server.url, {
    api: 'gemini',
    system: '\nYou are a specialized Task Routing AI. Choose.',
    body: { generationConfig: { responseSchema: schema } },
  });
  expect(await routed.text()).toContain('{\\"score\\":1}');
  expect([server.remaining, server.requests.map(({ isSide }) => isSide)]).toEqual([1, [true, true, true]]);
});

test('a count of tokens takes no turn', async () => {
  await using server = await startModelServer(hello);
  const body = JSON.stringify({ model: 'm-1', messages: [{ role: 'user', content: 'Hello' }] });
  const counts = ['/v1/messages/count_tokens', '/v1beta/models/m-1:countTokens'].map(async path => {
    return await (await fetch(server.url + path, { method: 'POST', body })).json();
  });
  expect(await Promise.all(counts)).toEqual([
    { input_tokens: expect.any(Number) },
    { totalTokens: expect.any(Number) },
  ]);
  expect([server.remaining, server.requests.map(({ isSide }) => isSide)]).toEqual([1, [true, true]]);
});

test('a test can decide what is a side request', async () => {
  const isSide: ModelServerOptions['isSide'] = ({ model }, isKnown) =>
    model === 'small' || (isKnown && model !== 'probed');
  await using server = await startModelServer([{ text: 'Hello.' }, { text: 'Probed.' }], { isSide });
  await ask(server.url, { api: 'openai-chat', model: 'small' });
  expect(server.remaining).toBe(2);
  await ask(server.url, { api: 'openai-chat', model: 'probed', body: { max_tokens: 1 } });
  expect(server.remaining).toBe(1);
});

test('an unknown address is a problem', async () => {
  await using server = await startModelServer(hello);
  expect((await fetch(`${server.url}/v1/completions?key=right-key`, { method: 'POST', body: '{}' })).status).toBe(404);
  expect(server.problems).toEqual(['POST /v1/completions not found']);
});

test('a body that is invalid JSON, or compressed, is refused', async () => {
  await using server = await startModelServer(hello);
  const post = async (body: string, headers: Record<string, string> = {}) =>
    await fetch(`${server.url}/v1/messages`, { method: 'POST', body, headers });
  expect([(await post('{')).status, (await post('[]')).status]).toEqual([400, 400]);
  expect((await post('{}', { 'content-encoding': 'gzip' })).status).toBe(415);
  expect(server.remaining).toBe(1);
});

test('a body above 16 MB is refused, one of 15 MB is accepted', async () => {
  await using server = await startModelServer(hello);
  const prompt = (mebibytes: number) => 'a'.repeat(mebibytes * 1024 * 1024);
  expect((await ask(server.url, { api: 'openai-chat', prompt: prompt(17) })).status).toBe(413);
  expect((await ask(server.url, { api: 'openai-chat', prompt: prompt(15) })).status).toBe(200);
});

test('after its 500 requests a server answers nothing and records nothing', async () => {
  await using server = await startModelServer(() => ({ text: 'Hello.' }));
  const askOnce = async (): Promise<unknown> => await (await ask(server.url, { api: 'openai-chat' })).arrayBuffer();
  for (let batch = 0; batch < 10; batch += 1) await Promise.all(Array.from({ length: 50 }, askOnce));
  expect((await ask(server.url, { api: 'openai-chat' })).status).toBe(400);
  expect([server.requests.length, server.problems]).toEqual([
    500,
    ['the server has already received its limit of 500 requests'],
  ]);
});

test('an invalid request line does not stop the server', async () => {
  await using server = await startModelServer(hello);
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write('POST http://[ HTTP/1.1\r\nhost: x\r\n\r\n');
  await once(socket, 'close');
  expect((await ask(server.url, { api: 'openai-chat' })).status).toBe(200);
});

test('Responses calls a grouped tool by both names, and a custom tool with plain text', async () => {
  await using server = await startModelServer([
    { tools: [{ mcp: { server: 'my-notes', tool: 'read-note' } }, { name: 'apply_patch', input: '*** Begin Patch' }] },
  ]);
  const note = { type: 'function', name: 'read_note', parameters: {} };
  const tools = [
    { type: 'namespace', name: 'mcp__my_notes', tools: [note] },
    { type: 'custom', name: 'apply_patch' },
    { type: 'web_search' },
  ];
  const frames = await readFrames(await ask(server.url, { api: 'openai-responses', stream: true, body: { tools } }));
  expect(frames.at(-1)).toMatchObject({
    response: {
      output: [
        { type: 'function_call', namespace: 'mcp__my_notes', name: 'read_note', arguments: '{}' },
        { type: 'custom_tool_call', name: 'apply_patch', input: '*** Begin Patch' },
      ],
    },
  });
  expect(server.requests[0]?.tools.map(({ name }) => name)).toEqual(['read_note', 'apply_patch']);
});

test('Responses remembers its answers for requests that name them', async () => {
  await using server = await startModelServer([{ text: 'Hello.' }, { text: 'Again.' }, { text: 'Once more.' }]);
  const first = await readJson<{ id: string; output: [{ id: string }] }>(
    await ask(server.url, { api: 'openai-responses' }),
  );
  const input = [
    { type: 'item_reference', id: first.output[0].id },
    { role: 'user', content: 'And now?' },
  ];
  await ask(server.url, { api: 'openai-responses', body: { input } });
  expect(server.requests[1]?.messages.map(({ text }) => text)).toEqual(['Hello.', 'And now?']);
  await ask(server.url, { api: 'openai-responses', body: { previous_response_id: first.id } });
  expect(server.requests[2]?.messages.map(({ text }) => text)).toEqual(['Say hello.', 'Hello.', 'Say hello.']);
  const lost = await ask(server.url, {
    api: 'openai-responses',
    body: { input: [{ type: 'item_reference', id: 'msg_1' }] },
  });
  expect([lost.status, server.problems]).toEqual([404, ["Item with id 'msg_1' not found."]]);
});

test('Responses forgets answers that are not to be stored', async () => {
  await using server = await startModelServer([{ text: 'Hello.' }]);
  const response = await ask(server.url, { api: 'openai-responses', body: { store: false } });
  const { id } = await readJson<{ id: string }>(response);
  const next = await ask(server.url, { api: 'openai-responses', body: { previous_response_id: id } });
  expect([next.status, server.remaining]).toEqual([400, 0]);
  expect(server.problems).toEqual([`Previous response with id '${id}' not found.`]);
});

test.each([
  ['a text', 'the script must be a list of turns'],
  [[{ txt: 'Hello.' }], 'turns[0].txt is not a member of a turn. Did you mean "text"?'],
  [[{ text: 'Hello.', status: 500 }], 'turns[0].text cannot be combined with status'],
  [[{ status: 200 }], 'turns[0].status must be a whole number from 400 to 599, not 200'],
  [[{ tools: [{ shel: 'ls' }] }], 'turns[0].tools must be a list of calls'],
  [[{ text: 'Hello.', usage: { inputs: 1 } }], 'turns[0].usage must be an object of whole numbers'],
  [[{}], 'turns[0] must have text, tools or one of'],
  [[null], 'turns[0] must be an object, or a function that returns one, not null'],
])('an invalid script does not start: %j', async (script, message) => {
  await expect(startModelServer(script as never)).rejects.toThrow(message);
});

test('an invalid option does not start, and a key is not shown', async () => {
  await expect(startModelServer(hello, { apikey: 'right-key' } as never)).rejects.toThrow(
    'apikey is not an option of startModelServer. Options: apiKey, models, isSide, usage. Did you mean "apiKey"?',
  );
  await expect(startModelServer(hello, { models: 'm-1' } as never)).rejects.toThrow('models must be a list');
  await expect(startModelServer(hello, { apiKey: ['right-key'] } as never)).rejects.toThrow(
    /^apiKey must be a string that is not empty$/,
  );
});

async function readJson<T>(response: Response): Promise<T> {
  return (await response.json()) as T;
}
