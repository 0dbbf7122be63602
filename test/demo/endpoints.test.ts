import { createServer, type RequestListener } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { suggestEndpoints } from '../../src/demo/endpoints.ts';
import { readFlags } from '../../src/demo/flags.ts';

const nowhere = 'http://127.0.0.1:1';

async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer);
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    const gone = new Promise(closed => server.close(closed));
    server.closeAllConnections();
    await gone;
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
}

const answerJson =
  (body: unknown): RequestListener =>
  (_request, response) =>
    response.end(JSON.stringify(body));

test('each key is suggested with a valid command, and never shown', async () => {
  const env = { OPENAI_API_KEY: 'key-1', ANTHROPIC_API_KEY: 'key-2', GEMINI_API_KEY: 'key-3', OTHER: 'key-4' };
  const suggestions = await suggestEndpoints(env, nowhere);
  expect(suggestions.map(({ found }) => found)).toEqual([
    'OPENAI_API_KEY is set',
    'ANTHROPIC_API_KEY is set',
    'GEMINI_API_KEY is set',
  ]);
  expect(JSON.stringify(suggestions)).not.toContain('key-');
  for (const { found, command } of suggestions) {
    const [variable] = found.split(' ');
    const { model } = readFlags(command.split(' ').slice(3), env);
    expect(model?.keyVariable).toBe(variable);
  }
});

test('an empty key and no Ollama suggest nothing', async () => {
  expect(await suggestEndpoints({ OPENAI_API_KEY: ' ' }, nowhere)).toEqual([]);
});

test('an Ollama is suggested with an installed model', async () => {
  const paths: string[] = [];
  const url = await listen((request, response) => {
    paths.push(`${request.method} ${request.url}`);
    answerJson({ models: [{ name: 'a b' }, { name: 'coder:7b' }, { name: 'other' }] })(request, response);
  });
  expect(await suggestEndpoints({}, url)).toEqual([
    {
      found: `Ollama is running on ${new URL(url).host}`,
      command: `npm start -- --model coder:7b --model-url ${url}`,
    },
  ]);
  // Listing models asks none.
  expect(paths).toEqual(['GET /api/tags']);
});

test.for([
  ['that has no models', answerJson({ models: [] })],
  ['whose answer is not a list', answerJson('hello')],
  ['that is something else', ((_request, response) => response.writeHead(404).end('<html>')) satisfies RequestListener],
  ['that never answers', (() => {}) satisfies RequestListener],
] as const)('an Ollama %s suggests nothing, soon', async ([, answer]) => {
  const url = await listen(answer);
  const startMs = performance.now();
  expect(await suggestEndpoints({}, url)).toEqual([]);
  expect(performance.now() - startMs).toBeLessThan(15_000);
});
