import { appendFileSync, mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { JsonObject } from '../../../../src/base/json.ts';
import { wholeText } from '../../../../src/contract/tables/run-text.ts';
import type { AgentReader, AgentSpec } from '../../../../src/server/harness/agents/adapter.ts';
import { codexAdapter } from '../../../../src/server/harness/agents/codex/codex.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { playLines, playRecording } from './recording.ts';
import { createSpec } from './spec-fixture.ts';

const play = (name: string) => playRecording('codex', codexAdapter, name);
const thread = '01920000-0000-7000-8000-000000000001';

test('a success becomes reasoning, messages, tool calls, their results and usage', async () => {
  const { events, outcome, sessionId, isToolRunning } = await play('success');
  expect(events.map(({ data }) => data)).toEqual([
    { stream: 'system', text: 'thinking: Where am I?\n' },
    { role: 'assistant', text: 'I look first.' },
    { id: 'item_3', name: 'shell', input: { command: "/bin/bash -lc 'echo one; echo two >&2'" } },
    { id: 'item_3', output: 'one\ntwo\n', is_error: false, exit_code: 0 },
    { id: 'item_4', name: 'shell', input: { command: expect.stringContaining('note.txt') } },
    { id: 'item_4', output: '', is_error: false, exit_code: 0 },
    { role: 'assistant', text: 'It is done.' },
    { input_tokens: 3000, output_tokens: 60, cached_tokens: 900, reasoning_tokens: 15, requests: 3 },
  ]);
  expect(outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('It is done.') });
  expect([sessionId, isToolRunning]).toEqual([thread, false]);
});

test('tools of an MCP server have its name, and a failed one says so', async () => {
  const { events } = await play('mcp-tool');
  expect(events.find(({ type }) => type === 'tool_call')?.data).toMatchObject({
    name: 'mcp__notes__read_note',
    input: { id: '7' },
  });
  expect(events.filter(({ type }) => type === 'tool_result').map(({ data }) => data)).toMatchObject([
    { output: 'note 7', is_error: false },
    { output: 'no such note', is_error: true },
  ]);
});

test.each([
  ['failing-tool', 'It failed.'],
  ['dead-mcp', 'Fine without.'],
  ['429-then-fine', 'At last.'],
  ['resume', 'Second.'],
])('%s: the run continues', async (name, text) => {
  expect((await play(name)).outcome).toEqual({ state: 'SUCCEEDED', result: wholeText(text) });
});

test('a failed command is a result that says so, and retries are logged', async () => {
  expect((await play('failing-tool')).events.find(({ type }) => type === 'tool_result')?.data).toEqual({
    id: 'item_1',
    output: 'broken\n',
    is_error: true,
    exit_code: 3,
  });
  expect((await play('429-then-fine')).events.map(({ data }) => data)).toContainEqual({
    stream: 'system',
    text: 'Codex: Reconnecting... 2/3 (exceeded retry limit, last status: 429 Too Many Requests)\n',
  });
});

test.each([
  ['400', 'agent_failed', 'rejected the request of Codex: tools are not supported.'],
  ['401', 'authentication_required', 'refused the key (status 401): unexpected status 401 Unauthorized'],
  ['404', 'resource_not_found', 'does not know the model large: The model `m-1` does not exist'],
  ['429', 'rate_limited', '(status 429): exceeded retry limit'],
  ['500', 'resource_unavailable', 'failed: We’re currently experiencing high demand'],
  [
    'too-long',
    'agent_failed',
    "longer than the context of the model large: Codex ran out of room in the model's context window",
  ],
  [
    'cut-stream',
    'resource_unavailable',
    'the connection broke: stream disconnected before completion: Transport error',
  ],
  ['stream-error', 'resource_unavailable', 'failed: stream disconnected before completion: the model has a fever.'],
  ['unreachable', 'resource_unavailable', 'the connection broke: Connection failed: error sending request.'],
  ['refusal', 'agent_failed', 'refused to answer: stream disconnected before completion: Incomplete response'],
  ['output-limit', 'agent_failed', 'reached its length limit and was cut off: Incomplete response returned'],
  ['empty', 'no_result', 'Codex ended without an answer'],
  ['resume-unknown', 'agent_failed', 'exit code 1 without reporting a result. It printed: Error: thread/resume'],
  ['dead-required-mcp', 'environment_setup_failed', 'cannot be used: dead: handshaking with MCP server failed'],
  ['step-limit', 'agent_failed', 'was killed by SIGTERM without reporting a result'],
])('%s: a failure of its own kind', async (name, code, message) => {
  const { outcome } = await play(name);
  expect(outcome).toMatchObject({ state: 'FAILED', code, message: expect.stringContaining(message) });
});

