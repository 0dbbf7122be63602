import { expect, test } from 'vitest';
import { createBuiltinReader } from '../../../../../src/server/harness/agents/builtin/builtin-reader.ts';

const exit = { exitCode: 0, signal: undefined, outputTail: '' };

test('events are passed on, and the other lines update the state', () => {
  const reader = createBuiltinReader();
  const message = { type: 'message', data: { role: 'assistant', text: 'I look.' } };
  const call = { type: 'tool_call', data: { id: '1', name: 'shell', input: {} } };
  expect(reader.read({ session: 'abc' })).toEqual([]);
  expect(reader.read({ step: 1 })).toEqual([]);
  expect(reader.read({ alive: true })).toEqual([]);
  expect(reader.read(message)).toEqual([message]);
  expect(reader.read(call)).toEqual([call]);
  expect([reader.sessionId, reader.steps, reader.isToolRunning]).toEqual(['abc', 1, true]);
  reader.read({ type: 'tool_result', data: { id: '1', output: '', is_error: false } });
  expect(reader.isToolRunning).toBe(false);
  expect(reader.claim(exit)).toEqual({ kind: 'none', text: 'I look.' });
  expect(reader.read({ end: { kind: 'succeeded', text: 'Done.' } })).toEqual([]);
  expect(reader.claim(exit)).toEqual({ kind: 'succeeded', text: 'Done.' });
});

test('counted answers stay counted', () => {
  const reader = createBuiltinReader();
  for (const step of [2, -5, 0, 1]) reader.read({ step });
  expect(reader.steps).toBe(2);
});

test.each([
  {},
  { type: 'state', data: { state: 'SUCCEEDED' } },
  { type: 'message' },
  { type: 'message', data: { role: 'assistant' } },
  { type: 'tool_call', data: {} },
  { type: 'tool_result', data: { id: '1', output: '' } },
  { type: 'log', data: { stream: 7, text: 9 } },
  { type: 7, data: {} },
  { type: 'toString', data: {} },
  { end: { kind: 'failed', fault: '__proto__', message: 5 } },
  { end: { kind: 'succeeded' } },
  { end: null },
])('%j is not one of its lines, and changes nothing', line => {
  const reader = createBuiltinReader();
  expect(reader.read(line)).toBeUndefined();
  expect(reader.claim(exit)).toEqual({ kind: 'none', text: undefined });
  expect(reader.isToolRunning).toBe(false);
});
