/** The loop of the built-in agent against a scripted model: requests, tools, and endings. */
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { modelApis } from '../../../../../src/server/harness/agents/adapter.ts';
import { type ModelTurn, startModelServer } from '../../../../../src/testing/index.ts';
import { startRedirect } from '../../../../support/redirect.ts';
import { apiKey, createFolders, eventsOf, logOf, runScript } from './loop-fixture.ts';

test.each(modelApis)('a task is done with tools, over %s', async api => {
  const { end, lines, server, workspace } = await runScript(
    [
      {
        reasoning: 'First the file.',
        text: 'I write it.',
        tools: [{ write: { path: 'out/a.txt', content: 'hello\n' } }, { shell: 'cat out/a.txt' }],
        usage: { input: 100, output: 20, cached: 40, reasoning: api === 'anthropic' ? 0 : 5 },
      },
      { text: 'It says hello.', usage: { input: 150, output: 10, cached: 0, reasoning: 0 } },
    ],
    { api, spec: { instructions: 'Be short.' } },
  );
  expect(end).toEqual({ kind: 'succeeded', text: 'It says hello.' });
  expect(await readFile(join(workspace, 'out/a.txt'), 'utf8')).toBe('hello\n');
  expect(server.problems).toEqual([]);
  const [first, second] = server.requests;
  expect(first).toMatchObject({ api, model: 'm-1', isStreamed: true, isKeyRight: true });
  expect(first?.system).toContain(workspace);
  expect(first?.system).toMatch(/Be short\.$/);
  expect(first?.messages.map(({ role, text }) => [role, text])).toEqual([['user', 'Do it.']]);
  expect(first?.tools.map(({ name }) => name).sort()).toEqual(['edit', 'list', 'read', 'search', 'shell', 'write']);
  expect(second?.toolResults.map(({ text }) => text)).toEqual(['created out/a.txt (1 line)', 'hello']);
  expect(eventsOf(lines, 'message').map(({ data }) => data.text)).toEqual(['I write it.', 'It says hello.']);
  expect(eventsOf(lines, 'tool_call').map(({ data }) => data.name)).toEqual(['write', 'shell']);
  expect(eventsOf(lines, 'tool_result').map(({ data }) => [data.output, data.is_error])).toEqual([
    ['created out/a.txt (1 line)', false],
    ['hello', false],
  ]);
  expect(logOf(lines)).toBe('thinking: First the file.\n');
  expect(eventsOf(lines, 'usage').at(-1)?.data).toEqual({
    input_tokens: 250,
    output_tokens: 30,
    cached_tokens: 40,
    reasoning_tokens: api === 'anthropic' ? 0 : 5,
    requests: 2,
  });
  expect(lines.filter(line => 'step' in line)).toEqual([{ step: 1 }, { step: 2 }]);
});

test('the cache mark for Anthropic is set, and a file is not cut at 4096 tokens', async () => {
  const { server } = await runScript([{ text: 'Done.' }], { api: 'anthropic' });
  expect(server.requests[0]?.maxTokens).toBe(32_000);
  expect(JSON.stringify(server.requests[0]?.body).match(/"cache_control":\{"type":"ephemeral"\}/g)).toHaveLength(2);
});

test('an endpoint without a key gets none', async () => {
  for (const api of modelApis) {
    const { server } = await runScript([{ text: 'x' }], {
      api,
      root: 'http://127.0.0.1:9',
      retries: { retriesMax: 0, baseDelayMs: 1, maxDelayMs: 1 },
    });
    const open = await runScript([{ text: 'Done.' }], {
      api,
      root: server.url,
      spec: { endpoint: { api, root: server.url, apiKey: undefined } },
    });
    expect(open.end).toMatchObject({ kind: 'failed', fault: 'auth' });
    const names = Object.keys(server.requests[0]?.headers ?? {});
    expect(names.filter(name => ['authorization', 'x-api-key', 'x-goog-api-key'].includes(name))).toEqual([]);
  }
});

type FaultRow = readonly [string, ModelTurn, string, number | undefined];

const atOnce: readonly FaultRow[] = [
  ['a wrong key', { status: 401 }, 'auth', 401],
  ['a key that may not', { status: 403 }, 'auth', 403],
  ['an unknown model', { status: 404 }, 'model_not_found', 404],
  ['a bad request', { status: 400, error: 'tools: is not supported here' }, 'bad_request', 400],
  [
    'a quota that is used up',
    { status: 429, code: 'insufficient_quota', error: 'You exceeded your current quota' },
    'rate_limit',
    429,
  ],
  ['a wait that is too long', { status: 429, headers: { 'retry-after': '3600' } }, 'rate_limit', 429],
  [
    'a context that is too long',
    { status: 400, error: 'This model has a maximum context length of 8192 tokens.' },
    'context_length',
    400,
  ],
];

