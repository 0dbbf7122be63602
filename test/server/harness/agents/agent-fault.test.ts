import { expect, test } from 'vitest';
import { explainFault } from '../../../../src/server/harness/agents/agent-fault.ts';
import { readModelFault } from '../../../../src/server/harness/agents/builtin/model/model-fault.ts';
import { explainCodexFailure } from '../../../../src/server/harness/agents/codex/codex-fault.ts';
import { explainGeminiEnd } from '../../../../src/server/harness/agents/gemini/gemini-faults.ts';
import { explainOpencodeError } from '../../../../src/server/harness/agents/opencode/opencode-faults.ts';

const exit = { exitCode: 1, signal: undefined, outputTail: '' };
const explanations = {
  builtin: (said: string) => readModelFault(new Error(said), 0),
  codex: explainCodexFailure,
  gemini: (said: string) => explainGeminiEnd({ message: said }, undefined, exit),
  opencode: (said: string) => explainOpencodeError({ name: 'UnknownError', data: { message: said } }),
};

test.each([
  ['builtin', 'prompt is too long', 'context_length', 'provider'],
  ['codex', 'dns error', 'network', 'harness'],
  ['codex', 'status: 503', 'provider', 'harness'],
  ['gemini', 'prompt is too long', 'context_length', 'harness'],
  ['opencode', 'ECONNRESET', 'network', 'harness'],
] as const)('%s: "%s" is searched only in the beginning of the message', (kind, words, near, far) => {
  const explain = explanations[kind];
  expect(explain(`${'so. '.repeat(1000)} ${words}`).fault).toBe(near);
  expect(explain(`${'so. '.repeat(5000)} ${words}`).fault).toBe(far);
});

test('names that every object has are not kinds', () => {
  expect(explainOpencodeError({ name: 'constructor', data: {} })).toMatchObject({ fault: 'harness' });
});

test('a long complaint is cut, and is one line', () => {
  const names = { agent: 'An agent', model: 'large', endpoint: 'https://models.example.com' };
  const tell = (message: string) => explainFault({ fault: 'harness', message }, names).text;
  expect(tell('word\n'.repeat(200))).toMatch(/^An agent failed: (word ){120}…$/);
  expect(tell(`word${'\n'.repeat(20_000)}end`)).toBe('An agent failed: word');
});

test('a broken connection names where the address is configured', () => {
  const names = { agent: 'An agent', model: 'large', endpoint: 'https://models.example.com' };
  const remedyOf = (address?: string) => explainFault({ fault: 'network', message: '' }, { ...names, address }).remedy;
  expect(remedyOf()).toBe('Check the network, and `endpoint.url` of the harness if it is set');
  expect(remedyOf('A_URL')).toBe('Check the network, and A_URL if it is set');
});

test('an account without credit is told first to add some', () => {
  const names = { agent: 'An agent', model: 'large', endpoint: 'https://models.example.com' };
  const remedyOf = (message: string) => explainFault({ fault: 'rate_limit', httpStatus: 400, message }, names).remedy;
  expect(remedyOf('Your credit balance is too low to access the API.')).toMatch(/^Add credit at the provider/);
  expect(remedyOf('slow down')).toMatch(/^Start the run again later/);
});

test('a model that is not found may need access or a prefix', () => {
  const remedyOf = (model: string) =>
    explainFault({ fault: 'model_not_found', message: '' }, { agent: 'An agent', model, endpoint: 'https://m.test' })
      .remedy;
  expect(remedyOf('claude-x')).toMatch(/^Check its name and that the key has access to it\. .* of the endpoint$/);
  expect(remedyOf('anthropic/claude-x')).toMatch(/If it is the provider's own endpoint, write the model as claude-x$/);
});
