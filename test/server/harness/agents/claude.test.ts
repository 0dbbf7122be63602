import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wholeText } from '../../../../src/contract/tables/run-text.ts';
import type { AgentSpec } from '../../../../src/server/harness/agents/adapter.ts';
import { claudeAdapter } from '../../../../src/server/harness/agents/claude/claude.ts';
import type { McpServer } from '../../../../src/server/harness/mcp-servers.ts';
import { playLines, playRecording } from './recording.ts';
import { createSpec, textsOf } from './spec-fixture.ts';

const play = (name: string) => playRecording('claude', claudeAdapter, name);
const session = '01920000-0000-7000-8000-000000000001';

test('a success becomes reasoning, messages, tool calls, their results and usage', async () => {
  const { events, outcome, sessionId, steps, isToolRunning } = await play('success');
  expect(events.filter(({ type }) => type !== 'usage').map(({ data }) => data)).toEqual([
    { stream: 'system', text: 'thinking: Where am I?\n' },
    { role: 'assistant', text: 'I look first.' },
    { id: expect.stringMatching(/^toolu_/), name: 'Bash', input: { command: 'echo one; echo two >&2' } },
    { id: expect.stringMatching(/^toolu_/), output: 'one\ntwo', is_error: false },
    { id: expect.anything(), name: 'Write', input: { file_path: 'note.txt', content: 'hello\n' } },
    { id: expect.anything(), output: expect.stringContaining('created successfully'), is_error: false },
    { role: 'assistant', text: 'It is done.' },
  ]);
  expect(outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('It is done.') });
  expect([sessionId, steps, isToolRunning]).toEqual([session, 3, false]);
});

test('usage is reported during the work, so a stopped run has it, too', async () => {
  const { events } = await play('success');
  const used = (answers: number, output = 20 * answers) => ({
    input_tokens: 1000 * answers,
    output_tokens: output,
    cached_tokens: 300 * answers,
    reasoning_tokens: 0,
    requests: answers,
  });
  expect(events.filter(({ type }) => type === 'usage').map(({ data }) => data)).toEqual([
    used(1, 1),
    used(1),
    used(2, 21),
    used(2),
    used(3, 41),
    used(3),
  ]);
});

test('after a follow-up, the usage is that of the run alone', async () => {
  const { events } = await play('resume');
  expect(events.at(-1)).toMatchObject({ type: 'usage', data: { input_tokens: 1000, output_tokens: 20, requests: 1 } });
});

test('calls of one answer are one step', async () => {
  const { steps, events } = await play('parallel-tools');
  expect(steps).toBe(2);
  expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(2);
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

test('the exit code of a failed command is separate from its output', async () => {
  expect((await play('failing-tool')).events.find(({ type }) => type === 'tool_result')?.data).toMatchObject({
    output: 'broken',
    is_error: true,
    exit_code: 3,
  });
});

test('retries and dead MCP servers are logged', async () => {
  const texts = async (name: string) =>
    (await play(name)).events.flatMap(event => (event.type === 'log' ? [event.data.text] : []));
  expect(await texts('429-then-fine')).toEqual([
    expect.stringMatching(/^the model did not answer: rate_limit \(status 429\); retry 1 of 3 in 0\.\d seconds\n$/),
    expect.stringContaining('try 2 of 3'),
  ]);
  // It repeats the last number for each attempt with a refused key.
  expect(await texts('401')).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/\(status 401\); retrying in 2(\.\d)? seconds\n$/)),
  );
});

test('a dead MCP server of the run is logged once', async () => {
  const server = { type: 'stdio', name: 'dead', command: 'false', args: [], env: {}, required: false } as const;
  const told = async (deadServers: readonly string[]) =>
    (await playLines(claudeAdapter, await readRecorded('dead-mcp'), {}, { mcpServers: [server], deadServers })).events
      .filter(({ type }) => type === 'log')
      .map(({ data }) => data);
  expect(await told([])).toEqual([
    { stream: 'system', level: 'warning', text: 'warning: the MCP server dead cannot be used: failed\n' },
  ]);
  expect(await told(['dead'])).toEqual([]);
});

