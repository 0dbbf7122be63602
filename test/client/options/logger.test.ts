import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Logger } from '../../../src/client/index.ts';
import { createLogger } from '../../../src/client/options/logger.ts';
import { apiKey, createClient, createRun, failureOf, runId } from '../fixtures.ts';
import { answerJson, answerProblem, reset, startScriptedServer } from '../scripted-server.ts';

const asIs = (text: string) => text;

test('a line has method, path, status, time and request id; a retry has its reason and delay', async () => {
  await using server = await startScriptedServer([
    answerProblem(503, 'resource_unavailable', { detail: 'secret' }, { 'X-Request-Id': 'req-1' }),
    reset,
    answerJson(createRun('QUEUED'), { 'X-Request-Id': 'req-3' }),
  ]);
  const { client, lines } = createClient(server.url);
  await client.runs.retrieve(runId);
  const call = `agent-run: GET /agent/runs/${runId}`;
  const masked = lines.map(line => line.replaceAll(/\d+ ms/g, 'N ms').replace(/127\.0\.0\.1:\d+/, 'HOST'));
  expect(masked).toEqual([
    `debug ${call}: 503 in N ms (request id req-1)`,
    `info ${call}: 503 resource_unavailable (request id req-1) after N ms; retrying in N ms`,
    `info ${call}: HOST: connection closed before the answer was complete (UND_ERR_SOCKET) after N ms; retrying in N ms`,
    `debug ${call}: 200 in N ms (request id req-3)`,
  ]);
});

/** Uses `this` and its arguments like common packages do. */
class LoggerOfPackage {
  readonly lines: string[] = [];
  #write(level: string, first: unknown, second?: string) {
    this.lines.push(`${level} ${typeof first === 'string' ? first : second}`);
  }
  error(first: unknown, second?: string) {
    this.#write('error', first, second);
    return this;
  }
  warn(first: unknown, second?: string) {
    this.#write('warn', first, second);
    return this;
  }
  info(first: unknown, second?: string) {
    this.#write('info', first, second);
    return this;
  }
  debug(first: unknown, second?: string) {
    this.#write('debug', first, second);
    return this;
  }
}

test('the methods of a logger are called as its own, in order, up to the level', () => {
  const target = new LoggerOfPackage();
  const logger = createLogger(target, 'info', asIs);
  logger.error('a');
  logger.warn('b');
  logger.info('c');
  logger.debug('d');
  expect(target.lines).toEqual(['error agent-run: a', 'warn agent-run: b', 'info agent-run: c']);
});

test('lines of a missing method go to info, and a logger without methods is refused', () => {
  const lines: unknown[] = [];
  const logger = createLogger({ info: line => lines.push(line) }, 'debug', asIs);
  logger.warn('a');
  logger.debug('b');
  expect(() => createLogger({}, 'debug', asIs)).toThrow('logger must have at least one of the methods');
  expect(lines).toEqual(['agent-run: a', 'agent-run: b']);
});

test('a log message is always one line', () => {
  const target = new LoggerOfPackage();
  createLogger(target, 'info', asIs).info('a state "x\r\n::error::y\u001b[2J"');
  expect(target.lines).toEqual(['info agent-run: a state "x ::error::y [2J"']);
});

test.each<[string, () => unknown]>([
  [
    'throws',
    () => {
      throw new Error('disk full');
    },
  ],
  ['rejects', async () => Promise.reject(new Error('disk full'))],
  ['never ends', () => new Promise(() => {})],
])('a logger that %s fails no call', async (_name, write) => {
  await using server = await startScriptedServer([answerProblem(503, 'x'), answerJson(createRun('QUEUED'))]);
  const logger: Logger = { error: write, warn: write, info: write, debug: write };
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  process.on('unhandledRejection', note);
  expect((await createClient(server.url, { logger }).client.runs.retrieve(runId)).state).toBe('QUEUED');
  await new Promise(resolve => setTimeout(resolve, 10));
  process.off('unhandledRejection', note);
  expect(unhandled).toEqual([]);
});

test('no line at any level contains a prompt, a header, a body, a query or the key', async () => {
  // Words that the client never uses itself.
  const word = fc.stringMatching(/^[A-Z]{3}[a-z0-9 "'{}\\/%]{4,30}[A-Z]{3}$/);
  await fc.assert(
    fc.asyncProperty(
      word,
      word,
      word,
      word,
      fc.constantFrom(200, 400, 401, 404, 429, 500, 503, 0),
      fc.boolean(),
      async (prompt, header, answer, query, status, isJson) => {
        const fetch = async (url: string, init: RequestInit) => {
          // As libraries around fetch do.
          if (status === 0) throw new Error(`request to ${url} with ${init.body} failed`);
          const body = JSON.stringify({ type: 'x/y', title: answer, detail: `${prompt} ${answer}`, run_id: answer });
          return new Response(isJson ? body : `<p>${answer}${prompt}`, {
            status,
            headers: {
              'Content-Type': isJson ? 'application/json' : 'text/html',
              'X-Echo': header,
              'Set-Cookie': `a=${answer}`,
            },
          });
        };
        const { client, lines } = createClient('https://a.example.com', {
          fetch,
          maxRetries: 2,
          defaultHeaders: { 'X-Own': header },
        });
        const body = { prompt, config: { mcp_servers: { a: { env: { TOKEN: prompt }, headers: { 'X-A': header } } } } };
        await failureOf(client.runs.create(body as never, { headers: { Cookie: header }, query: { q: query } }));
        await failureOf(client.runs.list({ q: query }));
        await client.post(`/x?q=${encodeURIComponent(query)}`, { body, idempotencyKey: 'k' }).catch(() => {});
        const text = lines.join('\n');
        expect(lines.length).toBeGreaterThan(0);
        for (const secret of [prompt, header, answer, query, encodeURIComponent(query), apiKey])
          expect(text).not.toContain(secret);
      },
    ),
    { numRuns: 150 },
  );
});
