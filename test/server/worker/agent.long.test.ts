/** Runs with an agent: events, endings, and limits for an agent that does not stop by itself. */
import { readFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import type { AgentConfig } from '../../../src/contract/config.ts';
import type { AgentSpec } from '../../../src/server/harness/agents/adapter.ts';
import type { AgentSettings } from '../../../src/server/harness/agents/agent-harness.ts';
import { createFakeAgent, settings } from '../harness/agents/fake-agent.ts';
import { environmentOf, inShop } from './environment-fixture.ts';
import { openBench, warningsOf } from './worker-fixture.ts';

async function work(prompt: string, config: AgentConfig = {}, own: Partial<AgentSettings> = {}) {
  const launched: AgentSpec[] = [];
  const bench = await openBench({
    harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings, ...own } } },
    adapters: { fake: createFakeAgent(launched) },
  });
  return { ...(await bench.work(prompt, config)), launched };
}

const say = (event: object) => `printf '%s\\n' '${JSON.stringify(event)}'`;

test('output of an agent becomes events, and its last answer the result', async () => {
  const { run, result, events, log, launched } = await work(
    [
      say({ session: 'abc' }),
      say({ say: 'I look' }),
      say({ call: { command: 'ls' } }),
      say({ back: 'a b' }),
      'echo no event',
      'echo warned >&2',
      say({ usage: 12 }),
      say({ done: 'all is well' }),
    ].join('\n'),
    { base_prompt: 'Be short.' },
  );
  expect(run.state).toBe('SUCCEEDED');
  expect(result).toBe('all is well');
  expect(events.filter(({ type }) => type !== 'log' && type !== 'state').map(({ type, data }) => [type, data])).toEqual(
    [
      ['message', { role: 'assistant', text: 'I look' }],
      ['tool_call', { id: 'a', name: 'shell', input: { command: 'ls' } }],
      ['tool_result', { id: 'a', output: 'a b', is_error: false }],
      ['usage', { tokens: 12 }],
    ],
  );
  expect([log.stdout, log.stderr]).toEqual(['no event\n', 'warned\n']);
  expect(launched[0]).toMatchObject({ model: 'large', instructions: 'Be short.', resume: undefined });
});

test('an agent without code causes a warning that names the repository of the run', async () => {
  const bench = await openBench({
    harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings } } },
    adapters: { fake: createFakeAgent() },
  });
  const warned = await bench.work(say({ done: 'fine' }), {}, { repository: 'octo-org/shop' });
  expect(warningsOf(warned)).toEqual([
    'warning: octo-org/shop was not cloned, and the workspace is empty, because the run names no environment; set `environment_id` (in the command `--environment`)',
  ]);
  expect(warningsOf(await bench.work(say({ done: 'fine' })))).toEqual([
    'warning: the workspace is empty, because the run names no environment; set `environment_id` (in the command `--environment`)',
  ]);
});

test.each([
  ['it says so', say({ done: 'fine' }), 'SUCCEEDED', undefined, 'fine'],
  [
    'it says so and exits with 1',
    `${say({ done: 'fine' })}; exit 1`,
    'FAILED',
    'agent_failed',
    'although it reported success',
  ],
  [
    'it says nothing and exits with 0',
    'echo done',
    'FAILED',
    'agent_failed',
    'ended with exit code 0 without reporting a result. It printed: done',
  ],
  ['it has no answer', say({ done: ' ' }), 'FAILED', 'no_result', 'Fake Agent ended without an answer'],
  [
    'it says that it failed and exits with 0',
    say({ fail: 'auth' }),
    'ERROR',
    'authentication_required',
    'refused the key',
  ],
  ['a signal ends it', 'kill -9 $$', 'FAILED', 'agent_failed', 'was killed by SIGKILL'],
  ['it was turned away', say({ fail: 'rate_limit' }), 'ERROR', 'rate_limited', 'https://models.example.com'],
])('where %s', async (_name, prompt, state, code, text) => {
  const { run, result } = await work(prompt);
  expect([run.state, run.statusMessage?.error_code]).toEqual([state, code]);
  expect(run.statusMessage?.message ?? result).toContain(text);
});

test('a silent agent is stopped, but not while its tool works', async () => {
  const limits = { stallMs: 400 };
  const silent = await work(`${say({ say: 'x' })}; sleep 30`, {}, limits);
  expect(silent.run.statusMessage).toMatchObject({
    error_code: 'stalled',
    message: expect.stringContaining('the agent stalled: it produced no output for 0.4 seconds'),
  });
  const busy = await work(
    `${say({ call: 'make' })}; sleep 1; ${say({ back: 'ok' })}; ${say({ done: 'made' })}`,
    {},
    limits,
  );
  expect(busy.result).toBe('made');
});