test.each([
  ['400', 'agent_failed', 'rejected the request of Claude Code (status 400): 400 tools are not supported.'],
  ['401', 'authentication_required', 'refused the key (status 401): Invalid API key'],
  ['404', 'resource_not_found', 'does not know the model large (status 404)'],
  ['429', 'rate_limited', '(status 429): Request rejected (429) · slow down.'],
  ['500', 'resource_unavailable', 'failed (status 500): 500 out of order.'],
  ['too-long', 'agent_failed', 'longer than the context of the model large (status 400): Prompt is too long'],
  ['cut-stream', 'resource_unavailable', 'the connection broke: Connection to the API was lost (ECONNRESET)'],
  ['stream-error', 'resource_unavailable', 'failed: Server error mid-response.'],
  ['unreachable', 'resource_unavailable', 'the connection broke: Connection refused'],
  ['refusal', 'agent_failed', 'the model large refused to answer'],
  ['output-limit', 'agent_failed', 'reached its length limit and was cut off'],
  [
    'step-limit',
    'step_limit',
    'Claude Code reached its step limit and was stopped: Reached maximum number of turns (2)',
  ],
  ['empty', 'no_result', 'Claude Code ended without an answer'],
  ['resume-unknown', 'agent_failed', 'failed: No conversation found with session ID'],
])('%s: a failure of its own kind, although it calls itself a success', async (name, code, message) => {
  const { outcome } = await play(name);
  expect(outcome).toMatchObject({ state: 'FAILED', code, message: expect.stringContaining(message) });
});

test('its own message about a failure is not a message of the model', async () => {
  const { events, steps } = await play('400');
  expect([events, steps]).toEqual([[], 0]);
});

test('a run that a signal ends has not reported its end', async () => {
  const { outcome } = await play('sigterm');
  expect(outcome).toMatchObject({ message: expect.stringContaining('SIGTERM) without reporting a result') });
});

test('exit code 0 after an interrupt is not a success', async () => {
  const { outcome } = await play('sigint');
  expect(outcome).toMatchObject({
    state: 'FAILED',
    message: expect.stringContaining('Claude Code failed'),
  });
});

const readRecorded = async (name: string) =>
  (await readFile(join(import.meta.dirname, `fixtures/claude/${name}.jsonl`), 'utf8')).trimEnd().split('\n').slice(1);

test('a dead required MCP server makes a success a failure', async () => {
  const server = { type: 'stdio', name: 'dead', command: 'false', args: [], env: {}, required: true } as const;
  const claim = async (mcpServers: readonly McpServer[]) => {
    const reader = claudeAdapter.createReader({ ...spec, mcpServers });
    for (const line of await readRecorded('dead-required-mcp')) reader.read(JSON.parse(line));
    return reader.claim({ exitCode: 0, signal: undefined, outputTail: '' });
  };
  expect(await claim([server])).toMatchObject({ kind: 'failed', fault: 'mcp_server', message: 'dead: failed' });
  expect(await claim([{ ...server, required: false }])).toMatchObject({ kind: 'succeeded' });
});

test('a running shell may be silent, and a subagent may not', async () => {
  const lines = (await readRecorded('sigterm')).filter(line => !line.includes('"tool_result"'));
  expect((await playLines(claudeAdapter, lines)).isToolRunning).toBe(true);
  const delegating = lines.map(line => line.replace('"name":"Bash"', '"name":"Task"'));
  expect((await playLines(claudeAdapter, delegating)).isToolRunning).toBe(false);
});

const line = (event: object) => JSON.stringify(event);
const said = (id: string, text: string, more: object = {}) =>
  line({ type: 'assistant', message: { id, model: 'large', content: [{ type: 'text', text }] }, ...more });
const ended = (result: string, more: object = {}) =>
  line({ type: 'result', subtype: 'success', is_error: false, result, ...more });

test('text of a subagent is a step, but not a message', async () => {
  const below = said('b', 'I am below.', { parent_tool_use_id: 'toolu_1' });
  const { events, steps } = await playLines(claudeAdapter, [said('a', 'I am above.'), below, ended('Done.')]);
  expect(events.map(({ data }) => data)).toEqual([{ role: 'assistant', text: 'I am above.' }]);
  expect(steps).toBe(2);
});

test('a success without an answer of the model is not a success', async () => {
  const { outcome } = await playLines(claudeAdapter, [ended('Total cost: $0.00')]);
  expect(outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('it did not ask the model') });
});

test('the last of several results counts', async () => {
  const first = [said('a', 'I wait.'), ended('I wait.')];
  const failed = line({ type: 'result', subtype: 'success', is_error: true, result: 'API Error: 500' });
  expect((await playLines(claudeAdapter, [...first, ended('Done.')])).outcome).toMatchObject({
    result: wholeText('Done.'),
  });
  expect((await playLines(claudeAdapter, [...first, failed])).outcome).toMatchObject({ state: 'FAILED' });
});