test.each(atOnce)('%s ends a run at once', async (_name, turn, fault, httpStatus) => {
  const { end, server, lines } = await runScript([turn]);
  expect(end).toMatchObject({ kind: 'failed', fault, httpStatus });
  expect(server.requests).toHaveLength(1);
  expect(eventsOf(lines, 'usage').at(-1)?.data).toMatchObject({ requests: 1 });
});

describe.each(modelApis)('over %s', api => {
  test('a refusal ends the run with its words', async () => {
    const { end, server } = await runScript([{ refusal: 'I will not.' }], { api });
    expect(end).toMatchObject({ kind: 'failed', fault: 'refusal' });
    expect(server.requests).toHaveLength(1);
  });

  test('an answer at its length limit ends the run, runs no call, and can be continued', async () => {
    const folders = await createFolders();
    const cut = { text: 'It is', tools: [{ shell: 'touch called' }], stop: 'length' } as const;
    const { end, lines, server } = await runScript([cut], { api, folders });
    expect(end).toEqual({ kind: 'failed', fault: 'output_limit', message: '', text: 'It is' });
    expect(server.requests).toHaveLength(1);
    await expect(stat(join(folders.workspace, 'called'))).rejects.toThrow('ENOENT');
    const session = lines.find(line => 'session' in line)?.session;
    const next = await runScript([{ text: 'It is so.' }], { api, folders, spec: { resume: session } });
    expect(next.server.requests[0]?.messages.flatMap(({ calls }) => calls)).toEqual([]);
  });

  test.each<FaultRow>([
    ['a stream that is cut', { text: 'It is so', cutAfterChunks: 2 }, 'network', undefined],
    ['an error in the stream', { text: 'It', streamError: 'the machine is overloaded' }, 'provider', undefined],
  ])('%s is asked again three times, and then is the end', async (_name, turn, fault) => {
    const { end, server, lines } = await runScript(() => turn, { api });
    expect(end).toMatchObject({ kind: 'failed', fault });
    expect(server.requests).toHaveLength(4);
    expect(logOf(lines).match(/retrying in .* \(retry \d of 3\)/g)).toHaveLength(3);
    expect(eventsOf(lines, 'message')).toEqual([]);
  });
});

test.each([
  ['rate_limit', 429],
  ['provider', 500],
  ['provider', 529],
])('%s with status %i is retried three times, and then ends the run', async (fault, status) => {
  const { end, server, lines } = await runScript(() => ({ status }));
  expect(end).toMatchObject({ kind: 'failed', fault, httpStatus: status });
  expect(server.requests).toHaveLength(4);
  expect(logOf(lines)).toContain(`did not answer (status ${status})`);
  expect(eventsOf(lines, 'usage').at(-1)?.data).toMatchObject({ requests: 4 });
});

test.each(modelApis)('two failures and a success are a success, and no tool runs twice, over %s', async api => {
  const call = [{ shell: 'echo x >> count.txt' }] as const;
  const { end, workspace, lines } = await runScript(
    [
      { status: 429, headers: { 'retry-after': '0' } },
      { text: 'I count.', tools: call, streamError: 'overloaded' },
      { text: 'I count.', tools: call, cutAfterChunks: 4 },
      { text: 'I count.', tools: call },
      { text: 'Counted.' },
    ],
    { api },
  );
  expect(end).toEqual({ kind: 'succeeded', text: 'Counted.' });
  expect(await readFile(join(workspace, 'count.txt'), 'utf8')).toBe('x\n');
  expect(eventsOf(lines, 'message').map(({ data }) => data.text)).toEqual(['I count.', 'Counted.']);
  expect(eventsOf(lines, 'tool_call')).toHaveLength(1);
  expect(eventsOf(lines, 'usage').at(-1)?.data).toMatchObject({ requests: 5 });
});

test('an unreachable endpoint is reported as such', async () => {
  const gone = await startModelServer([]);
  await gone.close();
  const { end } = await runScript([], { root: gone.url });
  expect(end).toMatchObject({ kind: 'failed', fault: 'network', message: expect.stringContaining('ECONNREFUSED') });
});

