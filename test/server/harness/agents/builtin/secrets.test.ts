import { expect, test } from 'vitest';
import { createPrinter } from '../../../../../src/server/harness/agents/builtin/secrets.ts';

const print = createPrinter({
  endpoint: { api: 'anthropic', root: 'https://models.example.com', apiKey: 'key-"of"-the-model' },
  mcpServers: [
    {
      type: 'http',
      name: 'a',
      url: 'https://mcp.example.com/?user=octo&key=of-the-address',
      headers: { Authorization: 'Bearer of-the-header' },
      required: false,
    },
    {
      type: 'stdio',
      name: 'b',
      command: 'b',
      args: [],
      env: { B_TOKEN: 'of-the-variable', B_MODE: 'production' },
      required: false,
    },
  ],
});

test('secrets are hidden in every text, and nothing else is', () => {
  const value = {
    text: 'it said key-"of"-the-model, Bearer of-the-header and of-the-variable in production',
    deep: [{ input: ['of-the-header', 'https://mcp.example.com/?user=octo&key=of-the-address'] }],
    number: 12,
  };
  expect(JSON.parse(print(value))).toEqual({
    text: 'it said ***, Bearer *** and *** in production',
    deep: [{ input: ['***', 'https://mcp.example.com/?user=octo&key=***'] }],
    number: 12,
  });
});

test('a key that is a plain word stays in texts', () => {
  const printPlain = createPrinter({
    endpoint: { api: 'openai-chat', root: 'http://127.0.0.1:11434', apiKey: 'ollama' },
    mcpServers: [],
  });
  expect(printPlain({ text: 'start ollama' })).toBe('{"text":"start ollama"}');
});
