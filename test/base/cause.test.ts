import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { describeCause, findCause, messageOf } from '../../src/base/cause.ts';
import { findClosedPort } from '../client/scripted-server.ts';

test('the innermost cause of an error is described', () => {
  const cause = new Error('name does not resolve');
  const wrapped = new TypeError('fetch failed', { cause: new Error('', { cause }) });
  expect([findCause(wrapped), describeCause(wrapped)]).toEqual([cause, 'name does not resolve']);
  expect(describeCause('a text')).toBe('a text');
});

test('any thrown value has a message', () => {
  expect([new TypeError('x'), 'a text', undefined].map(messageOf)).toEqual(['x', 'a text', 'undefined']);
});

test('an error about several addresses describes each attempt', async () => {
  const port = await findClosedPort();
  const error = await new Promise(failed => {
    connect({
      host: 'two.example.com',
      port,
      autoSelectFamily: true,
      lookup: (_host, _options, done) =>
        done(null, [
          { address: '::1', family: 6 },
          { address: '127.0.0.1', family: 4 },
        ]),
    }).on('error', failed);
  });
  expect(error).toBeInstanceOf(AggregateError);
  const said = describeCause(new TypeError('fetch failed', { cause: error }));
  expect(said).toMatch(new RegExp(`^connect E\\w+ ::1:${port}.*; connect ECONNREFUSED 127\\.0\\.0\\.1:${port}$`));
});
