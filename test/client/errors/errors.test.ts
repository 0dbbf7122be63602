import { expect, test } from 'vitest';
import { AgentRuns, ApiError, type ClientOptions, UnexpectedResponseError } from '../../../src/client/index.ts';
import { apiKey, createClient, failureOf, runId } from '../fixtures.ts';
import { answerProblem, answerText, type Reply, startScriptedServer } from '../scripted-server.ts';

async function failWith(reply: Reply, options: ClientOptions = {}): Promise<Error> {
  await using server = await startScriptedServer(reply);
  return (await failureOf(
    createClient(server.url, { maxRetries: 0, ...options }).client.runs.retrieve(runId),
  )) as Error;
}

test('an error does not contain a key that the body repeats', async () => {
  for (const reply of [
    answerText(500, `you sent Authorization: Bearer ${apiKey}`),
    answerText(200, `you sent Authorization: Bearer ${apiKey}`),
    answerProblem(400, 'invalid_request', { detail: `bad key ${apiKey}` }),
  ]) {
    const error = await failWith(reply);
    expect(error.message).toContain('***');
    expect(error.message + JSON.stringify(error)).not.toContain(apiKey);
  }
});

test('the message is one line without control characters, whatever the detail', async () => {
  const detail = `first\n::error::second\r\u001b[2J${'x'.repeat(100_000)}`;
  const error = await failWith(answerProblem(400, 'invalid_request', { detail, trace_id: 'a\nb' }));
  expect(error.message).not.toMatch(/\p{Cc}/u);
  expect(error.message.length).toBeLessThan(3000);
  expect(error).toMatchObject({ detail });
});

test('no error contains characters that hide or reverse text', async () => {
  const hidden = '\u007f\u009b2J\u2028\u2029\u202a\u202e\u2066\u2069';
  for (const reply of [
    answerProblem(400, 'invalid_request', { detail: `a${hidden}b` }),
    answerText(500, `a${hidden}b`),
    answerText(200, `a${hidden}b`),
    answerText(200, 'x', { 'X-Request-Id': 'a\u009bb' }),
  ]) {
    const { message } = await failWith(reply);
    expect(message).toMatch(/a .*b/);
    expect(message).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u);
  }
});

test('a deeply nested body gives a typed error', async () => {
  const deep = '['.repeat(50_000) + ']'.repeat(50_000);
  const json = { 'Content-Type': 'application/json' };
  const failed = await failWith(answerText(400, `{"detail":${deep}}`, json));
  expect(failed).toBeInstanceOf(ApiError);
  expect(JSON.stringify(failed)).toContain('[[[');
  expect(await failWith(answerText(200, deep, json))).toBeInstanceOf(UnexpectedResponseError);
});

test('a key at the place where a long body is cut is redacted', async () => {
  const max = 128 * 1024;
  for (let before = max - 50; before < max + 10; before += 5) {
    const error = await failWith(answerText(500, `${'x'.repeat(before)}${apiKey}${'y'.repeat(before)}`));
    expect((error as ApiError).body).toMatch(/^x+\**y*$/);
  }
  const many = await failWith(answerText(500, `${apiKey}${'y'.repeat(20)}`.repeat(10_000)));
  expect((many as ApiError).body).toMatch(/^[*y]+$/);
});

test.each<[string, object, string?]>([
  ['slashes in the type', { type: `${'/'.repeat(120_000)}!` }],
  ['question marks in the type', { type: `${'?'.repeat(120_000)}\n` }],
  ['blanks in the detail', { detail: `${' '.repeat(120_000)}x` }],
  ['line feeds in the detail', { detail: `${'\n'.repeat(60_000)}x` }],
  ['many issues', { detail: 'a'.repeat(60_000), issues: Array(1500).fill({ path: 'a', message: 'aaaaaaaaaa' }) }],
  ['a long media type', {}, `application/${'a+'.repeat(7_000)}`],
])('an error with %s is read in linear time', async (_name, body, type = 'application/json') => {
  const text = JSON.stringify(body);
  const fetch = async () => new Response(text, { status: 400, headers: { 'content-type': type, 'retry-after': type } });
  const { client } = createClient('https://a.example.com', { fetch });
  const began = performance.now();
  expect(await failureOf(client.runs.retrieve(runId))).toBeInstanceOf(ApiError);
  expect(performance.now() - began).toBeLessThan(4000);
});

test('a key that JSON spells in another way is redacted', async () => {
  const key = 'key-0123456789/abc=';
  const spelled = key.replace('/', '\\/').replace('=', '\\u003d');
  const body = `{"type": "/errors/forbidden", "detail": "Bearer ${spelled} may not"}`;
  const fetch = async () =>
    new Response(body, { status: 403, headers: { 'Content-Type': 'application/problem+json' } });
  const client = new AgentRuns({ baseUrl: 'https://runs.example.com', apiKey: key, fetch });
  const error = (await failureOf(client.runs.retrieve('1'))) as ApiError;
  expect(`${error.message} ${JSON.stringify(error.body)}`).not.toContain(key);
  expect(error.message).toContain('Bearer *** may not');
});
