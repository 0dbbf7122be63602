import { expect, test } from 'vitest';
import { prefersStream } from '../../../src/server/http/media-preference.ts';

test.each([
  [undefined, false],
  ['*/*', false],
  ['application/json', false],
  ['text/html', false],
  ['text/event-stream', true],
  ['Text/Event-Stream; charset=utf-8', true],
  ['text/*', true],
  ['text/event-stream, */*', true],
  ['text/event-stream, application/json;q=0.5', true],
  ['application/json, text/event-stream', false],
  ['application/json, text/event-stream;q=0.5', false],
  ['application/json;q=0.4, text/event-stream;q=0.5', true],
  ['text/event-stream;q=0.1, */*', false],
  ['text/event-stream;q=0', false],
  ['text/event-stream; q=0.000, text/*', false],
  ['application/json;q=0, */*', true],
  ['application/json;q=0, text/event-stream;q=0', false],
  // Weights above 1 count as 1, and the first type wins.
  ['application/json, text/event-stream;q=1.9', false],
  ['text/event-stream;q=1.9, application/json', true],
  ['text/event-streams', false],
  ['', false],
])('Accept: %s asks for a stream: %s', (accept, expected) => {
  expect(prefersStream(accept)).toBe(expected);
});
