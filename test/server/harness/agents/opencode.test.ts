import { expect, test } from 'vitest';
import { wholeText } from '../../../../src/contract/tables/run-text.ts';
import type { AgentSpec, ModelApi } from '../../../../src/server/harness/agents/adapter.ts';
import { opencodeAdapter } from '../../../../src/server/harness/agents/opencode/opencode.ts';
import { type Played, playLines, playRecording } from './recording.ts';
import { createSpec, textsOf } from './spec-fixture.ts';

const play = (name: string, servers?: readonly string[]) => playRecording('opencode', opencodeAdapter, name, servers);

test('a success becomes reasoning, messages, tool calls, their results and usage', async () => {
  const { events, outcome, sessionId, steps, isToolRunning } = await play('success');
  expect(events.map(({ type }) => type)).toEqual([
    'log',
    'message',
    'tool_call',
    'tool_result',
    'usage',
    'tool_call',
    'tool_result',
    'usage',
    'message',
    'usage',
  ]);
  const [thought, said, call, result, , write] = events;
  expect(thought?.data).toEqual({ stream: 'system', text: 'thinking: Where am I?\n' });
  expect(said?.data).toEqual({ role: 'assistant', text: 'I look first.' });
  const id = expect.stringMatching(/^call_/);
  expect(call?.data).toEqual({ id, name: 'bash', input: { command: 'echo one; echo two >&2' } });
  expect(result?.data).toEqual({ id, output: 'one\ntwo\n', is_error: false });
  expect(write?.data).toMatchObject({ name: 'write', input: { content: 'hello\n' } });
  expect(events.at(-1)?.data).toEqual({
    input_tokens: 3000,
    output_tokens: 60,
    cached_tokens: 900,
    reasoning_tokens: 15,
    requests: 3,
  });
  expect(outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('It is done.') });
  expect([sessionId, steps, isToolRunning]).toEqual(['01920000-0000-7000-8000-000000000001', 3, false]);
});

test('calls of one answer are one step', async () => {
  const { steps, events, outcome } = await play('parallel-tools');
  expect(steps).toBe(2);
  expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(2);
  expect(outcome).toMatchObject({ result: wholeText('Both.') });
});

test('tools of an MCP server have its name, and a failed one says what failed', async () => {
  const { events, outcome } = await play('mcp-tool', ['notes']);
  expect(events.find(({ type }) => type === 'tool_call')?.data).toMatchObject({ name: 'mcp__notes__read_note' });
  const results = events.filter(({ type }) => type === 'tool_result').map(({ data }) => data);
  expect(results).toMatchObject([
    { output: 'note 7', is_error: false },
    { output: 'no such note', is_error: true },
  ]);
  expect(outcome).toMatchObject({ state: 'SUCCEEDED', result: wholeText('Read.') });
});

test.each([
  ['failing-tool', 'It failed.'],
  ['dead-mcp', 'Fine without.'],
  ['429-then-fine', 'At last.'],
  ['resume', 'Second.'],
])('%s: the run continues', async (name, text) => {
  expect((await play(name)).outcome).toEqual({ state: 'SUCCEEDED', result: wholeText(text) });
});

const logOf = async (name: string): Promise<string> =>
  (await play(name)).events.flatMap(({ type, data }) => (type === 'log' ? [data.text] : [])).join('');

test('retries are reported, although the program itself is silent', async () => {
  expect(await logOf('429-then-fine')).toMatch(
    /the model did not answer: .*429.*; starting try 2\n.*starting try 3\n$/,
  );
});

test('an unusable MCP server is reported, and a failure if it is required', async () => {
  const lines = [line({ type: 'agent_run_mcp', servers: { dead: { status: 'failed' } } }), ...answer('Fine.')];
  const dead = { type: 'stdio', name: 'dead', command: 'false', args: [], env: {} } as const;
  const mcpServers = [{ ...dead, required: false }];
  const told = { stream: 'system', level: 'warning', text: 'warning: the MCP server dead cannot be used: failed\n' };
  const dataOf = ({ events }: Played) => events.map(({ data }) => data);
  expect(dataOf(await playLines(opencodeAdapter, lines, {}, { mcpServers }))).toContainEqual(told);
  const known = await playLines(opencodeAdapter, lines, {}, { mcpServers, deadServers: ['dead'] });
  expect(dataOf(known)).not.toContainEqual(told);
  const needed = await playLines(opencodeAdapter, lines, {}, { mcpServers: [{ ...dead, required: true }] });
  expect(needed.outcome).toMatchObject({
    state: 'FAILED',
    code: 'environment_setup_failed',
    message: expect.stringContaining('dead'),
  });
  const welcome = await playLines(opencodeAdapter, lines, {}, { mcpServers: [{ ...dead, required: false }] });
  expect(welcome.outcome).toMatchObject({ state: 'SUCCEEDED' });
});

