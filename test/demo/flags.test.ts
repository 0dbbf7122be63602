import { expect, test } from 'vitest';
import { readFlags } from '../../src/demo/flags.ts';

const env = { OPENAI_API_KEY: 'key-1', ANTHROPIC_API_KEY: 'key-2', BLANK: ' ' };

test.for([
  ['--agent cloud', 'there is no agent "cloud"; there are builtin, claude, codex, gemini, opencode'],
  ['--skill octo-org/a:b --agent builtin', '--skill is for the shell blocks'],
  ['--prompt x --agent builtin', '--prompt with --agent needs --model'],
  ['--model-url http://127.0.0.1:1', '--model-url is given without --model'],
  ['--model-api anthropic', '--model-api is given without --model'],
  ['--model-key-variable A', '--model-key-variable is given without --model'],
  ['--model m --model-api chat', '--model-api is "chat"; it takes openai-chat, '],
  ['--model m --agent claude --model-api gemini', '--model-api: claude speaks anthropic only'],
  ['--model m --agent claude --agent codex', '--model goes with one --agent'],
  ['--model m --model-url localhost:1', '--model-url is "localhost:1"; it takes an http or https address'],
  ['--model m --agent gemini', 'the variable GEMINI_API_KEY is not set'],
  ['--model m --model-key-variable BLANK', 'the variable BLANK is not set'],
  ['--model m --model-key-variable gsk_AbCdEf0123', '--model-key-variable: what stands there is no name of a variable'],
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

test('without flags no real model is asked, whatever keys there are', () => {
  expect(readFlags([], env)).toMatchObject({ agents: [], model: undefined });
  expect(readFlags(['--agent', 'claude', '--agent', 'claude'], env)).toMatchObject({
    agents: ['claude'],
    model: undefined,
  });
});