test.each(['sigterm', 'sigint'])('%s: it has not reported its end, and the tool was running', async name => {
  const { outcome, isToolRunning } = await play(name);
  expect(outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('without reporting a result') });
  expect(isToolRunning).toBe(true);
});

const line = (event: object) => JSON.stringify(event);
const item = (kind: 'started' | 'completed', more: object) =>
  line({ type: `item.${kind}`, item: { id: 'a', ...more } });
const said = (text: string) => item('completed', { id: text, type: 'agent_message', text });
const completed = line({ type: 'turn.completed', usage: {} });

test('an error after the end of the turn counts', async () => {
  const said = line({ type: 'item.completed', item: { id: '1', type: 'agent_message', text: 'Done.' } });
  const broke = line({ type: 'error', message: 'stream broke' });
  const { outcome } = await playLines(codexAdapter, [said, completed, broke]);
  expect(outcome).toMatchObject({
    state: expect.not.stringMatching('SUCCEEDED'),
    message: expect.stringContaining('stream broke'),
  });
});

test('an error item counts after the end of the turn, and not before', async () => {
  const broke = item('completed', { id: 'e', type: 'error', message: 'stream error: 500' });
  const after = await playLines(codexAdapter, [said('Done.'), completed, broke]);
  expect(after.outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('stream error: 500') });
  const before = await playLines(codexAdapter, [said('Done.'), broke, completed]);
  expect(before.outcome).toMatchObject({ state: 'SUCCEEDED' });
});

test('a turn has no answer of an earlier one, and needs an end of its own', async () => {
  const again = line({ type: 'turn.started' });
  const second = await playLines(codexAdapter, [said('I begin.'), completed, again, completed]);
  expect(second.outcome).toMatchObject({ state: 'FAILED', code: 'no_result' });
  const endless = await playLines(codexAdapter, [said('I begin.'), completed, said('I go on.')]);
  expect(endless.outcome).toMatchObject({ message: expect.stringContaining('exit code 0 without reporting a result') });
});

test('a thread can be continued once its first turn has begun', async () => {
  const began = line({ type: 'thread.started', thread_id: thread });
  expect((await playLines(codexAdapter, [began])).sessionId).toBeUndefined();
  expect((await playLines(codexAdapter, [began, line({ type: 'turn.started' })])).sessionId).toBe(thread);
});

test('only the text after the last tool is the answer', async () => {
  const call = item('completed', { type: 'command_execution', command: 'ls', aggregated_output: '' });
  const { outcome } = await playLines(codexAdapter, [said('I look.'), call, completed]);
  expect(outcome).toMatchObject({ state: 'FAILED', code: 'no_result' });
});

test('a complaint counts until the model continues', async () => {
  const complaint = line({ type: 'error', message: 'Reconnecting... 1/3 (stream disconnected before completion: x)' });
  const lost = await playLines(codexAdapter, [complaint], { exitCode: 1 });
  expect(lost.outcome).toMatchObject({ code: 'resource_unavailable' });
  const recovered = await playLines(codexAdapter, [complaint, said('I go on.')], { exitCode: 1 });
  expect(recovered.outcome).toMatchObject({ message: expect.stringContaining('without reporting a result') });
});

test('other kinds of tools are calls, too, even without a start event', async () => {
  const changes = [{ path: 'note.txt', kind: 'add' }];
  const { events, steps } = await playLines(codexAdapter, [
    item('completed', { id: '1', type: 'file_change', changes, status: 'completed' }),
    item('completed', { id: '2', type: 'web_search', query: 'octo' }),
    item('completed', {
      id: '3',
      type: 'mcp_tool_call',
      server: 's',
      tool: 't',
      error: { message: 'gone' },
      status: 'failed',
    }),
    item('completed', { id: '4', type: 'todo_list', items: [] }),
  ]);
  expect(events.map(({ data }) => data)).toEqual([
    { id: '1', name: 'apply_patch', input: { changes } },
    { id: '1', output: 'completed', is_error: false },
    { id: '2', name: 'web_search', input: { query: 'octo' } },
    { id: '2', output: '', is_error: false },
    { id: '3', name: 'mcp__s__t', input: {} },
    { id: '3', output: 'gone', is_error: true },
  ]);
  expect(steps).toBe(3);
});