test('after a follow-up, the usage is that of the run alone', async () => {
  const { events } = await play('resume');
  expect(events.at(-1)).toMatchObject({ type: 'usage', data: { input_tokens: 1000, output_tokens: 20, requests: 1 } });
});

test.each([
  ['400', 'agent_failed', 'rejected the request of opencode (status 400): tools are not supported.'],
  ['401', 'authentication_required', 'refused the key (status 401): Incorrect API key provided. Check the key in'],
  ['404', 'resource_not_found', 'does not know the model large (status 404):'],
  ['429', 'rate_limited', '(status 429): slow down.'],
  ['500', 'resource_unavailable', 'failed (status 500): out of order.'],
  ['too-long', 'agent_failed', 'longer than the context of the model large'],
  ['cut-stream', 'resource_unavailable', 'the connection broke'],
  ['stream-error', 'resource_unavailable', 'failed: the model has a fever.'],
  ['unreachable', 'resource_unavailable', 'could not be reached'],
  ['refusal', 'agent_failed', 'refused to answer'],
  ['output-limit', 'agent_failed', 'reached its length limit and was cut off'],
  ['empty', 'no_result', 'opencode ended without an answer'],
  ['resume-unknown', 'agent_failed', 'exit code 1 without reporting a result. It printed: Error: Session not found'],
])('%s: a failure of its own kind', async (name, code, message) => {
  const { outcome } = await play(name);
  expect(outcome).toMatchObject({ state: 'FAILED', code, message: expect.stringContaining(message) });
});

test('its own step limit is not enforced, so that each answer is counted', async () => {
  const { steps, outcome } = await play('step-limit');
  expect(steps).toBe(3);
  expect(outcome.state).toBe('FAILED');
});

test.each(['sigterm', 'sigint'])('%s: a stopped program is not a success, and the tool was running', async name => {
  const { outcome, isToolRunning } = await play(name);
  expect(outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('without reporting a result') });
  expect(isToolRunning).toBe(true);
});

const line = (event: object) => JSON.stringify(event);
const own = 'ses_own';
const part = (type: string, more: object, sessionID = own) =>
  line({ type: 'agent_run_part', part: { type, sessionID, ...more } });
const answer = (text: string, reason = 'stop', sessionID = own): readonly string[] => [
  part('step-start', { id: `${text} 1` }, sessionID),
  part('text', { id: `${text} 2`, text, time: { end: 1 } }, sessionID),
  part('step-finish', { id: `${text} 3`, reason, tokens: { input: 10, output: 2 } }, sessionID),
];

/** The program's own line for the start of an answer, which comes after the plugin's. */
const tellBegin = (text: string) =>
  line({ type: 'step_start', part: { type: 'step-start', sessionID: own, id: `${text} 1` } });

test('a later answer clears an error, and the interrupted answer does not', async () => {
  const error = line({ type: 'error', sessionID: own, error: { name: 'UnknownError', data: { message: 'it broke' } } });
  const [start = '', text = '', finish = ''] = answer('partial');
  const befallen = await playLines(opencodeAdapter, [start, text, tellBegin('partial'), error, finish]);
  expect(befallen.outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('it broke') });
  const after = await playLines(opencodeAdapter, [...answer('whole'), tellBegin('whole'), error]);
  expect(after.outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('it broke') });
  // No matter how late the program's lines come.
  const later = [start, text, ...answer('whole'), tellBegin('partial'), error, tellBegin('whole')];
  for (const lines of [[start, text, tellBegin('partial'), error, ...answer('whole')], later])
    for (const exitCode of [0, 1])
      expect((await playLines(opencodeAdapter, lines, { exitCode })).outcome).toEqual({
        state: 'SUCCEEDED',
        result: wholeText('whole'),
      });
  expect((await playLines(opencodeAdapter, answer('whole'), { exitCode: 1 })).outcome.state).toBe('FAILED');
  expect((await playLines(opencodeAdapter, later, { signal: 'SIGTERM' })).outcome.state).toBe('FAILED');
});

