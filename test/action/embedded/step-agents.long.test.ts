/** The agent of a step without a server: which one, with whose key, and its work. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { chooseHarnesses } from '../../../src/action/embedded/choose-harnesses.ts';
import { runAction } from '../../../src/action/run-action.ts';
import { type ModelScript, startModelServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeHost } from '../fake-host.ts';
import { open } from './embedded-fixture.ts';

type Variables = Readonly<Record<string, string>>;

const choose = (baseEnv: Variables, more: { harness?: string; modelId?: string; command?: string } = {}) =>
  chooseHarnesses({
    workspace: '/w',
    command: undefined,
    allowScript: false,
    harness: undefined,
    modelId: 'large',
    passedEnv: {},
    ...more,
    baseEnv,
  });

test.each<[Variables, string | undefined, string, object]>([
  [
    { ANTHROPIC_API_KEY: 'a-key' },
    undefined,
    'builtin',
    {
      api: 'anthropic',
      root: 'https://api.anthropic.com',
      apiKey: 'a-key',
      addressOrigin: 'ANTHROPIC_BASE_URL under `env:` of the step',
    },
  ],
  [
    { OPENAI_API_KEY: 'o-key' },
    undefined,
    'builtin',
    { api: 'openai-responses', root: 'https://api.openai.com', apiKey: 'o-key' },
  ],
  [{ GEMINI_API_KEY: 'g-key' }, 'gemini', 'gemini', { api: 'gemini', apiKey: 'g-key' }],
  [
    { OPENAI_API_KEY: 'o-key', OPENAI_BASE_URL: 'http://127.0.0.1:11434/v1/' },
    'opencode',
    'opencode',
    { api: 'openai-chat', root: 'http://127.0.0.1:11434', apiKey: 'o-key' },
  ],
  [
    { OPENAI_BASE_URL: 'https://models.example.com' },
    'codex',
    'codex',
    { api: 'openai-responses', root: 'https://models.example.com', apiKey: undefined },
  ],
  [{ ANTHROPIC_API_KEY: 'a-key', OPENAI_API_KEY: 'o-key' }, 'codex', 'codex', { apiKey: 'o-key' }],
  [{ ANTHROPIC_API_KEY: ' ', GEMINI_API_KEY: 'g-key' }, 'oz', 'builtin', { api: 'gemini' }],
  [
    { CLAUDE_CODE_OAUTH_TOKEN: ' o-token ' },
    'claude',
    'claude',
    {
      apiKey: 'o-token',
      keyType: 'oauth_token',
      root: 'https://api.anthropic.com',
      keyOrigin: 'CLAUDE_CODE_OAUTH_TOKEN under `env:` of the step',
    },
  ],
  [
    { CLAUDE_CODE_OAUTH_TOKEN: 'o-token', ANTHROPIC_API_KEY: 'a-key' },
    'claude',
    'claude',
    { apiKey: 'a-key', keyType: 'api_key' },
  ],
  [
    { ANTHROPIC_API_KEY: 'a-key', ANTHROPIC_CUSTOM_HEADERS: 'X-Team: shop\nX-Trace: a, b: c' },
    'opencode',
    'opencode',
    { headers: { 'X-Team': 'shop', 'X-Trace': 'a, b: c' } },
  ],
  [
    { GEMINI_API_KEY: 'g-key', GEMINI_CLI_CUSTOM_HEADERS: 'X-Team: shop, X-Trace: a, b' },
    'gemini',
    'gemini',
    { headers: { 'X-Team': 'shop', 'X-Trace': 'a, b' } },
  ],
])('%j and the harness %s', async (env, harness, kind, endpoint) => {
  const { default: usual, agents } = await choose(env, harness === undefined ? {} : { harness });
  expect(usual).toBe(kind);
  expect(agents[kind]).toMatchObject({ kind, model: 'large', endpoint });
});

test.each([
  ['gpt-5.4-mini', 'openai-responses'],
  ['o4-mini', 'openai-responses'],
  ['gemini-3-pro', 'gemini'],
  ['claude-haiku-4-5', 'anthropic'],
  ['large', 'anthropic'],
])("with several keys, the model %s uses its provider's", async (modelId, api) => {
  const keys = { ANTHROPIC_API_KEY: 'a-key', OPENAI_API_KEY: 'o-key', GEMINI_API_KEY: 'g-key' };
  expect((await choose(keys, { modelId })).agents.builtin).toMatchObject({ endpoint: { api } });
  // Another provider may serve the model.
  const own = { OPENAI_API_KEY: 'o-key', OPENAI_BASE_URL: 'http://127.0.0.1:11434' };
  expect((await choose(own, { modelId })).agents.builtin).toMatchObject({ endpoint: { apiKey: 'o-key' } });
});

test.each<[Variables, Parameters<typeof choose>[1], string]>([
  [{}, { harness: 'claude' }, '`harness`: claude needs ANTHROPIC_API_KEY under `env:` of the step'],
  [{ OPENAI_API_KEY: 'secret-value' }, { harness: 'claude' }, 'claude needs ANTHROPIC_API_KEY'],
  [
    { ANTHROPIC_API_KEY: '' },
    { harness: 'claude' },
    'but it is empty: the secret is not set (Settings, Secrets and variables, Actions, Secrets)',
  ],
  [
    { ANTHROPIC_KEY: 'k' },
    { harness: 'claude' },
    'but it is not set. Set `ANTHROPIC_API_KEY: ${{ secrets.ANTHROPIC_API_KEY }}` there',
  ],
  [
    { ANTHROPIC_API_KEY: '' },
    {},
    '`model_id` "large" needs ANTHROPIC_API_KEY or OPENAI_API_KEY or GEMINI_API_KEY under `env:` of the step, but it is',
  ],
  [
    { OPENAI_API_KEY: '' },
    {},
    'this event gets no secrets (pull requests from forks and from Dependabot). Set the one of your provider there',
  ],
  [
    { OPENAI_API_KEY: '' },
    { modelId: 'gpt-9' },
    '`model_id` "gpt-9" needs OPENAI_API_KEY under `env:` of the step, but it is empty: the secret is not set (Settings, ',
  ],
  [{}, { modelId: 'gpt-9' }, '. Set `OPENAI_API_KEY: ${{ secrets.OPENAI_API_KEY }}` there'],
  [{}, { modelId: 'gpt-9', harness: 'opencode' }, 'opencode needs OPENAI_API_KEY under `env:`'],
  [
    { OPENAI_BASE_URL: 'http://127.0.0.1:11434' },
    {},
    'If the model at OPENAI_BASE_URL needs no key, set `harness: builtin` (or another agent)',
  ],
  [
    { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: ' ' },
    { modelId: 'gpt-9' },
    '`model_id` "gpt-9" needs OPENAI_API_KEY under `env:` of the step, but it is empty: the secret is not set (Settings, ',
  ],
  [
    { ANTHROPIC_API_KEY: 'k' },
    { modelId: 'gpt-9' },
    'InputError: `model_id` "gpt-9" needs OPENAI_API_KEY under `env:` of the step, but it is not set. Set `OPENAI_API_KEY: ${{ secrets.OPENAI_API_KEY }}` there',
  ],
  [
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'https://api.anthropic.com/' },
    { modelId: 'gpt-9' },
    'needs OPENAI_API_KEY',
  ],
  [
    { ANTHROPIC_API_KEY: 'k' },
    { modelId: 'anthropic/claude-haiku-4-5' },
    '`model_id` "anthropic/claude-haiku-4-5" has a prefix that only gateways use. Write it without: "claude-haiku-4-5"',
  ],
  [
    { ANTHROPIC_API_KEY: 'k' },
    { modelId: 'openai/gpt-9', harness: 'opencode' },
    'has a prefix that only gateways use. Write it without: "gpt-9"',
  ],
  [{ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'not a url' }, {}, '/v1, not "not a url"'],
  [
    { OPENAI_BASE_URL: 'mona:secret-value@example.com' },
    { harness: 'builtin' },
    'must be the http or https URL of the agent',
  ],
  [{}, { modelId: undefined as never }, 'If your own model needs no key, set `model_id` and `harness: builtin`'],
  [
    { OPENAI_API_KEY: 'secret-value' },
    { modelId: undefined as never },
    '`model_id` is missing. Set it to a model for the built-in agent, such as claude-haiku-4-5',
  ],
  [
    {},
    { harness: 'cluade' },
    '`harness`: "cluade" is not an agent that a step can run. Did you mean "claude"? Use one of builtin, claude',
  ],
  [
    { CLAUDE_CODE_OAUTH_TOKEN: '' },
    { harness: 'claude' },
    '`harness`: claude needs CLAUDE_CODE_OAUTH_TOKEN under `env:` of the step, but it is empty',
  ],
  [
    { CLAUDE_CODE_OAUTH_TOKEN: 'secret-value' },
    { modelId: 'claude-haiku-4-5' },
    'there. CLAUDE_CODE_OAUTH_TOKEN works with `harness: claude` only',
  ],
  [
    { ANTHROPIC_API_KEY: 'k', ANTHROPIC_CUSTOM_HEADERS: 'secret-value' },
    { harness: 'claude' },
    'ANTHROPIC_CUSTOM_HEADERS under `env:` of the step: header 1 (not shown) has no colon. Write it as `Name: value`',
  ],
  [{}, { harness: 'claude-code' }, '. Did you mean "claude"? Use one of'],
  [{}, { harness: 'cloude' }, 'Use one of builtin, claude, codex, gemini, opencode, command (with `command`)'],
])('with %j, %j is refused', async (env, more, words) => {
  const error = await choose(env, more).catch((thrown: unknown) => thrown);
  expect(String(error)).toContain(words);
  expect(String(error)).not.toContain('secret-value');
});

test.each(['gpt-9', 'openai/gpt-9'])(
  'a custom address may serve the model %s, with or without a key',
  async modelId => {
    for (const key of [{}, { ANTHROPIC_API_KEY: 'k' }])
      expect(
        (await choose({ ...key, ANTHROPIC_BASE_URL: 'https://models.example.com' }, { harness: 'builtin', modelId }))
          .agents,
      ).toMatchObject({ builtin: { model: modelId, endpoint: { root: 'https://models.example.com' } } });
  },
);

test('what the step names overrides a key that happens to be set', async () => {
  expect(await choose({ OPENAI_API_KEY: 'o-key' }, { command: 'cat' })).toMatchObject({
    default: 'command',
    agents: {},
  });
});

describe.runIf(process.platform !== 'win32')('a run', () => {
  async function openAgent(script: ModelScript, more: Parameters<typeof open>[0] = {}) {
    const model = await startModelServer(script, { apiKey: 'key-of-the-model' });
    onTestFinished(() => model.close());
    const masked: string[] = [];
    const env = {
      PATH: process.env.PATH,
      OPENAI_API_KEY: 'key-of-the-model',
      OPENAI_BASE_URL: model.url,
      OTHER_TOKEN: 'none-of-its-business',
    };
    const opened = await open({ modelId: 'large', baseEnv: env, mask: secret => masked.push(secret), ...more });
    return { ...opened, model, masked };
  }

  test('works in the workspace with real tools, and its answer is the result', async () => {
    const { work, workspace, model, masked } = await openAgent([
      { tools: [{ write: { path: 'hello.txt', content: 'hello' } }] },
      { tools: [{ shell: 'env > seen.txt; cat hello.txt' }] },
      { text: 'It says hello.' },
    ]);
    const run = await work({ prompt: 'Say hello', config: { base_prompt: 'Be short.' } });
    expect(run.state).toBe('SUCCEEDED');
    expect(run.result?.text).toBe('It says hello.');
    expect(run.agent_config?.model_id).toBe('large');
    expect(readFileSync(join(workspace, 'hello.txt'), 'utf8')).toBe('hello');
    const seen = readFileSync(join(workspace, 'seen.txt'), 'utf8');
    expect(seen).not.toMatch(/key-of-the-model|none-of-its-business/);
    expect(masked).toEqual(['key-of-the-model']);
    expect(model.problems).toEqual([]);
  });

  test.each([
    '--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a\n+b\n \n',
    '    code\n\tmore  \n\n',
    '\uFEFF\r\none\r\n\u2028\x1b[1mtwo ',
  ])("has the model's answer as its output and in its file, byte for byte: %j", async text => {
    const model = await startModelServer([{ text }], { apiKey: 'key-of-the-model' });
    onTestFinished(() => model.close());
    const host = createFakeHost(
      { prompt: 'Say it', model_id: 'large' },
      {
        PATH: process.env.PATH ?? '',
        RUNNER_TEMP: createTempFolder(),
        GITHUB_WORKSPACE: createTempFolder(),
        OPENAI_API_KEY: 'key-of-the-model',
        OPENAI_BASE_URL: model.url,
      },
    );
    await runAction(host);
    expect([host.outputs.conclusion, host.outputs.result]).toEqual(['succeeded', text]);
    expect(readFileSync(host.outputs.result_file ?? '').equals(Buffer.from(text))).toBe(true);
  });

  test('that only thinks has no result', async () => {
    const { work } = await openAgent([{ text: '<think>It is 42.</think>' }]);
    const run = await work({ prompt: 'x' });
    expect([run.state, run.status_message?.reason, run.result]).toEqual(['FAILED', 'no_result', undefined]);
  });

  test('that writes its tool call as text has no result, and says who failed to parse it', async () => {
    const { work } = await openAgent([
      { text: '<tool_call>{"name":"shell","arguments":{"command":"ls"}}</tool_call>' },
    ]);
    const run = await work({ prompt: 'x' });
    expect([run.state, run.status_message?.reason]).toEqual(['FAILED', 'no_result']);
    expect(run.status_message?.message).toContain("the model's server does not parse tool calls");
  });

  test('whose key is refused names the variable that holds it', async () => {
    const { work } = await openAgent([{ status: 401 }]);
    const run = await work({ prompt: 'x' });
    expect([run.state, run.status_message?.reason]).toEqual(['ERROR', 'authentication_required']);
    expect(run.status_message?.message).toMatch(/refused the key .*\. Check the key in OPENAI_API_KEY under `env:`/);
  });

  test("that exceeds its step's time says where the time went", async () => {
    const model = await startModelServer([{ tools: [{ shell: 'sleep 31' }] }]);
    onTestFinished(() => model.close());
    const host = createFakeHost(
      { prompt: 'Test it', model_id: 'large', timeout_minutes: '0.1' },
      {
        PATH: process.env.PATH ?? '',
        RUNNER_TEMP: createTempFolder(),
        GITHUB_WORKSPACE: createTempFolder(),
        OPENAI_API_KEY: 'x',
        OPENAI_BASE_URL: model.url,
      },
    );
    await runAction(host);
    expect(host.outputs.failure_reason).toMatch(
      /^The run timed out after 6 s, [\d.]+ of them in `sleep 31`\. Raise `timeout_minutes`, or give the agent a smaller task\. The run was canceled$/,
    );
  });

  test('of a missing program is refused before it starts', async () => {
    await expect(
      openAgent([], {
        harness: 'opencode',
        baseEnv: { PATH: '/nowhere', AGENT_RUN_AGENTS: '/nowhere', OPENAI_API_KEY: 'x' },
      }),
    ).rejects.toThrow(
      /opencode is not on the PATH of the step; set `harness_version: [\d.]+`, install it in an earlier step \(npm install --global opencode-ai@/,
    );
  });
});
