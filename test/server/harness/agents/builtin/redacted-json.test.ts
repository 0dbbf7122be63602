import { expect, test } from 'vitest';
import { createPrinter } from '../../../../../src/server/harness/agents/builtin/redacted-json.ts';

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

test('secrets are redacted in every string, and nothing else is', () => {
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

const file = '{"type":"service_account","private_key":"-----BEGIN PRIVATE KEY-----\nMIIabcdefghijklmnopqrst\n"}';
const pretty = '{\n  "private_key": "of\\\\the-file-0123456789"\n}';
const printFiles = createPrinter({
  endpoint: { api: 'anthropic', root: 'https://models.example.com', apiKey: undefined },
  mcpServers: [
    {
      type: 'stdio',
      name: 'a',
      command: 'a',
      args: [],
      env: { A_CREDENTIALS: file, B_SECRET: pretty },
      required: false,
    },
  ],
});

test('a secret with quotes, backslashes or line ends is redacted, also if it is the only one', () => {
  for (const secret of [file, pretty]) expect(printFiles({ text: `a ${secret} b` })).toBe('{"text":"a *** b"}');
});

test('a secret is redacted in nested JSON, and in numbered lines', () => {
  for (const secret of [file, pretty])
    expect(printFiles({ text: JSON.stringify({ secret }) })).toBe(JSON.stringify({ text: '{"secret":"***"}' }));
  const numbered = pretty.replace(/^/gm, '1\t');
  expect(printFiles({ text: numbered })).toBe(JSON.stringify({ text: '1\t{\n1\t  ***\n1\t}' }));
});

test('a key that is a plain word stays in strings', () => {
  const printPlain = createPrinter({
    endpoint: { api: 'openai-chat', root: 'http://127.0.0.1:11434', apiKey: 'ollama' },
    mcpServers: [],
  });
  expect(printPlain({ text: 'start ollama' })).toBe('{"text":"start ollama"}');
});