test('a success that is followed by unfinished work is not a success', async () => {
  const done = [said('a', 'I wait.'), ended('I wait.')];
  const begun = line({ type: 'stream_event', event: { type: 'message_start', message: { id: 'b' } } });
  for (const later of [said('b', 'I go on.'), begun])
    expect((await playLines(claudeAdapter, [...done, later])).outcome).toMatchObject({
      state: 'FAILED',
      message: expect.stringContaining('exit code 0 without reporting a result'),
    });
  const below = said('b', 'I am below.', { parent_tool_use_id: 'toolu_1' });
  expect((await playLines(claudeAdapter, [...done, below])).outcome).toMatchObject({ state: 'SUCCEEDED' });
});

test('a failed request after a success ends the run, unless it is answered later', async () => {
  const words = [{ type: 'text', text: 'API Error: slow down' }];
  const failed = line({ type: 'assistant', message: { model: '<synthetic>', content: words }, error: 'rate_limit' });
  const lines = [said('a', 'I wait.'), ended('I wait.'), failed];
  expect((await playLines(claudeAdapter, lines)).outcome).toMatchObject({
    code: 'rate_limited',
    message: expect.stringContaining(': slow down.'),
  });
  const answered = await playLines(claudeAdapter, [...lines, said('b', 'Done.')], { exitCode: 1 });
  expect(answered.outcome).toMatchObject({ code: 'agent_failed' });
});

test('a line costs the same after any number of models and answers, and memory is bounded', () => {
  const reader = claudeAdapter.createReader(spec);
  const models = Object.fromEntries(Array.from({ length: 2000 }, (_, at) => [`m${at}`, { inputTokens: 1 }]));
  for (let count = 0; count < 101; count += 1) reader.read({ type: 'result', model_usage_since_last_result: models });
  const began = performance.now();
  for (let count = 0; count < 5000; count += 1) reader.read({ type: 'result' });
  // About ten milliseconds. Adding up anew for each line took half a minute.
  expect(performance.now() - began).toBeLessThan(2000);
  const told = Array.from({ length: 20_000 }, (_, at) =>
    reader.read({ type: 'stream_event', event: { type: 'message_delta' }, api_message_id: `a${at}` }),
  ).flatMap(events => events ?? []);
  expect(told.at(-1)).toMatchObject({ data: { input_tokens: 101_000, requests: 10_000 } });
  for (let count = 0; count < 150_000; count += 1) reader.read({ type: 'assistant', message: { id: `b${count}` } });
  expect(reader.steps).toBe(100_000);
});

test('usage has a price if the prices of all models are known', async () => {
  const model = (costBasis: string) => ({ inputTokens: 10, outputTokens: 1, costUSD: 0.25, costBasis });
  const cost = async (models: object) => {
    const lines = [said('a', 'x'), ended('x', { model_usage_since_last_result: models })];
    const start = line({ type: 'stream_event', event: { type: 'message_start', message: { id: 'a' } } });
    return (await playLines(claudeAdapter, [start, ...lines])).events.at(-1)?.data;
  };
  expect(await cost({ a: model('list'), b: model('list') })).toMatchObject({ input_tokens: 20, cost_usd: 0.5 });
  expect(await cost({ a: model('list'), b: model('unknown') })).not.toHaveProperty('cost_usd');
});

test('an unpaid bill is not a bad request', async () => {
  const message = { id: 'x', model: '<synthetic>', content: [] };
  const unpaid = line({ type: 'assistant', message, error: 'billing_error' });
  const end = ended('API Error: Credit balance is too low', { is_error: true, api_error_status: 400 });
  expect((await playLines(claudeAdapter, [unpaid, end])).outcome).toMatchObject({ code: 'rate_limited' });
});

test('unknown and malformed events are ignored', async () => {
  const lines = [
    '{"type":"new"}',
    '{"type":"assistant"}',
    '{"type":"assistant","message":{"content":[{"type":"new"},7]}}',
    '{"type":"user","message":{"content":"text"}}',
    '{"type":"system","subtype":"init","mcp_servers":7}',
    '{"type":"stream_event","event":[]}',
    '{"type":"result"}',
    '{}',
  ];
  const { outcome, events } = await playLines(claudeAdapter, lines);
  expect([outcome.state, events]).toEqual(['FAILED', []]);
});

