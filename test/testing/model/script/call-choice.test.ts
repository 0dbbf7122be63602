import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import type { ModelRequest, OfferedTool, ScriptedCall } from '../../../../src/testing/index.ts';
import { chooseCall } from '../../../../src/testing/model/script/call-choice.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';

const text = { type: 'string' };
const claude = [
  offer('Bash', { command: text, description: text }, ['command']),
  offer('Read', { file_path: text, limit: { type: 'number' } }, ['file_path']),
  offer('Write', { file_path: text, content: text }, ['file_path', 'content']),
  offer('mcp__my-notes__read-note', { id: text }, []),
];
const codex = [
  offer('exec_command', { cmd: text, workdir: text }, ['cmd']),
  offer('write_stdin', { session_id: { type: 'number' } }, ['session_id']),
  { ...offer('read_note', { id: text }, []), namespace: 'mcp__my_notes' },
];
const gemini = [
  offer('run_shell_command', { command: text }, ['command']),
  offer('read_file', { file_path: text }, ['file_path']),
  offer('write_file', { file_path: text, content: text }, ['file_path', 'content']),
  offer('mcp_my-notes_read-note', { id: text }, []),
];
const opencode = [
  offer('bash', { command: text, description: text }, ['command', 'description']),
  offer('read', { filePath: text }, ['filePath']),
  offer('write', { content: text, filePath: text }, ['content', 'filePath']),
  offer('my-notes_read-note', { id: text }, []),
];

test.each([
  ['Claude Code', claude, { shell: 'ls' }, 'Bash', { command: 'ls' }],
  ['Claude Code', claude, { read: 'a.txt' }, 'Read', { file_path: 'a.txt' }],
  ['Claude Code', claude, { write: { path: 'a', content: 'b' } }, 'Write', { file_path: 'a', content: 'b' }],
  ['Codex', codex, { shell: 'ls' }, 'exec_command', { cmd: 'ls' }],
  ['Codex', codex, { read: "it's.txt" }, 'exec_command', { cmd: "cat 'it'\\''s.txt'" }],
  ['Gemini CLI', gemini, { shell: 'ls' }, 'run_shell_command', { command: 'ls' }],
  ['Gemini CLI', gemini, { read: 'a.txt' }, 'read_file', { file_path: 'a.txt' }],
  ['Gemini CLI', gemini, { write: { path: 'a', content: 'b' } }, 'write_file', { file_path: 'a', content: 'b' }],
  ['opencode', opencode, { shell: 'ls' }, 'bash', { command: 'ls', description: 'scripted' }],
  ['opencode', opencode, { write: { path: 'a', content: 'b' } }, 'write', { filePath: 'a', content: 'b' }],
] as const)('%s: %#: the matching tool is called with its own input', (_program, tools, call, name, input) => {
  const chosen = choose(call, tools);
  expect([chosen.name, chosen.input, JSON.parse(chosen.inputText)]).toEqual([name, input, input]);
});

test.each([
  ['Claude Code', claude, 'mcp__my-notes__read-note', undefined],
  ['Codex', codex, 'read_note', 'mcp__my_notes'],
  ['Gemini CLI', gemini, 'mcp_my-notes_read-note', undefined],
  ['opencode', opencode, 'my-notes_read-note', undefined],
])('%s: a tool of an MCP server is found by both names', (_program, tools, name, namespace) => {
  const call = { mcp: { server: 'my-notes', tool: 'read-note', input: { id: '7' } } };
  expect(choose(call, tools)).toMatchObject({ name, namespace, input: { id: '7' } });
});

test('the same tool of another server does not match', () => {
  const tools = [offer('mcp__old-my-notes__read-note', {}, []), offer('read-note', {}, [])];
  expect(() => choose({ mcp: { server: 'my-notes', tool: 'read-note' } }, tools)).toThrow(
    'no tool read-note of the MCP server my-notes among mcp__old-my-notes__read-note, read-note',
  );
});

test('without a matching tool, the error names the offered ones', () => {
  expect(() => choose({ shell: 'ls' }, codex.slice(1))).toThrow(
    'no shell tool among write_stdin, mcp__my_notes/read_note',
  );
  expect(() => choose({ read: 'a' }, [])).toThrow('no shell tool among no tools');
});

test('a shell that takes a list of words gets one', () => {
  const shell = offer('shell', { command: { type: 'array', items: text } }, ['command']);
  expect(choose({ shell: 'ls | wc' }, [shell]).input).toEqual({ command: ['bash', '-c', 'ls | wc'] });
});

test('a shell writes a file if there is no tool for it, with any content', async () => {
  const folder = createTempFolder();
  const content = 'It\'s "$HOME", %s, `id` and \\\\ n\\n\n\nünïcödé\n';
  const { input } = choose({ write: { path: "sub dir/it's.txt", content } }, codex);
  await promisify(execFile)('bash', ['-c', (input as { cmd: string }).cmd], { cwd: folder });
  expect(await readFile(`${folder}/sub dir/it's.txt`, 'utf8')).toBe(content);
});

test('members that a schema requires in addition to the input are filled in', () => {
  const tool = offer(
    'bash',
    {
      command: text,
      mode: { enum: ['slow', 'fast'] },
      deep: { type: 'object', properties: { a: { type: 'boolean' } }, required: ['a'] },
      list: { type: 'array' },
      count: { type: 'integer', minimum: 3 },
      free: text,
    },
    ['command', 'mode', 'deep', 'list', 'count'],
  );
  expect(choose({ shell: 'ls' }, [tool]).input).toEqual({
    command: 'ls',
    mode: 'slow',
    deep: { a: false },
    list: [],
    count: 3,
  });
});

test('a tool named by the script is called with its input unchanged, offered or not', () => {
  expect(choose({ name: 'Bash', input: {} }, claude)).toMatchObject({ name: 'Bash', inputText: '{}' });
  expect(choose({ name: ({ model }) => `${model}-tool`, input: [1] }, claude)).toMatchObject({
    name: 'm-1-tool',
    inputText: '[1]',
  });
});

test('a tool with plain text input gets plain text', () => {
  const patch: OfferedTool = { name: 'apply_patch', kind: 'custom', schema: undefined };
  expect(choose({ name: 'apply_patch', input: '*** Begin Patch' }, [patch]).inputText).toBe('*** Begin Patch');
});

function choose(call: ScriptedCall, tools: readonly OfferedTool[]) {
  const request: ModelRequest = {
    api: 'openai-chat',
    path: '/v1/chat/completions',
    model: 'm-1',
    system: '',
    messages: [],
    tools,
    toolResults: [],
    isStreamed: true,
    maxTokens: undefined,
    outputSchema: undefined,
    headers: {},
    isKeyRight: undefined,
    isSide: false,
    body: {},
  };
  return chooseCall(call, request);
}

function offer(name: string, properties: object, required: readonly string[]): OfferedTool {
  return { name, kind: 'function', schema: { type: 'object', properties, required } };
}