test('a redirect is reported, and does not get the key', async () => {
  const other = await startModelServer([{ text: 'Mine.' }]);
  onTestFinished(() => other.close());
  for (const api of modelApis) {
    const root = await startRedirect(`${other.url}/secret-place`);
    const { end, lines } = await runScript([], { api, root });
    expect(end).toMatchObject({ kind: 'failed', fault: 'network' });
    const message = end.kind === 'failed' ? end.message : '';
    expect(message).toContain(`it redirects to ${other.url} (status 307)`);
    expect(message).not.toContain('secret-place');
    expect(eventsOf(lines, 'usage').at(-1)?.data).toMatchObject({ requests: 1 });
  }
  expect(other.requests).toEqual([]);
});

test.each<[string, ModelTurn]>([
  ['in the middle of an answer', { text: 'It is', stall: true }],
  ['before it', { silent: true }],
])('an endpoint that falls silent %s is left, and asked again', async (_name, turn) => {
  const silence = { firstByteMs: 300, nextByteMs: 300 };
  const { end, lines } = await runScript([turn, { text: 'Now.' }], { silence });
  expect(end).toEqual({ kind: 'succeeded', text: 'Now.' });
  expect(logOf(lines)).toContain('fell silent: nothing came for 0.3 seconds');
});

test('a slow answer prints signs of life', async () => {
  let ms = 0;
  const clock = {
    now: Date.now,
    monotonicMs: () => (ms += 3000),
    sleep: async () => await new Promise<void>(() => {}),
  };
  const { lines } = await runScript([{ text: 'one two three four five six seven' }], { clock });
  expect(lines.filter(line => 'alive' in line).length).toBeGreaterThan(0);
});

test('calls of one answer are printed one after another, each with its result', async () => {
  const { lines } = await runScript([
    { tools: [{ shell: 'exit 3' }, { name: 'fly', input: {} }, { shell: 'echo b' }] },
    { text: 'Done.' },
  ]);
  const told = lines.flatMap(line => ('type' in line && line.type.startsWith('tool_') ? [line] : []));
  expect(told.map(({ type }) => type)).toEqual(Array.from({ length: 3 }, () => ['tool_call', 'tool_result']).flat());
  expect(eventsOf(lines, 'tool_result').map(({ data }) => data.exit_code)).toEqual([3, undefined, undefined]);
  expect(eventsOf(lines, 'tool_result')[0]?.data.output).toBe('');
});

test('the model is told about a missing tool, and about arguments that are not JSON', async () => {
  const { end, server, lines } = await runScript([
    { tools: [{ name: 'fly', input: {} }] },
    { tools: [{ name: 'read', inputText: '{"path": ' }] },
    { tools: [{ name: 'read', input: { file: 'a' } }] },
    { text: 'I give up.' },
  ]);
  expect(end).toMatchObject({ kind: 'succeeded' });
  const [fly, json, schema] = server.requests.at(-1)?.toolResults.map(({ text }) => text) ?? [];
  expect(fly).toMatch(/'fly'.*Available tools: shell, read/);
  expect(json).toMatch(/Invalid input for tool read/);
  expect(schema).toMatch(/Invalid input for tool read.*path/s);
  expect(eventsOf(lines, 'tool_result').map(({ data }) => data.is_error)).toEqual([true, true, true]);
});

test('a run ends at its step limit, and keeps its conversation', async () => {
  const { end, server, workspace } = await runScript(() => ({ tools: [{ shell: 'echo x >> count.txt' }] }), {
    spec: { stepsMax: 3 },
  });
  expect(end).toMatchObject({ kind: 'failed', fault: 'step_limit', message: '3 steps' });
  expect(server.requests).toHaveLength(3);
  expect(await readFile(join(workspace, 'count.txt'), 'utf8')).toBe('x\nx\nx\n');
});

test('the limit of one step is in the singular', async () => {
  const { end } = await runScript(() => ({ tools: [{ shell: 'true' }] }), { spec: { stepsMax: 1 } });
  expect(end).toMatchObject({ fault: 'step_limit', message: '1 step' });
});

test('an empty answer is reported as such', async () => {
  for (const api of modelApis) {
    const { end } = await runScript(
      [{ tools: [{ shell: 'true' }] }, { text: '' }, { text: '' }, { text: '' }, { text: '' }],
      { api },
    );
    expect(end.kind === 'succeeded' ? end.text : end.fault, api).toBe('');
  }
});

test.each(modelApis)('an answer is the model’s text, byte for byte, over %s', async api => {
  for (const text of ['--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n \n', '    code\n  more  ', '\n\n| a |\r\n\t']) {
    const { end, lines } = await runScript([{ text, reasoning: ' Hm. ' }], { api });
    expect(end).toEqual({ kind: 'succeeded', text });
    expect(eventsOf(lines, 'message').map(({ data }) => data.text)).toEqual([text]);
    expect(logOf(lines)).toBe('thinking: Hm.\n');
  }
});