const spec = createSpec({
  endpoint: { api: 'anthropic', root: 'https://models.example.com', apiKey: 'the-key-of-the-model' },
  stateDir: "/run/octo's state",
  newSessionId: session,
});

function launch(more: Partial<AgentSpec> = {}) {
  const launched = claudeAdapter.launch({ ...spec, ...more });
  const texts = textsOf(launched);
  return { ...launched, texts, line: launched.args.join(' ') };
}

test('the prompt is on its input, and the program keeps to state folder and endpoint', () => {
  const { line: command, env, stdin, texts, skillsFolder } = launch();
  expect(stdin).toBe('Do it.');
  expect(command).toContain('--model large --max-turns 20');
  expect(command).toContain(`--session-id ${session}`);
  expect(command).toContain("--append-system-prompt-file /run/octo's state/claude/instructions.md");
  expect(env).toMatchObject({
    ANTHROPIC_BASE_URL: 'https://models.example.com',
    CLAUDE_CONFIG_DIR: "/run/octo's state/claude",
    CLAUDE_CODE_TMPDIR: '/run/tmp',
    IS_SANDBOX: '1',
  });
  expect(texts['claude/instructions.md']).toBe('Be short.');
  expect(skillsFolder).toBe('claude/skills');
});

test('the key is only in a file, which a shell prints', () => {
  const { args, env, texts } = launch();
  expect(JSON.stringify([args, env])).not.toContain('the-key-of-the-model');
  expect(texts['claude/key']).toBe('the-key-of-the-model');
  expect(JSON.parse(texts['claude/settings.json'] ?? '')).toEqual({
    apiKeyHelper: `cat '/run/octo'\\''s state/claude/key'`,
  });
  expect(launch({ endpoint: { ...spec.endpoint, apiKey: undefined } }).texts['claude/key']).toBe('none');
});

test('an OAuth token is in the variable that the program reads, without a helper that would override it', () => {
  const { env, texts } = launch({ endpoint: { ...spec.endpoint, keyType: 'oauth_token' } });
  expect(env.CLAUDE_CODE_OAUTH_TOKEN).toBe('the-key-of-the-model');
  expect([texts['claude/settings.json'], texts['claude/key']]).toEqual(['{}', undefined]);
});

test('headers of the endpoint are in the variable that the program reads, one a line', () => {
  const headers = { 'X-Team': 'shop', 'X-Gateway': 'a: b, c' };
  expect(launch({ endpoint: { ...spec.endpoint, headers } }).env.ANTHROPIC_CUSTOM_HEADERS).toBe(
    'X-Team: shop\nX-Gateway: a: b, c',
  );
});

test('the command line fits a run without instructions, and a continued conversation', () => {
  const { line: command, files } = launch({ instructions: '', resume: 'abc' });
  expect(command).toContain('--resume abc');
  expect(command).not.toMatch(/--session-id|--append-system-prompt/);
  expect(files.map(({ path }) => path)).not.toContain('claude/instructions.md');
});

test('a prompt with a leading slash is not a command of the program', () => {
  expect(launch({ prompt: '/cost of this' }).stdin).toBe('\n/cost of this');
});

test('it reads the instructions of the workspace, but not its settings', () => {
  const { line: command, texts } = launch({ workspace: '/run/my work' });
  expect(texts['claude/CLAUDE.md']).toBe('@/run/my\\ work/CLAUDE.md\n');
  expect(command).toContain('--setting-sources user --');
});

test('MCP servers are in a file, unexpanded, and no others are used', () => {
  const { line: command, texts } = launch({
    mcpServers: [
      {
        type: 'stdio',
        name: 'notes',
        command: 'notes',
        args: ['${HOME}$HOME'],
        env: { TOKEN: 'a$b' },
        required: false,
      },
      { type: 'http', name: 'web', url: 'https://mcp.example.com/', headers: { 'x-key': 'a' }, required: true },
    ],
  });
  expect(command).toContain("--strict-mcp-config --mcp-config /run/octo's state/claude/mcp.json");
  expect(JSON.parse(texts['claude/mcp.json'] ?? '')).toEqual({
    mcpServers: {
      notes: {
        type: 'stdio',
        command: 'notes',
        args: ['${AGENT_RUN_NO_VARIABLE:-$}{HOME}$HOME'],
        env: { TOKEN: 'a$b' },
      },
      web: { type: 'http', url: 'https://mcp.example.com/', headers: { 'x-key': 'a' } },
    },
  });
});