test('an endless agent is stopped at its step limit, and its usage is reported', async () => {
  const { run, events } = await work(
    `${say({ usage: 3 })}; while :; do ${say({ step: 1 })}; sleep 0.02; done`,
    {},
    { steps: 5 },
  );
  expect(run.statusMessage).toMatchObject({ error_code: 'step_limit', message: expect.stringContaining('5 steps') });
  expect(events.find(({ type }) => type === 'usage')?.data).toEqual({ tokens: 3 });
});

test('a run at its time limit names the running tool call of its agent', async () => {
  const bench = await openBench({
    limits: { run_minutes: 0.6 / 60 },
    harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings } } },
    adapters: { fake: createFakeAgent([]) },
  });
  const { run } = await bench.work(`${say({ call: { command: 'make all' } })}; sleep 30`);
  expect(run.statusMessage?.message).toMatch(
    /^the run timed out after 0\.6 s, 0\.\d of them in `make all`\. Raise `limits\.run_minutes` of the server, or give/,
  );
});

test('a limit of one step is reported in the singular', async () => {
  const { run } = await work(`while :; do ${say({ step: 1 })}; sleep 0.02; done`, {}, { steps: 1 });
  expect(run.statusMessage?.message).toContain('its limit of 1 step and was stopped');
});

const schema = {
  type: 'object',
  properties: { count: { type: 'integer' } },
  required: ['count'],
  additionalProperties: false,
};

test('an answer that matches the schema is the structured result', async () => {
  const { run, launched } = await work(say({ done: '{"count": 2}' }), { output_schema: schema });
  expect(run.result?.structured).toEqual({ count: 2 });
  expect(launched[0]?.instructions).toContain('"additionalProperties": false');
});

/** An agent that answers `first`, and `second` when it is asked again. */
async function answer(first: string, second: string) {
  const launched: AgentSpec[] = [];
  const fake = createFakeAgent(launched);
  const launch: typeof fake.launch = spec => ({
    ...fake.launch(spec),
    stdin: [say({ session: 's1' }), say({ usage: 7 }), say({ done: spec.resume === undefined ? first : second })].join(
      '\n',
    ),
  });
  const bench = await openBench({
    harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings } } },
    adapters: { fake: { ...fake, launch } },
  });
  return { ...(await bench.work('count', { output_schema: schema })), launched };
}

test('an answer that does not match is returned once, in the same session', async () => {
  const { run, log, launched, events } = await answer('{"count": "two"}', '```json\n{"count": 2}\n```');
  expect(run.result?.structured).toEqual({ count: 2 });
  expect(launched.map(({ resume }) => resume)).toEqual([undefined, 's1']);
  expect(launched[1]?.prompt).toContain('count: ');
  expect(log.system).toContain('returned to the agent once');
  // The usage is that of both turns.
  expect(events.flatMap(({ type, data }) => (type === 'usage' ? [data] : []))).toEqual([{ tokens: 7 }, { tokens: 14 }]);
});

test('a deeply nested answer is returned like any other', async () => {
  const { run, launched } = await answer(`${'['.repeat(20_000)}${']'.repeat(20_000)}`, '{"count": 2}');
  expect(run.result?.structured).toEqual({ count: 2 });
  expect(launched[1]?.prompt).toContain('nested deeper than 100 levels');
});

test('a deeply nested line is output, and the run continues', async () => {
  const { run, log } = await work(
    `node -e 'console.log(JSON.stringify({ call: 1 }).replace("1", "[".repeat(1e5) + "]".repeat(1e5)))'\n${say({ done: 'fine' })}`,
  );
  expect(run.statusMessage).toBeUndefined();
  expect(run.state).toBe('SUCCEEDED');
  expect(log.stdout).toContain('{"call":[[[[');
});

test('a line with more values than an event may have is output, and does not block the server', async () => {
  const { run, log } = await work(
    `node -e 'console.log(JSON.stringify({ call: 1 }).replace("1", "[" + "[],".repeat(5e5) + "0]"))'\n${say({ done: 'fine' })}`,
  );
  expect(run.state).toBe('SUCCEEDED');
  expect(log.stdout).toContain('{"call":[[],[],');
});

test('a second answer that does not match fails the run with the faults and the answer', async () => {
  const { run, result } = await answer('two', '{"count": 2, "more": 1}');
  expect(run.state).toBe('FAILED');
  expect(run.statusMessage).toMatchObject({
    error_code: 'result_invalid',
    message: expect.stringMatching(/does not satisfy the output schema: .*more.*\. Ask for less, or relax the schema$/),
  });
  expect([result, run.result?.structured]).toEqual(['{"count": 2, "more": 1}', undefined]);
});

