import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { describeError, traceError } from '../../src/server/error-text.ts';
import { createLog } from '../../src/server/log.ts';
import { endByStop } from '../../src/server/worker/run-ending.ts';
import { openHttpApp } from '../support/http-app.ts';

const secret = 'sk-0123456789abcdef';

function catchError(act: () => unknown): unknown {
  try {
    act();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}

/** Errors that quote their input. */
const quoting: readonly (readonly [string, () => unknown])[] = [
  ['SyntaxError', () => new RegExp(`${secret}(`)],
  ['SyntaxError', () => JSON.parse(secret)],
  ['TypeError', () => new Headers({ Authorization: `${secret}\nx` })],
  ['TypeError ERR_INVALID_ARG_VALUE', () => spawn('true', [`${secret}\0`])],
];

test.each(quoting)('%s is logged with its stack but without the quoted value', (kind, act) => {
  const error = catchError(act);
  expect(String(error)).toContain('sk-01');
  expect(describeError(error)).toBe(kind);
  expect(traceError(error)).toMatch(/^\w+( \w+)?\n {4}at .*\n(.*\n)*.*error-text\.test\.ts:\d+:\d+/);
  expect(traceError(error)).not.toContain('sk-01');
});

test('messages of the system, the database and plain errors are logged', () => {
  expect(describeError(catchError(() => readFileSync('/not-there')))).toBe(
    "Error: ENOENT: no such file or directory, open '/not-there'",
  );
  const database = new DatabaseSync(':memory:');
  expect(describeError(catchError(() => database.exec('select * from nowhere')))).toBe('Error: no such table: nowhere');
  database.close();
  expect(traceError(new Error('the executor\nis closed'))).toMatch(/^Error: the executor\nis closed\n {4}at /);
  expect(describeError(secret)).toBe('a thrown string');
});

test('a failing run or request does not log a secret that its error quotes', async () => {
  const lines: string[] = [];
  const log = createLog(line => lines.push(line));
  for (const [, act] of quoting) endByStop({ kind: 'fault', error: catchError(act) }, { runId: 'r-1', log });
  const app = await openHttpApp({ log, completeConfig: async () => JSON.parse(secret) });
  const { status } = await app.call('POST', '/agent/runs', { body: { prompt: 'x' } });
  expect(status).toBe(500);
  expect(lines.filter(line => / error (internal error during a run|a request failed) .*Error/.test(line))).toHaveLength(
    5,
  );
  expect(lines.join('\n')).not.toContain('sk-01');
});

test('no log call in the server passes a raw error', () => {
  const root = join(import.meta.dirname, '../../src/server');
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(file => file.endsWith('.ts'));
  expect(files.length).toBeGreaterThan(100);
  const found = files.filter(file =>
    /\berror: (String\(error\)|`\$\{error\}|error\.)/.test(readFileSync(join(root, file), 'utf8')),
  );
  expect(found).toEqual([]);
});