test('a working subagent may not be silent', async () => {
  const call = item('started', { type: 'collab_tool_call', tool: 'spawn_agent', prompt: 'look' });
  expect((await playLines(codexAdapter, [call])).isToolRunning).toBe(false);
});

test.each([
  ["You've hit your usage limit.", 'rate_limited'],
  [
    'unexpected status 503 Service Unavailable: x, url: https://models.example.com/v1/responses',
    'resource_unavailable',
  ],
  ['unexpected status 404 Not Found: x, url: https://models.example.com/v1/responses', 'resource_not_found'],
  ['something new', 'agent_failed'],
])('%s', async (message, code) => {
  const failed = line({ type: 'turn.failed', error: { message } });
  expect((await playLines(codexAdapter, [failed], { exitCode: 1 })).outcome).toMatchObject({ code });
});

test('unknown and malformed events are ignored', async () => {
  const lines = [
    '{"type":"new"}',
    '{"type":"item.completed"}',
    '{"type":"item.started","item":7}',
    '{"type":"turn.failed"}',
    '{}',
  ];
  const { outcome, events } = await playLines(codexAdapter, lines);
  expect([outcome.state, events]).toEqual(['FAILED', []]);
});

test('a shortened text never shows half a secret', async () => {
  const key = 'the-key-of-the-model';
  const thought = { type: 'reasoning', text: `${'x'.repeat(390)}${key} and more` };
  const failed = { type: 'turn.failed', error: { message: `${'y'.repeat(590)}${key} and more` } };
  const lines = [{ type: 'item.completed', item: thought }, failed].map(event => JSON.stringify(event));
  const { events, outcome } = await playLines(codexAdapter, lines, { exitCode: 1 });
  const told = JSON.stringify([events, outcome]);
  expect(told).toMatch(/x{390}\*\*\*.*y{590}\*\*\*/);
  expect(told).not.toContain('the-');
});

const spec = createSpec({
  prompt: '/do it',
  instructions: 'Be "short".\n\x7f',
  endpoint: { api: 'openai-responses', root: 'https://models.example.com', apiKey: 'the-key-of-the-model' },
  newSessionId: thread,
});

/** A state folder with Codex's log of the thread, and a function that adds answers to it. */
function createSession() {
  const stateDir = createTempFolder();
  const file = join(stateDir, `codex/sessions/2026/11/28/rollout-2026-11-28T10-00-00-${thread}.jsonl`);
  mkdirSync(dirname(file), { recursive: true });
  let answers = 0;
  const record = (): string => {
    answers += 1;
    const thread_token_usage = {
      input_tokens: 1000 * answers,
      cached_input_tokens: 300 * answers,
      output_tokens: 20 * answers,
      reasoning_output_tokens: 5 * answers,
    };
    const payload = { thread_id: thread, turn_id: 'x', usage: {}, thread_token_usage };
    return `${JSON.stringify({ timestamp: '', ordinal: answers, type: 'token_usage_record', payload })}\n`;
  };
  const add = (text: string) => appendFileSync(file, text);
  const create = (resume?: string) => codexAdapter.createReader({ ...spec, stateDir, resume });
  return { stateDir, file, record, add, create };
}

const readAll = (reader: AgentReader, lines: readonly string[]) =>
  lines.flatMap(text => reader.read(JSON.parse(text)) ?? []).filter(({ type }) => type === 'usage');
const started = line({ type: 'thread.started', thread_id: thread });
const used = (answers: number, requests = answers) => ({
  input_tokens: 1000 * answers,
  output_tokens: 20 * answers,
  cached_tokens: 300 * answers,
  reasoning_tokens: 5 * answers,
  requests,
});

test('earlier usage of a thread is not that of a follow-up', async () => {
  const { record, add, create } = createSession();
  add(record());
  const text = await readFile(join(import.meta.dirname, 'fixtures/codex/resume.jsonl'), 'utf8');
  const lines = text.trimEnd().split('\n').slice(1);
  expect(JSON.parse(lines.at(-1) ?? '').usage.input_tokens).toBe(2000);
  expect(readAll(create(thread), lines).map(({ data }) => data)).toEqual([used(1)]);
});