test('settings of the agent are private files in its state folder, removed with the run', async () => {
  const { run, log, left } = await work(
    `f="$(dirname "$AGENT_RUN_RESULT")/../state/fake/settings.json"; stat -c %a "$f" >&2; grep -c of-the-tools "$f" >&2; ${say({ done: 'x' })}`,
    {
      mcp_servers: {
        tools: { url: 'http://127.0.0.1:9/', headers: { Authorization: 'Bearer of-the-tools' }, required: false },
      },
    },
  );
  expect(run.state).toBe('SUCCEEDED');
  expect(log.stderr).toBe('600\n1\n');
  expect(left).toEqual([]);
});

test('a missing program is reported with what to do', async () => {
  const { run } = await work('x', {}, { program: 'no-such-agent' });
  expect(run.statusMessage).toMatchObject({
    error_code: 'environment_setup_failed',
    message: expect.stringContaining('needs the program no-such-agent, which is not on the PATH of the server'),
  });
});

test('huge tool output keeps its beginning and end, and the log of a run its limit', async () => {
  const { events } = await work(
    `printf '{"back": "begin'; head -c 3000000 /dev/zero | tr '\\0' x; printf 'end"}\\n'; ${say({ done: 'x' })}`,
  );
  const [output = ''] = events.flatMap(event => (event.type === 'tool_result' ? [String(event.data.output)] : []));
  expect(output).toMatch(/^beginx+\n\[\d+ bytes omitted\]\nx+end$/);
  expect(output.length).toBeLessThan(17_000);
});

test('the state folder is where the docs say', async () => {
  const { launched } = await work(say({ done: 'x' }));
  expect(launched[0]?.stateDir).toBe(join(launched[0]?.workspace ?? '', '..', 'state'));
  await expect(readFile(launched[0]?.stateDir ?? '')).rejects.toThrow();
});

test('the key and the secrets of tools are redacted in all output of an agent', async () => {
  const key = 'the-key-of-the-model';
  const token = 'of-the-tools-0815';
  const { run, result, events } = await work(
    [
      say({ say: `env: ${key}` }),
      say({ call: { command: `echo ${token}` } }),
      say({ back: `${token}\n${key}` }),
      `echo ${key}; echo ${token} >&2`,
      say({ done: `done with ${key} and ${token}` }),
    ].join('\n'),
    {
      mcp_servers: {
        tools: { url: 'http://127.0.0.1:9/', headers: { Authorization: `Bearer ${token}` }, required: false },
      },
    },
  );
  expect(result).toBe('done with *** and ***');
  const shown = JSON.stringify([run.statusMessage, events]);
  expect(shown).toContain('env: ***');
  for (const secret of [key, token]) expect(shown).not.toContain(secret);
  const failed = await work(`echo ${key} >&2; exit 3`);
  expect(failed.run.statusMessage?.message).toContain('It printed: ***');
});

test('a secret that arrives in two pieces is redacted, and nothing else is lost or late', async () => {
  const key = settings.endpoint.apiKey ?? '';
  const [first, second] = [key.slice(0, 7), key.slice(7)];
  const { log } = await work(
    `p() { printf %s "$1" >&2; sleep 0.2; }; p 'ä ${first}'; p '${second} ö${first}'; p ' is not it '; p '${first}'; ${say({ done: 'x' })}`,
  );
  expect(log.stderr).toBe(`ä *** ö${first} is not it ${first}`);
});

test('a secret of several lines is redacted as a whole and by line', async () => {
  const secret = 'first line\nsecond line';
  const mcp_servers = { tools: { command: 'true', env: { THE_KEY: secret }, required: false } };
  const { log, events } = await work(
    `echo begin; echo '${secret}'; echo first line; ${say({ say: 'x' })}; ${say({ done: 'x' })}`,
    { mcp_servers },
  );
  expect(log.stdout).toBe('begin\n***\n***\n');
  expect(events.findIndex(({ type }) => type === 'message')).toBeGreaterThan(
    events.findIndex(({ type, data }) => type === 'log' && String(data.text).endsWith('***\n')),
  );
});

test('an agent gets the names of its configured variables: those of its environment, then its own', async () => {
  const launched: AgentSpec[] = [];
  const env = { GH_TOKEN: 'harness', PLAIN: 'a' };
  const bench = await openBench({
    harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings, env } } },
    adapters: { fake: createFakeAgent(launched) },
    // Built-in variables override those of the environment.
    environments: [environmentOf(undefined, { env: { GH_TOKEN: 'of-shop', NPM_TOKEN: 'of-shop', HOME: '/nowhere' } })],
  });
  const { result } = await bench.work(`printf '{"done":"%s %s"}\\n' "$GH_TOKEN" "$NPM_TOKEN"`, inShop);
  expect(result).toBe('harness of-shop');
  expect(launched[0]?.variables).toEqual({ ...env, NPM_TOKEN: 'of-shop' });
});