test('an answer of a subagent clears no error', async () => {
  const error = line({ type: 'error', sessionID: own, error: { name: 'UnknownError', data: { message: 'it broke' } } });
  const [start = '', text = '', finish = ''] = answer('half an ans');
  const below = part('step-start', { id: 'below' }, 'ses_below');
  const { outcome } = await playLines(opencodeAdapter, [start, text, tellBegin('half an ans'), error, below, finish]);
  expect(outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('it broke') });
});

test('a summarized conversation ends with its last answer, and notices are not messages', async () => {
  const { events, outcome, steps } = await play('compaction');
  expect(outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('It is done.') });
  const said = events.flatMap(({ type, data }) => (type === 'message' ? [data.text] : []));
  expect(said).toEqual(['I look.', 'It is done.']);
  expect(events.flatMap(({ type, data }) => (type === 'log' ? [data.text] : []))).toEqual([
    'opencode: summarizing the conversation to shorten it\n',
    'opencode: prompt is too long: 210000 tokens > 200000 maximum\n',
  ]);
  expect(steps).toBe(3);
  expect(events.at(-1)?.data).toMatchObject({ requests: 3 });
});

test('a summary is not an answer, even if it is last', async () => {
  const summary = line({ type: 'agent_run_summary', messageID: 'm' });
  const summed = [
    part('step-start', { id: '1', messageID: 'm' }),
    part('text', { id: '2', messageID: 'm', text: 'All that was done.', time: { end: 1 } }),
    part('step-finish', { id: '3', messageID: 'm', reason: 'stop' }),
  ];
  const lines = [...answer('I look.', 'tool-calls'), summary, ...summed];
  const { outcome } = await playLines(opencodeAdapter, lines);
  expect(outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('its last answer ended with') });
});

test('calls wait for the text before them, up to a limit', async () => {
  const begun = part('text', { id: 'text', text: '', time: {} });
  const calls = Array.from({ length: 60 }, (_, at) => part('tool', { callID: `c${at}`, tool: 'bash', state: {} }));
  const typesOf = async (lines: readonly string[]) =>
    (await playLines(opencodeAdapter, lines)).events.map(({ type }) => type);
  const [start = ''] = answer('x');
  expect(await typesOf([start, begun, ...calls.slice(0, 40)])).toEqual([]);
  expect((await typesOf([start, begun, ...calls])).length).toBeGreaterThanOrEqual(50);
});

test('the program’s own lines suffice, and those of the plugin come before them', async () => {
  const lines = [
    line({ type: 'step_start', sessionID: own, part: { type: 'step-start', id: 'a', sessionID: own } }),
    line({
      type: 'text',
      sessionID: own,
      part: { type: 'text', id: 'b', sessionID: own, text: 'Hi.', time: { end: 1 } },
    }),
    line({
      type: 'step_finish',
      sessionID: own,
      part: { type: 'step-finish', id: 'c', sessionID: own, reason: 'stop' },
    }),
  ];
  const once = await playLines(opencodeAdapter, lines);
  expect(once.outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('Hi.') });
  const twice = await playLines(
    opencodeAdapter,
    lines.flatMap(text => [text, text]),
  );
  expect([twice.events, twice.steps]).toEqual([once.events, 1]);
});

test('answers of a subagent count as usage, but not as answers of the run', async () => {
  const { events, outcome, steps } = await playLines(opencodeAdapter, [
    line({ type: 'agent_run_session', sessionID: own }),
    ...answer('I send somebody.', 'tool-calls'),
    line({ type: 'agent_run_session', sessionID: 'ses_below', parentID: own }),
    ...answer('I am below.', 'stop', 'ses_below'),
    ...answer('Done.'),
  ]);
  expect(outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('Done.') });
  expect(events.flatMap(({ type, data }) => (type === 'message' ? [data.text] : []))).toEqual([
    'I send somebody.',
    'Done.',
  ]);
  expect(steps).toBe(3);
  expect(events.at(-1)?.data).toMatchObject({ input_tokens: 30, requests: 3 });
});

test('an error counts until the model has answered again', async () => {
  const error = line({ type: 'error', sessionID: own, error: { name: 'UnknownError', data: { message: 'a fever' } } });
  const ended = await playLines(opencodeAdapter, [...answer('Fine.'), tellBegin('Fine.'), error]);
  expect(ended.outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('a fever') });
  const wentOn = await playLines(opencodeAdapter, [error, ...answer('Fine.')]);
  expect(wentOn.outcome).toMatchObject({ state: 'SUCCEEDED' });
});

