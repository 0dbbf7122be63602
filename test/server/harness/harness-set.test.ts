import { expect, test } from 'vitest';
import { createHarnesses } from '../../../src/server/harness/harness-set.ts';

const agent = { argv: ['agent'] as [string], env: {} };

test('a run that names no harness, or oz, gets the default', () => {
  const set = createHarnesses({ default: 'script', script: true, commands: { agent } });
  expect(set.names).toEqual(['script', 'agent']);
  expect([set.get(undefined), set.get('oz'), set.get('agent'), set.get('gone')].map(found => found?.name)).toEqual([
    'script',
    'script',
    'agent',
    undefined,
  ]);
});

test('a server without a harness has no default', () => {
  const set = createHarnesses({ default: undefined, script: false, commands: {} });
  expect([set.names, set.get(undefined), set.get('script')]).toEqual([[], undefined, undefined]);
});

test('a missing default, and a name that is taken, stop the start', () => {
  expect(() => createHarnesses({ default: 'gone', script: true, commands: {} })).toThrow('"gone"');
  expect(() => createHarnesses({ default: 'script', script: true, commands: { script: agent } })).toThrow(
    'already in use',
  );
  expect(() => createHarnesses({ default: 'oz', script: false, commands: { oz: agent } })).toThrow('already in use');
});

test('the published type of a harness is its program, not its name', () => {
  const endpoint = { root: 'http://127.0.0.1:1', api: 'anthropic', apiKey: 'k' } as const;
  const settings = { endpoint, model: 'm', models: undefined, program: undefined, env: {}, steps: 9, stallMs: 1000 };
  const agents = { quick: { kind: 'claude', ...settings }, mine: { kind: 'builtin', ...settings } };
  const set = createHarnesses({ default: 'script', script: true, commands: { gemini: agent }, agents });
  const names = ['script', 'quick', 'mine', 'gemini', 'codex', 'gone'];
  expect(names.map(set.publishedType)).toEqual(['oz', 'claude', 'oz', 'oz', 'codex', 'oz']);
});