test('a run that names only a skill still has a prompt', async () => {
  const { launched } = await work(' ');
  expect(launched[0]?.prompt).toBe('Do what your instructions say.');
});

const deadServer = { command: 'no-such-server', env: { SERVER_TOKEN: 'of-the-server-0815' } };
const liveServer = { command: process.execPath, args: [resolve(import.meta.dirname, '../../support/mcp-server.ts')] };

test('an MCP server that does not start is reported before the agent starts', async () => {
  const mcp_servers = { dead: { ...deadServer, required: false }, live: liveServer };
  const { run, log, events, launched } = await work(say({ done: 'x' }), { mcp_servers });
  expect(run.state).toBe('SUCCEEDED');
  // The agent's own explanation is not repeated.
  expect(launched[0]?.deadServers).toEqual(['dead']);
  expect(log.system).toMatch(/the MCP server dead cannot be used, so the agent runs without it: program/);
  expect(log.system).not.toContain('server live');
  expect(JSON.stringify(events)).not.toContain('of-the-server');
});

test('a required MCP server that does not start fails the run, and the agent is not started', async () => {
  const { run, log } = await work(say({ done: 'x' }), { mcp_servers: { dead: deadServer } });
  expect(run.statusMessage).toMatchObject({
    error_code: 'environment_setup_failed',
    message: expect.stringMatching(
      /^the MCP server dead cannot be used: program .* not found on its PATH.*"required": false/,
    ),
  });
  expect(log.stdout).toBe('');
});

test('a disabled MCP server is not started, and the log says so once', async () => {
  const mcp_servers = { dead: { ...deadServer, disabled: true }, also: { ...deadServer, enabled: false } };
  const { run, log, launched } = await work(say({ done: 'x' }), { mcp_servers });
  expect(run.state).toBe('SUCCEEDED');
  expect(launched[0]?.mcpServers).toEqual([]);
  expect(log.system.match(/the MCP server \w+ was not started, because its entry disables it/g)).toEqual([
    'the MCP server dead was not started, because its entry disables it',
    'the MCP server also was not started, because its entry disables it',
  ]);
});

test('secret variables of an MCP server are redacted under any name', async () => {
  const [pat, password] = ['ghp_0123456789abcdefghijABCDEFGHIJ012345', 'of-the-database-0815'];
  const env = {
    GITHUB_PAT: pat,
    DATABASE_URL: `postgres://app:${password}@db.example.com/app`,
    NODE_ENV: 'production',
    BASE_URL: 'http://localhost:3000',
    PLAIN: '${SHOP_TOKEN}',
  };
  const bench = await openBench({
    harnesses: {
      default: 'fake',
      agents: { fake: { kind: 'fake', ...settings, env: { SHOP_TOKEN: 'of-the-shop-4711' } } },
    },
    adapters: { fake: createFakeAgent([]) },
  });
  const { events } = await bench.work(
    [
      say({ say: `${pat} ${env.DATABASE_URL} of-the-shop-4711 ${env.NODE_ENV} ${env.BASE_URL}` }),
      say({ done: 'x' }),
    ].join('\n'),
    { mcp_servers: { db: { ...liveServer, env } } },
  );
  expect(JSON.stringify(events)).toContain(
    '*** postgres://app:***@db.example.com/app *** production http://localhost:3000',
  );
});

test('an MCP server gets the variables of the run that its entry names', async () => {
  const launched: AgentSpec[] = [];
  const bench = await openBench({
    harnesses: {
      default: 'fake',
      agents: { fake: { kind: 'fake', ...settings, env: { SECRET_OF_RUN: 'twelve-chars' } } },
    },
    adapters: { fake: createFakeAgent(launched) },
  });
  const work = (MCP_SECRET: string) =>
    bench.work(say({ done: 'x' }), { mcp_servers: { live: { ...liveServer, env: { MCP_SECRET } } } });
  expect((await work('${SECRET_OF_RUN}')).run.state).toBe('SUCCEEDED');
  expect(launched[0]?.mcpServers).toMatchObject([{ env: { MCP_SECRET: 'twelve-chars' } }]);
  // A variable of the server that the run does not have.
  expect((await work('${PATH}')).run.statusMessage).toMatchObject({
    error_code: 'environment_setup_failed',
    message: expect.stringContaining('config.mcp_servers.live.env.MCP_SECRET: the variable PATH is not passed'),
  });
});
