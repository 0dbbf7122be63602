import { expect, test } from 'vitest';
import { readFlags } from '../../src/demo/flags.ts';

const env = { OPENAI_API_KEY: 'key-1', ANTHROPIC_API_KEY: 'key-2', BLANK: ' ' };

test.for([
  ['--agent cloud', '--agent must be one of builtin, claude, codex, gemini, opencode, not "cloud"'],
  ['--skill octo-org/a:b --agent builtin', '--skill cannot be combined with --agent'],
  ['--prompt x --agent builtin', '--prompt with --agent needs --model'],
  ['--model-url http://127.0.0.1:1', '--model-url needs --model'],
  ['--model-api anthropic', '--model-api needs --model'],
  ['--model-key-variable A', '--model-key-variable needs --model'],
  ['--model m --model-api chat', '--model-api must be one of openai-chat, '],
  ['--model m --agent claude --model-api gemini', '--model-api: claude supports only anthropic'],
  ['--model m --agent claude --agent codex', '--model works with only one --agent'],
  ['--model m --model-url localhost:1', '--model-url must be an http or https URL, not "localhost:1"'],
  ['--model m --agent gemini', 'the variable GEMINI_API_KEY is not set'],
  ['--model m --model-key-variable BLANK', 'the variable BLANK is not set'],
  [
    '--model m --model-key-variable gsk_AbCdEf0123',
    '--model-key-variable: the value (not shown) is not the name of a variable',
  ],
])('%s is refused: %s', ([args = '', sentence = '']) => {
  expect(() => readFlags(args.split(' '), env)).toThrow(sentence);
});

test.for([
  ['--model m', ['builtin'], { name: 'm', url: undefined, api: 'openai-chat', keyVariable: 'OPENAI_API_KEY' }],
  ['--model m --agent codex', ['codex'], { api: 'openai-responses', keyVariable: 'OPENAI_API_KEY' }],
  ['--model m --model-api anthropic', ['builtin'], { api: 'anthropic', keyVariable: 'ANTHROPIC_API_KEY' }],
  ['--model m --model-url http://127.0.0.1:1', ['builtin'], { url: 'http://127.0.0.1:1', keyVariable: undefined }],
] as const)('%s asks a real model', ([args, agents, model]) => {
  expect(readFlags(args.split(' '), env)).toMatchObject({ agents, model });
});

test('without flags no real model is asked, even with keys', () => {
  expect(readFlags([], env)).toMatchObject({ agents: [], model: undefined });
  expect(readFlags(['--agent', 'claude', '--agent', 'claude'], env)).toMatchObject({
    agents: ['claude'],
    model: undefined,
  });
});