test.each([
  ['<think>\nIt is 42.\n</think>\n\nThe answer is 42.\n', 'It is 42.', 'The answer is 42.\n'],
  ['<think>a</think><think>b</think>  c', 'ab', 'c'],
  ['<think>It is 42.</think>', 'It is 42.', ''],
  ['<think>It is', 'It is', ''],
  ['<think></think>\n\n    code', '', '    code'],
  ['It is 42.\n</think>\n\n42', 'It is 42.', '42'],
  ['It is 42.</think>\n\n42', 'It is 42.', '42'],
  ['It is 42.</think>42', 'It is 42.', '42'],
  ['<think>a<think>b</think>c</think>42', 'a<think>b</think>c', '42'],
  ['<think>I say <think> first.</think>Use </think> to close.', 'I say <think> first.', 'Use </think> to close.'],
  ['<think>a <think> b</think>42', 'a <think> b', '42'],
  ['<think>Is it `<think>`?</think>42 or `</think>`', 'Is it `<think>`?', '42 or `</think>`'],
  ['[THINK]It is 42.[/THINK]42', 'It is 42.', '42'],
  ['The tag `</think>` is dropped.', '', 'The tag `</think>` is dropped.'],
  ['All of <think>x</think> is dropped.', '', 'All of <think>x</think> is dropped.'],
  ['```\n</think>\n```\n', '', '```\n</think>\n```\n'],
])('thoughts in the text of an answer are of the log alone: %j', async (text, thoughts, answer) => {
  const { end, lines } = await runScript([{ text }]);
  expect(end).toEqual({ kind: 'succeeded', text: answer });
  expect(eventsOf(lines, 'message').map(({ data }) => data.text)).toEqual(answer === '' ? [] : [answer]);
  expect(logOf(lines)).toBe(thoughts === '' ? '' : `thinking: ${thoughts}\n`);
});

test.each([
  ...[
    '+</think>',
    '- </think>',
    '> </think>',
    ' </think>',
    '+It ends.</think>',
    'Then </think> ends it.',
    '`</think>`',
  ].map(line => `Fixed the template:\n\n${line}\n\nAll tests pass.`),
  '~~~\n</think>\n~~~\nDone.',
  'Fixed:\n<think-box>\nhello\n</think>\nDone.',
  ...['[TOOL_CALLS]', '<tool_call>', '<function=shell>', '<|tool_calls_begin|>', '<|python_tag|>'].map(
    mark => `${mark} is a mark of the shell tool. The bug is fixed.`,
  ),
])('an answer about the marks of thoughts and calls is whole: %j', async text => {
  const { end, lines } = await runScript([{ text }]);
  expect(end).toEqual({ kind: 'succeeded', text });
  expect(logOf(lines)).toBe('');
});

const writtenCall = '<tool_call>\n{"name": "shell", "arguments": {"command": "ls"}}\n</tool_call>';

test.each([
  writtenCall,
  `<think>I look.</think>\n${writtenCall}\n${writtenCall}\n`,
  '<tool_call>\n<function=bash>\n<parameter=command>\nls\n</parameter>\n</function>\n</tool_call>',
  '<function=shell>{"command": "ls"}</function>',
  '[TOOL_CALLS][{"name": "shell", "arguments": {"command": "ls"}}]',
  '[TOOL_CALLS]shell[ARGS]{"command": "ls"}',
  '[TOOL_CALLS]shell{"command": "ls"}',
  '<tool_call>shell\n<arg_key>command</arg_key>\n<arg_value>ls</arg_value>\n</tool_call>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.shell:0<|tool_call_argument_begin|>{}<|tool_call_end|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>shell\n{}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|python_tag|>{"name": "shell", "parameters": {"command": "ls"}}',
  '{"name": "shell", "parameters": {"command": "ls"}}',
  '```json\n{"name": "shell", "arguments": {"command": "ls"}}\n```',
])('a tool call written as text is not a result: %j', async text => {
  const { end, lines } = await runScript([{ text }]);
  expect(end).toMatchObject({ kind: 'failed', fault: 'no_result' });
  expect(end.kind === 'failed' ? end.message : '').toContain("the model's server does not parse tool calls");
  expect(eventsOf(lines, 'log').filter(({ data }) => data.level === 'warning')).toEqual([]);
});

