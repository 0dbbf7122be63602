import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { wholeText } from '../../../../src/contract/tables/run-text.ts';
import type { AgentSpec } from '../../../../src/server/harness/agents/adapter.ts';
import { geminiAdapter } from '../../../../src/server/harness/agents/gemini/gemini.ts';
import { placeFiles } from '../../../../src/server/harness/agents/state-files.ts';
import { createTempFolder } from '../../../support/temp-folder.ts';
import { playLines, playRecording } from './recording.ts';
import { createSpec, textsOf } from './spec-fixture.ts';

const play = (name: string, servers?: readonly string[]) => playRecording('gemini', geminiAdapter, name, servers);
const run = 'run_shell_command__run_shell_command';

test('a success becomes messages, tool calls, their results and usage', async () => {
  const { events, outcome, sessionId, steps } = await play('success');
  const [, call, result, write, written] = events;
  expect(events.map(({ type }) => type)).toEqual([
    'message',
    'tool_call',
    'tool_result',
    'tool_call',
    'tool_result',
    'message',
    'usage',
  ]);
  expect(events[0]?.data).toEqual({ role: 'assistant', text: 'I look first.' });
  expect(call?.data).toEqual({
    id: expect.stringContaining(run),
    name: 'run_shell_command',
    input: { command: 'echo one; echo two >&2' },
  });
  expect(result?.data).toEqual({ id: expect.stringContaining(run), output: 'one\ntwo', is_error: false });
  expect(write?.data).toMatchObject({ name: 'write_file', input: { file_path: 'note.txt', content: 'hello\n' } });
  expect(written?.data).toMatchObject({ output: '', is_error: false });
  expect(events.at(-1)?.data).toEqual({
    input_tokens: 3000,
    output_tokens: 60,
    cached_tokens: 900,
    reasoning_tokens: 15,
    requests: 3,
  });
  expect(outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('It is done.') });
  expect([sessionId, steps]).toEqual(['01920000-0000-7000-8000-000000000001', 3]);
});

test('calls of one answer are one step', async () => {
  const { steps, events, outcome } = await play('parallel-tools');
  expect(steps).toBe(2);
  expect(events.filter(({ type }) => type === 'tool_call')).toHaveLength(2);
  expect(outcome).toMatchObject({ result: wholeText('Both.') });
});

test.each([
  ['notes', 'web', 'mcp__notes__read_note'],
  ['notes', 'notes_read', 'mcp_notes_read_note'],
  ['note', 'web', 'mcp_notes_read_note'],
])('with the MCP servers %s and %s, a tool that only one of them can have is named: %s', async (one, two, name) => {
  const { events } = await play('mcp-tool', [one, two]);
  expect(events.find(({ type }) => type === 'tool_call')?.data).toMatchObject({ name });
});

