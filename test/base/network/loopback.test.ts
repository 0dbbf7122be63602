import { expect, test } from 'vitest';
import { isLoopback } from '../../../src/base/network/loopback.ts';

test.each(['localhost', 'LOCALHOST', 'app.localhost', '127.0.0.1', '127.255.0.9', '::1', '[::1]'])(
  '%s is a loopback host',
  host => {
    expect(isLoopback(host)).toBe(true);
  },
);

test.each([
  '',
  'example.com',
  'localhost.example.com',
  '127.0.0.1.example.com',
  '127.0.0.256',
  '127.1',
  '128.0.0.1',
  '0.0.0.0',
  '::',
  '[::ffff:1]',
  'notlocalhost',
])('%s is not a loopback host', host => {
  expect(isLoopback(host)).toBe(false);
});