test('an endless log is not read to its end', () => {
  const { file, record, add, create } = createSession();
  add(record());
  truncateSync(file, 2 ** 40);
  const began = performance.now();
  const message = line({ type: 'item.completed', item: { id: '1', type: 'agent_message', text: 'Done.' } });
  expect(readAll(create(), [started, message]).map(({ data }) => data)).toEqual([used(1)]);
  expect(performance.now() - began).toBeLessThan(10_000);
});

test('a log that grew much is read in parts, and its earlier records completely', () => {
  const { file, record, add, create } = createSession();
  const message = line({ type: 'item.completed', item: { id: '1', type: 'agent_message', text: 'Done.' } });
  add(record());
  truncateSync(file, 40 * 1024 * 1024);
  add(`\n${record()}`);
  const resumed = create(thread);
  add(record());
  expect(readAll(resumed, [started, message]).map(({ data }) => data)).toEqual([used(1)]);
  const reader = create();
  expect(readAll(reader, [started, message]).map(({ data }) => data)).toEqual([used(1)]);
  expect(readAll(reader, [message]).map(({ data }) => data)).toEqual([used(3)]);
});

test.each([
  ['that are not JSON', '"type":"token_usage_record"\n'],
  ['that are broken', '{"type":"token_usage_record"\n'],
  ['of another thread', '{"type":"token_usage_record"}\n'],
])('only the first of a log full of records %s are read', (_name, unit) => {
  const { record, add, create } = createSession();
  add(record());
  const many = unit.repeat(1_000_000);
  for (let count = 0; count < 3; count += 1) add(many);
  const reader = create();
  const began = performance.now();
  const call = item('started', { type: 'command_execution', command: 'ls' });
  expect(readAll(reader, [started, call]).map(({ data }) => data)).toEqual([used(1)]);
  expect(performance.now() - began).toBeLessThan(3_000);
});

test('the search for a missing log is limited', () => {
  const { stateDir, record, add, create } = createSession();
  const reader = create();
  for (let count = 0; count < 1500; count += 1) mkdirSync(join(stateDir, `codex/sessions/${count}`));
  const call = item('started', { type: 'command_execution', command: 'ls' });
  const read = (times: number) => readAll(reader, [started, ...Array.from({ length: times }, () => call)]);
  expect(read(5)).toEqual([]);
  add(record());
  expect(read(1)).toEqual([]);
  expect(readAll(create(), [started, call]).map(({ data }) => data)).toEqual([used(1)]);
});

test('a log folder that is a link is not searched', () => {
  const { stateDir, record, add, create } = createSession();
  add(record());
  renameSync(join(stateDir, 'codex/sessions'), join(stateDir, 'elsewhere'));
  symlinkSync(join(stateDir, 'elsewhere'), join(stateDir, 'codex/sessions'));
  expect(readAll(create(), [started])).toEqual([]);
});

test('without known earlier usage, no number is reported', () => {
  const { add, create } = createSession();
  add('{"type":"session_meta"}\n');
  const usage = { input_tokens: 2000, output_tokens: 40 };
  expect(readAll(create(thread), [started, line({ type: 'turn.completed', usage })])).toEqual([]);
});

test('usage and steps are reported during the work, from the log of the thread', () => {
  const { record, add, create } = createSession();
  const reader = create();
  expect(readAll(reader, [started])).toEqual([]);
  add(`{"type":"other"}\n${record()}`);
  const call = { type: 'command_execution', command: 'ls' };
  // A run that is stopped in its first tool has usage, too.
  expect(readAll(reader, [item('started', { id: '1', ...call })])).toMatchObject([{ data: used(1) }]);
  expect(readAll(reader, [item('completed', { id: '1', ...call })])).toEqual([]);
  // Two calls of one answer, whose record comes in two parts.
  const second = record();
  add(second.slice(0, 50));
  expect(readAll(reader, [item('completed', { id: '2', ...call })])).toEqual([]);
  add(second.slice(50));
  expect(readAll(reader, [item('completed', { id: '3', ...call })])).toMatchObject([{ data: used(2) }]);
  expect(reader.steps).toBe(2);
  add(record());
  expect(readAll(reader, [line({ type: 'turn.failed', error: { message: 'x' } })])).toMatchObject([{ data: used(3) }]);
});

