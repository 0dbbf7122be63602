import { expect, test } from 'vitest';
import {
  ApiError,
  BadRequestError,
  type ClientOptions,
  NotFoundError,
  UnexpectedResponseError,
} from '../../../src/client/index.ts';
import { apiKey, createClient, failureOf, runId } from '../fixtures.ts';
import {
  answerCutJson,
  answerEmpty,
  answerJson,
  answerProblem,
  answerText,
  type Reply,
  startScriptedServer,
} from '../scripted-server.ts';

async function failWith(reply: Reply, options: ClientOptions = {}): Promise<Error> {
  await using server = await startScriptedServer(reply);
  return (await failureOf(
    createClient(server.url, { maxRetries: 0, ...options }).client.runs.retrieve(runId),
  )) as Error;
}

test('an API error names method, path, status, code, detail and request id', async () => {
  const error = await failWith(
    answerProblem(404, 'resource_not_found', { detail: 'no such run', retryable: false }, { 'X-Request-Id': 'req-9' }),
  );
  expect(error.message).toBe(`GET /agent/runs/${runId}: 404 resource_not_found: no such run (request id req-9)`);
  expect(error).toBeInstanceOf(NotFoundError);
  expect(error).toMatchObject({
    name: 'NotFoundError',
    status: 404,
    code: 'resource_not_found',
    title: 'A title',
    detail: 'no such run',
    requestId: 'req-9',
    retryable: false,
    issues: [],
  });
});

test.each([
  ['https://a.example.com/docs/errors/invalid-request', 'invalid_request'],
  ['/errors/invalid_request/', 'invalid_request'],
  ['invalid-request?x=1#y', 'invalid_request'],
  ['https://a.example.com/e/some-new-code', 'some_new_code'],
  ['about:blank', undefined],
  ['https://a.example.com', undefined],
])('the type %s gives the code %s', async (type, code) => {
  expect(await failWith(answerProblem(400, '', { type }))).toMatchObject({ code });
});

test('the message has every issue of an invalid request once', async () => {
  const issues = [
    { path: 'prompt', message: 'is missing' },
    { path: 'config.name', message: 'is longer than 200 characters' },
  ];
  const error = await failWith(answerProblem(400, 'invalid_request', { detail: 'prompt: is missing', issues }));
  expect(error).toBeInstanceOf(BadRequestError);
  expect(error).toMatchObject({ issues });
  expect(error.message).toBe(
    `GET /agent/runs/${runId}: 400 invalid_request: prompt: is missing [config.name: is longer than 200 characters]`,
  );
});

test("an error for a proxy's page has its beginning, never parsed as JSON", async () => {
  const error = await failWith(answerText(503, `<html>\n  <h1>Down</h1>${'x'.repeat(5000)}`));
  expect(error).toMatchObject({ name: 'InternalServerError', status: 503, code: undefined });
  expect(error.message).toContain('text/html "<html> <h1>Down</h1>');
  expect(error.message.length).toBeLessThan(400);
});

test.each<[string, Reply, string]>([
  [
    'a page',
    answerText(200, '<html>Sign in</html>', { 'X-Request-Id': 'req-2' }),
    '200 is not JSON (text/html): "<html>Sign in</html>" (request id req-2)',
  ],
  ['an empty body', answerEmpty(200), '200 has no body (no content type)'],
  ['no content', answerEmpty(204), '204 has no body (no content type)'],
  [
    'another document',
    answerJson({ status: 'ok' }),
    '200 is JSON, but not what this service sends (application/json): "{\\"status\\":\\"ok\\"}"',
  ],
  [
    'JSON that was cut',
    answerCutJson,
    '200 has truncated or invalid JSON (application/json): "{\\"run_id\\": \\"1\\", \\"sta"',
  ],
  [
    'a login page elsewhere',
    answerText(302, '', { Location: 'https://login.example.com/start?next=secret' }),
    '302 redirects to https://login.example.com, which is not followed (text/html)',
  ],
  [
    'plain text of another program',
    answerText(200, 'OK', { 'Content-Type': 'text/plain' }),
    '200 is not JSON (text/plain): "OK"',
  ],
  [
    'JSON that is only called so',
    answerText(200, '<html>', { 'Content-Type': 'application/json' }),
    '200 has truncated or invalid JSON (application/json): "<html>"',
  ],
  ['not modified, unasked', answerEmpty(304), '304 is not an answer to this request (no content type)'],
])('%s in place of an answer gives an error that says what arrived', async (_name, reply, sentence) => {
  const error = await failWith(reply);
  expect(error).toBeInstanceOf(UnexpectedResponseError);
  expect(error.message).toBe(`GET /agent/runs/${runId}: ${sentence}`);
});

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

test('an unknown status and an unknown code are kept', async () => {
  const error = await failWith(answerProblem(418, 'is_a_teapot'));
  expect(error).toMatchObject({ name: 'ApiError', status: 418, code: 'is_a_teapot' });
  expect(error).toBeInstanceOf(ApiError);
});

test.each([
  [{ 'Retry-After': '99999' }, '; the server asks to wait 99999 s (request id r)'],
  [{ 'retry-after-ms': '15500' }, '; the server asks to wait 16 s (request id r)'],
  [
    { 'Retry-After': 'Tue, 01 Jan 2030 01:00:00 GMT', Date: 'Tue, 01 Jan 2030 00:00:00 GMT' },
    '; the server asks to wait 3600 s (request id r)',
  ],
  [{ 'Retry-After': '10' }, ' (request id r)'],
  [{}, ' (request id r)'],
])('an error names a long requested wait: %j', async (wait, end) => {
  const error = await failWith(answerProblem(422, 'x', { detail: 'no' }, { ...wait, 'X-Request-Id': 'r' }));
  expect(error.message).toBe(`GET /agent/runs/${runId}: 422 x: no${end}`);
});