test('without a finished last answer no exit code is a success', async () => {
  const [begin = '', text = ''] = answer('I begin.');
  const { outcome } = await playLines(opencodeAdapter, [...answer('I look.', 'tool-calls'), begin, text]);
  expect(outcome).toMatchObject({
    state: 'FAILED',
    message: expect.stringContaining('exit code 0 without reporting a result'),
  });
});

test('malformed events are ignored', async () => {
  const lines = ['{"type":"agent_run_part"}', '{"type":"text","part":{}}', '{"type":"error"}', '{"type":"new"}', '{}'];
  const more = ['{"type":"agent_run_mcp","servers":7}', '{"type":"agent_run_part","part":{"type":"tool","state":1}}'];
  expect((await playLines(opencodeAdapter, [...lines, ...more])).outcome.state).toBe('FAILED');
});

const spec = createSpec({
  endpoint: { api: 'openai-chat', root: 'https://models.example.com', apiKey: 'the-key-of-the-model' },
});

function launch(more: Partial<AgentSpec> = {}) {
  const launched = opencodeAdapter.launch({ ...spec, ...more });
  const texts = textsOf(launched);
  const text = texts['opencode/opencode.json'] ?? '';
  return { ...launched, texts, text, settings: JSON.parse(text) };
}

test('the prompt is on its input, and the program keeps to the state folder', () => {
  const { args, env, stdin, texts, settings, skillsFolder } = launch();
  expect(stdin).toBe('Do it.');
  expect(args.join(' ')).toContain('--model run/large');
  expect(args).not.toContain('--session');
  expect(env).toMatchObject({
    OPENCODE_CONFIG: '/run/state/opencode/opencode.json',
    XDG_CONFIG_HOME: '/run/state/opencode/config',
    XDG_DATA_HOME: '/run/state/opencode/data',
  });
  expect(texts['opencode/instructions.md']).toBe('Be short.');
  expect(settings.instructions).toEqual(['/run/state/opencode/instructions.md', '/run/workspace/AGENTS.md']);
  expect(settings.plugin).toEqual(['file:///run/state/opencode/plugin.js']);
  expect(skillsFolder).toBe('opencode/config/opencode/skills');
});

test('the key is only in the settings file', () => {
  const { args, env, settings } = launch();
  expect(JSON.stringify([args, env])).not.toContain('the-key-of-the-model');
  expect(settings.provider.run.options.apiKey).toBe('the-key-of-the-model');
  expect(launch({ endpoint: { ...spec.endpoint, apiKey: undefined } }).settings.provider.run.options.apiKey).toBe(
    'none',
  );
});

test.each<[ModelApi, string, string]>([
  ['openai-chat', '@ai-sdk/openai-compatible', '/v1'],
  ['openai-responses', '@ai-sdk/openai', '/v1'],
  ['anthropic', '@ai-sdk/anthropic', '/v1'],
  ['gemini', '@ai-sdk/google', '/v1beta'],
])('an endpoint that speaks %s is asked by %s', (api, npm, path) => {
  expect(launch({ endpoint: { ...spec.endpoint, api } }).settings.provider.run).toMatchObject({
    npm,
    options: { baseURL: `https://models.example.com${path}` },
  });
});

test('a conversation is continued by its id', () => {
  expect(launch({ resume: 'ses_1' }).args.join(' ')).toContain('--session ses_1');
});

test('MCP servers are in the settings, where nothing is expanded', () => {
  const { text, settings } = launch({
    mcpServers: [
      {
        type: 'stdio',
        name: 'notes',
        command: 'notes',
        args: ['{file:/etc/hosts}'],
        env: { A: '{env:HOME}' },
        required: false,
      },
      { type: 'http', name: 'web', url: 'https://mcp.example.com/', headers: { 'x-key': 'a' }, required: true },
    ],
  });
  expect(settings.mcp).toEqual({
    notes: { type: 'local', command: ['notes', '{file:/etc/hosts}'], environment: { A: '{env:HOME}' } },
    web: { type: 'remote', url: 'https://mcp.example.com/', headers: { 'x-key': 'a' }, oauth: false },
  });
  expect(text).not.toMatch(/\{(env|file):/);
});