test('a log that is broken, foreign, one endless line or a link is ignored', () => {
  const { record, add, create } = createSession();
  const fine = record();
  const reader = create();
  add(fine.replaceAll(thread, 'another'));
  add(`${fine.slice(0, 80)}\n${'x'.repeat(3_000_000)}${fine}`);
  expect(readAll(reader, [started, said('x')])).toEqual([]);
  add(record());
  expect(readAll(reader, [said('y')])).toMatchObject([{ data: { input_tokens: 2000 } }]);

  const linked = createSession();
  const elsewhere = join(linked.stateDir, 'elsewhere.jsonl');
  writeFileSync(elsewhere, linked.record());
  symlinkSync(elsewhere, linked.file);
  expect(readAll(linked.create(), [started, said('x')])).toEqual([]);
});

/** Reads the output of printToml: tables and values of one line. */
function parseToml(text: string): JsonObject {
  const root: Record<string, unknown> = {};
  let table = root;
  for (const row of text.trimEnd().split('\n')) {
    const [, heading] = /^\[(.*)\]$/.exec(row) ?? [];
    if (heading !== undefined) {
      table = root;
      for (const [key] of heading.matchAll(/"(?:\\.|[^"])*"|[\w-]+/g)) table = enter(table, parseKey(key));
      continue;
    }
    const [, key = '', value = ''] = /^("(?:\\.|[^"])*"|[\w-]+) = (.*)$/.exec(row) ?? [];
    table[parseKey(key)] = JSON.parse(value);
  }
  return root;
}

function enter(table: Record<string, unknown>, key: string): Record<string, unknown> {
  const { [key]: there = {} } = table;
  table[key] = there;
  return there as Record<string, unknown>;
}

function parseKey(key: string): string {
  return key.startsWith('"') ? String(JSON.parse(key)) : key;
}

function launch(more: Partial<AgentSpec> = {}) {
  const launched = codexAdapter.launch({ ...spec, ...more });
  const settings = launched.files.find(({ path }) => path === 'codex/config.toml')?.text ?? '';
  return { ...launched, toml: settings, settings: parseToml(settings) };
}

test('the prompt is on its input, and the program keeps to state folder and endpoint', () => {
  const { args, env, stdin, settings, toml, skillsFolder } = launch();
  expect(stdin).toBe('/do it');
  expect(args).toEqual(['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '-']);
  expect(env.CODEX_HOME).toBe('/run/state/codex');
  expect(settings).toMatchObject({
    model: 'large',
    developer_instructions: 'Be "short".\n\x7f',
    features: { unbounded_connection_retries: false },
    model_providers: { run: { base_url: 'https://models.example.com/v1', wire_api: 'responses' } },
  });
  // TOML does not allow this character in a string, and JSON does not escape it.
  expect(toml).not.toContain('\x7f');
  expect(skillsFolder).toBe('codex/skills');
});

test('the key is in one variable, which its tools do not get', () => {
  const { args, env, files, settings } = launch();
  expect(JSON.stringify([args, files])).not.toContain('the-key-of-the-model');
  const [name] = Object.entries(env).find(([, value]) => value === 'the-key-of-the-model') ?? [];
  expect(settings).toMatchObject({
    model_providers: { run: { env_key: name } },
    shell_environment_policy: { exclude: [name] },
  });
  expect(Object.values(launch({ endpoint: { ...spec.endpoint, apiKey: undefined } }).env)).toContain('none');
});

test('the command line fits a run without instructions, and a continued conversation', () => {
  const { args, settings } = launch({ instructions: '', resume: 'abc' });
  expect(args.slice(0, 2)).toEqual(['exec', 'resume']);
  expect(args.slice(-2)).toEqual(['abc', '-']);
  expect(settings).not.toHaveProperty('developer_instructions');
});

test('MCP servers are in the settings, with their timeouts', () => {
  const { settings } = launch({
    mcpServers: [
      {
        type: 'stdio',
        name: 'notes',
        command: 'no\\tes',
        args: ['"a"', '${B}'],
        env: { TOKEN: 'a$b' },
        required: false,
      },
      { type: 'http', name: 'web', url: 'https://mcp.example.com/', headers: { 'x key': 'a' }, required: true },
    ],
  });
  const times = { startup_timeout_sec: 60, tool_timeout_sec: 3600 };
  expect(settings.mcp_servers).toEqual({
    notes: { command: 'no\\tes', args: ['"a"', '${B}'], env: { TOKEN: 'a$b' }, required: false, ...times },
    web: { url: 'https://mcp.example.com/', http_headers: { 'x key': 'a' }, required: true, ...times },
  });
});