test('tools of an MCP server have its name, and a failed one says what failed', async () => {
  const { events, outcome } = await play('mcp-tool', ['notes']);
  expect(events.find(({ type }) => type === 'tool_call')?.data).toMatchObject({ name: 'mcp__notes__read_note' });
  const results = events.filter(({ type }) => type === 'tool_result').map(({ data }) => data);
  expect(results).toMatchObject([
    { output: expect.stringContaining('note 7'), is_error: false },
    { output: expect.stringContaining('reported an error'), is_error: true },
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

test('after a follow-up, the usage is that of the run alone', async () => {
  const { events } = await play('resume');
  expect(events.at(-1)).toMatchObject({ type: 'usage', data: { input_tokens: 1000, output_tokens: 20, requests: 1 } });
});

test.each([
  ['400', 'agent_failed', 'rejected the request of Gemini CLI (status 400): tools are not supported.'],
  ['401', 'authentication_required', 'refused the key (status 400): API key not valid.'],
  ['404', 'resource_not_found', 'does not know the model large (status 404): there is no model m-1.'],
  ['429', 'rate_limited', '(status 429): slow down.'],
  ['500', 'resource_unavailable', 'failed (status 500): out of order.'],
  ['too-long', 'agent_failed', 'longer than the context of the model large (status 400): prompt is too long'],
  ['cut-stream', 'resource_unavailable', 'the connection broke: terminated.'],
  ['stream-error', 'resource_unavailable', 'failed: Model stream ended without a finish reason.'],
  ['unreachable', 'resource_unavailable', 'could not be reached'],
  ['refusal', 'agent_failed', 'refused to answer: The model response was blocked due to safety settings.'],
  ['empty', 'no_result', 'Gemini CLI ended without an answer: The model returned an empty response'],
  ['output-limit-empty', 'agent_failed', 'reached its length limit and was cut off: Model response was truncated'],
  ['step-limit', 'step_limit', 'reached its step limit and was stopped: Reached max session turns'],
  ['resume-unknown', 'agent_failed', 'exit code 42 without reporting a result. It printed: Error resuming session'],
])('%s: a failure of its own kind', async (name, code, message) => {
  const { outcome } = await play(name);
  expect(outcome).toMatchObject({ state: 'FAILED', code, message: expect.stringContaining(message) });
});

test.each(['sigterm', 'sigint'])('%s: exit code 0 alone is not a success, and the tool was running', async name => {
  const { outcome, isToolRunning } = await play(name);
  expect(outcome).toMatchObject({
    state: 'FAILED',
    message: expect.stringContaining('exit code 0 without reporting a result'),
  });
  expect(isToolRunning).toBe(true);
});

test('exit code 0 with an error as the result is not a success', async () => {
  const { outcome, events } = await play('stream-error');
  expect(outcome).toMatchObject({ state: 'FAILED', result: wholeText('SomethingSomethingSomething') });
  expect(events.find(({ type }) => type === 'log')?.data).toEqual({
    stream: 'system',
    text: 'Gemini CLI: Model stream ended without a finish reason.\n',
  });
});

test('an answer cut at its length limit is an ordinary answer: the program does not report it', async () => {
  expect((await play('output-limit')).outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('A long text that') });
});

const line = (event: object) => JSON.stringify(event);
const said = (content: string) => line({ type: 'message', role: 'assistant', content, delta: true });
const fine = line({ type: 'result', status: 'success', stats: {} });

test('a complaint counts until the model continues', async () => {
  const complaint = line({ type: 'error', severity: 'warning', message: 'Loop detected, stopping execution' });
  const stopped = await playLines(geminiAdapter, [said('I go round.'), complaint, fine]);
  expect(stopped.outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('Loop detected') });
  const wentOn = await playLines(geminiAdapter, [complaint, said('Done.'), fine]);
  expect(wentOn.outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('Done.') });
});

test('a call clears no complaint, and a call without a result leaves no answer', async () => {
  const complaint = line({ type: 'error', severity: 'error', message: 'boom' });
  const call = line({ type: 'tool_use', tool_name: 'glob', tool_id: 'a', parameters: {} });
  for (const lines of [
    [said('I look.'), complaint, call, fine],
    [complaint, call, fine],
  ])
    expect((await playLines(geminiAdapter, lines)).outcome).toMatchObject({
      state: 'FAILED',
      message: expect.stringContaining('boom'),
    });
  expect((await playLines(geminiAdapter, [said('I look.'), call, fine])).outcome).toMatchObject({ code: 'no_result' });
});

test('a session without an answer cannot be continued, and is not reported', async () => {
  expect((await play('401')).sessionId).toBeUndefined();
  expect((await play('sigterm')).sessionId).toBe((await play('success')).sessionId);
});

test('a complaint after the end counts, even if more events follow', async () => {
  const complaint = line({ type: 'error', severity: 'error', message: 'stream broke' });
  const { outcome } = await playLines(geminiAdapter, [said('Done.'), fine, complaint, said('x')]);
  expect(outcome).toMatchObject({ state: 'FAILED', message: expect.stringContaining('stream broke') });
});

test('only the text after the last tool is the answer', async () => {
  const call = line({ type: 'tool_use', tool_name: 'glob', tool_id: 'a', parameters: {} });
  const back = line({ type: 'tool_result', tool_id: 'a', status: 'success', output: '' });
  const { outcome } = await playLines(geminiAdapter, [said('I look.'), call, back, fine]);
  expect(outcome).toMatchObject({ state: 'FAILED', code: 'no_result' });
});

test('unknown and malformed events are ignored', async () => {
  const lines = ['{"type":"new"}', '{"type":"tool_use"}', '{"type":"result","stats":7}', '{"type":"error"}', '{}'];
  const { outcome } = await playLines(geminiAdapter, lines);
  expect(outcome.state).toBe('FAILED');
});

const spec = createSpec({
  instructions: 'Be short, @octocat.',
  endpoint: { api: 'gemini', root: 'https://models.example.com', apiKey: 'the-key-of-the-model' },
});

function launch(more: Partial<AgentSpec> = {}) {
  const launched = geminiAdapter.launch({ ...spec, ...more });
  const texts = textsOf(launched);
  return { ...launched, texts, settings: JSON.parse(texts['gemini/.gemini/settings.json'] ?? '') };
}

test('the prompt is a command of its own, and the program keeps to state folder and endpoint', () => {
  const { args, env, stdin, texts, settings, skillsFolder } = launch();
  expect(stdin).toBe(`/${spec.newSessionId}`);
  expect(texts[`gemini/.gemini/commands/${spec.newSessionId}.toml`]).toBe('prompt = "Do it."\n');
  expect(args.join(' ')).toContain('--model=large');
  expect(args.join(' ')).toContain(`--session-id ${spec.newSessionId}`);
  expect(env).toMatchObject({
    GEMINI_API_KEY: 'the-key-of-the-model',
    GOOGLE_GEMINI_BASE_URL: 'https://models.example.com',
    GEMINI_CLI_HOME: '/run/state/gemini',
  });
  expect(texts['gemini/.gemini/GEMINI.md']).toBe('Be short, @octocat.');
  expect(settings).toMatchObject({
    security: { auth: { selectedType: 'gemini-api-key' }, environmentVariableRedaction: { enabled: true } },
    model: { maxSessionTurns: 20, disableLoopDetection: true },
  });
  expect(skillsFolder).toBe('gemini/.gemini/skills');
});

test('a key is in no argument and no file, and without one there is no login', () => {
  const { args, files } = launch();
  expect(JSON.stringify([args, files])).not.toContain('the-key-of-the-model');
  const open = launch({ endpoint: { ...spec.endpoint, apiKey: undefined } });
  expect(open.env).toMatchObject({ GEMINI_API_KEY: 'none' });
});

test('Node writes all output before it exits, and its children get only the run’s options', async () => {
  const stateDir = join(createTempFolder(), 'state of "a run"');
  await mkdir(stateDir);
  const text = `console.error(process.env.NODE_OPTIONS); process.stdout.write('x'.repeat(2_000_000)); process.exit(0);`;
  for (const variables of [{}, { NODE_OPTIONS: '--no-deprecation' }]) {
    const { env, files } = launch({ stateDir, variables });
    await placeFiles(stateDir, files);
    const child = spawn(process.execPath, ['--eval', text], { env: { NODE_OPTIONS: env.NODE_OPTIONS } });
    const [options] = await once(child.stderr, 'data');
    let printed = 0;
    child.stdout.on('data', (bytes: Buffer) => {
      printed += bytes.length;
    });
    await once(child, 'close');
    expect([printed, String(options)]).toEqual([2_000_000, `${variables.NODE_OPTIONS}\n`]);
  }
});

test('a slow address has 2.5 seconds to answer before the next one is tried', async () => {
  const stateDir = createTempFolder();
  const { env, files } = launch({ stateDir });
  await placeFiles(stateDir, files);
  const text = `console.log(require('node:net').getDefaultAutoSelectFamilyAttemptTimeout())`;
  const child = spawn(process.execPath, ['--eval', text], { env: { NODE_OPTIONS: env.NODE_OPTIONS } });
  const [printed] = await once(child.stdout, 'data');
  await once(child, 'close');
  expect(String(printed)).toBe('2500\n');
});

test('configured variables pass its redaction under any name', () => {
  const { settings, env, texts, args } = launch({ variables: { GH_TOKEN: "it's a $token", PLAIN: 'b' } });
  expect(settings.security.environmentVariableRedaction).toMatchObject({ allowed: ['GH_TOKEN', 'PLAIN'] });
  expect(env).toMatchObject({ BASH_ENV: '/run/state/gemini/variables.sh' });
  expect(texts['gemini/variables.sh']).toBe("export GH_TOKEN='it'\\''s a $token'\nexport PLAIN='b'\n");
  expect(JSON.stringify(args)).not.toContain('token');
  expect(launch().env).not.toHaveProperty('BASH_ENV');
});

test('a conversation is continued by its id', () => {
  const { args } = launch({ resume: 'abc' });
  expect(args.join(' ')).toContain('--resume abc');
  expect(args).not.toContain('--session-id');
});

test('placeholders in a command are broken up by a marker that stands for nothing', () => {
  const written = (prompt: string) => launch({ prompt }).texts[`gemini/.gemini/commands/${spec.newSessionId}.toml`];
  expect(written('!{ls} @{a} {{args}} @a !b "\\\n\x7f\ud800')).toBe(
    'prompt = "!!{}{ls} @!{}{a} {!{}{args}} @a !b \\"\\\\\\n\\u007f\ufffd"\n',
  );
  expect(written('!{{args}}')).toBe('prompt = "!!{}{!{}{args}}"\n');
});

test('MCP servers are in the settings, with escaped dollars, and no others are used', () => {
  const { args, settings } = launch({
    mcpServers: [
      {
        type: 'stdio',
        name: 'notes',
        command: 'notes',
        args: ['--at', '$HOME'],
        env: { TOKEN: 'a$b' },
        required: false,
      },
      { type: 'http', name: 'web', url: 'https://mcp.example.com/', headers: { 'x-key': 'a' }, required: true },
    ],
  });
  expect(args).toContain('notes,web');
  expect(settings.mcpServers).toEqual({
    notes: {
      command: 'notes',
      args: ['--at', '${AGENT_RUN_NO_VARIABLE:-$}HOME'],
      env: { TOKEN: 'a${AGENT_RUN_NO_VARIABLE:-\\$}b' },
      trust: true,
    },
    web: { httpUrl: 'https://mcp.example.com/', headers: { 'x-key': 'a' }, trust: true },
  });
  expect(launch().args).toContain('none-of-this-run');
});

test('a custom endpoint is asked only for the one model, the provider’s own for others, too', () => {
  expect(launch().settings.modelConfigs.customOverrides).toContainEqual({
    match: { model: 'base' },
    modelConfig: { model: 'large' },
  });
  const endpoint = { ...spec.endpoint, root: 'https://generativelanguage.googleapis.com' };
  expect(launch({ endpoint }).settings.modelConfigs).toBeUndefined();
});
