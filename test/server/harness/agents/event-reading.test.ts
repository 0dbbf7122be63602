import { expect, test } from 'vitest';
import { noSecrets } from '../../../../src/border/secrets.ts';
import type { AgentReader } from '../../../../src/server/harness/agents/adapter.ts';
import { eventCharactersMax, readEventLines } from '../../../../src/server/harness/agents/event-reading.ts';

function open(sessionId?: string) {
  const read: string[] = [];
  const reader = {
    read(event) {
      read.push(String(event.type));
      return [];
    },
    claim: () => ({ kind: 'none', text: '' }),
    steps: 0,
    isToolRunning: false,
    sessionId,
  } satisfies AgentReader;
  return { read, lines: readEventLines(reader, noSecrets.redact) };
}

test('the events of one run have a memory limit', () => {
  const { read, lines } = open();
  const long = JSON.stringify({ type: 'a', text: 'x'.repeat(8 * 1024 * 1024) });
  const most = Math.floor(eventCharactersMax / long.length);
  for (let count = 0; count < most; count += 1) expect(lines.readLine(long)).toEqual([]);
  expect(lines.isFull).toBe(false);
  lines.readLine(long);
  expect(lines.isFull).toBe(true);
  expect(lines.readLine('{"type":"b"}')).toBeUndefined();
  expect(read).not.toContain('b');
});

test.each(['01920000-0000-7000-8000-000000000001', 'ses_0Ab', 'x'.repeat(128)])('%s is a valid session id', session => {
  expect(open(session).lines.sessionId).toBe(session);
});

test.each(['', '-p', '--version', 'a b', 'a\0b', 'a/../b', 'a\n', 'ä', 'x'.repeat(129)])(
  '%j is not a valid session id',
  session => {
    expect(open(session).lines.sessionId).toBeUndefined();
  },
);

test('commas and brackets within strings are not values', () => {
  const { read, lines } = open();
  lines.readLine(JSON.stringify({ type: 'csv', text: '"a",[{'.repeat(200_000) }));
  lines.readLine(JSON.stringify({ type: 'many', values: Array(200_001).fill(0) }));
  expect(read).toEqual(['csv']);
});

test('only a limited number of invalid event lines is parsed', () => {
  const { read, lines } = open();
  const began = performance.now();
  for (let count = 0; count < 10_000; count += 1) expect(lines.readLine('{')).toBeUndefined();
  expect(lines.isFull).toBe(false);
  for (let count = 0; count < 3_000_000; count += 1) lines.readLine('{');
  expect(lines.isFull).toBe(true);
  expect(performance.now() - began).toBeLessThan(10_000);
  lines.readLine('{"type":"b"}');
  expect(read).toEqual([]);
});