test('a written call within the answer is warned about, unless the server parses calls', async () => {
  const warningsOf = async (text: string, ...before: readonly ModelTurn[]) => {
    const { end, lines } = await runScript([...before, { text }]);
    expect(end).toEqual({ kind: 'succeeded', text });
    return eventsOf(lines, 'log').flatMap(({ data }) => (data.level === 'warning' ? [data.text] : []));
  };
  expect(await warningsOf(`I look.\n${writtenCall}`)).toEqual([
    "part of the answer is a tool call written as text: the model's server does not parse tool calls\n",
  ]);
  expect(await warningsOf(writtenCall, { tools: [{ shell: 'true' }] })).toEqual([]);
  expect(await warningsOf('Hermes writes <tool_call>{"name": "get_weather"}</tool_call>.')).toEqual([]);
  expect(await warningsOf('{"name": "x", "arguments": {}}')).toEqual([]);
});

test('a conversation continues with its whole history, which only its user can read', async () => {
  for (const api of modelApis) {
    const folders = await createFolders();
    const first = await runScript(
      [{ text: 'I look.', reasoning: 'Hm.', tools: [{ shell: 'echo 42' }] }, { text: 'It is 42.' }],
      {
        api,
        folders,
      },
    );
    const session = first.lines.find(line => 'session' in line)?.session;
    const file = join(folders.stateDir, `conversation-${session}.json`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    const second = await runScript([{ text: 'Still 42.' }], {
      api,
      folders,
      spec: { prompt: 'And now?', resume: session },
    });
    expect(second.end, api).toEqual({ kind: 'succeeded', text: 'Still 42.' });
    expect(second.lines[0]).toEqual({ session });
    const request = second.server.requests[0];
    expect(request?.messages.filter(({ role }) => role !== 'tool').map(({ text }) => text)).toEqual(
      expect.arrayContaining(['Do it.', 'It is 42.', 'And now?']),
    );
    expect(request?.toolResults.map(({ text }) => text)).toEqual(['42']);
    // Of this part only.
    expect(eventsOf(second.lines, 'usage').at(-1)?.data).toMatchObject({ requests: 1 });
  }
});

test('a written call is no result if only an earlier run of the conversation called a tool', async () => {
  const folders = await createFolders();
  const first = await runScript([{ tools: [{ shell: 'true' }] }, { text: 'Done.' }], { folders });
  const resume = first.lines.find(line => 'session' in line)?.session;
  const { end } = await runScript([{ text: writtenCall }], { folders, spec: { resume } });
  expect(end).toMatchObject({ kind: 'failed', fault: 'no_result' });
});

test.each([
  ['is not there', 'b0a1c2d3-0000-4000-8000-00000000ffff', 'there is no conversation'],
  ['has an invalid id', '../../etc/passwd', 'is not a conversation id'],
  ['is damaged', 'damaged', 'by another version or is damaged'],
])('a conversation that %s fails before a request', async (_name, resume, words) => {
  const folders = await createFolders();
  await writeFile(join(folders.stateDir, 'conversation-damaged.json'), '{"ver');
  const { end, server } = await runScript([{ text: 'x' }], { folders, spec: { resume } });
  expect(end).toMatchObject({ kind: 'failed', fault: 'harness', message: expect.stringContaining(words) });
  expect(server.requests).toEqual([]);
});

test('a run without a prompt is asked to carry out its instructions', async () => {
  const { server } = await runScript([{ text: 'Done.' }], { spec: { prompt: '', instructions: 'Count to three.' } });
  expect(server.requests[0]?.messages[0]?.text).toBe('Carry out your instructions.');
});

test('skills are listed with purpose and place, and read on demand', async () => {
  const skill = createFolders();
  const { stateDir: folder } = await skill;
  await writeFile(join(folder, 'SKILL.md'), 'Greet with a bow.');
  const { server } = await runScript([{ tools: [{ read: join(folder, 'SKILL.md') }] }, { text: 'Done.' }], {
    spec: { skills: [{ name: 'greet', description: 'How to greet.', folder }] },
  });
  expect(server.requests[0]?.system).toContain(`- greet: How to greet. (${folder}/SKILL.md)`);
  expect(server.requests[0]?.system).not.toContain('bow');
  expect(server.requests[1]?.toolResults[0]?.text).toBe('1\tGreet with a bow.');
});

test('the key of the model is in no environment of a tool and in no file', async () => {
  const { server, stateDir } = await runScript([{ tools: [{ shell: 'env' }] }, { text: 'Done.' }]);
  expect(server.requests[1]?.toolResults[0]?.text).toContain('GIT_TERMINAL_PROMPT=0');
  expect(server.requests[1]?.toolResults[0]?.text).not.toContain(apiKey);
  const history = await readFile(join(stateDir, 'conversation-b0a1c2d3-0000-4000-8000-000000000001.json'), 'utf8');
  expect(history).toContain('GIT_TERMINAL_PROMPT');
  expect(history).not.toContain(apiKey);
});
