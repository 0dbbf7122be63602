import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runAction } from '../../../src/action/run-action.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeHost } from '../fake-host.ts';

type Words = Readonly<Record<string, string>>;

async function stepOf(inputs: Words, env: Words = {}) {
  const [workspace, tempDir] = [createTempFolder(), createTempFolder()];
  const variables = { GITHUB_REPOSITORY: 'octo-org/shop', GITHUB_WORKSPACE: workspace, RUNNER_TEMP: tempDir };
  const run = async () => {
    const host = createFakeHost(
      { prompt: 'x', command: 'cat', ...inputs },
      { PATH: process.env.PATH ?? '', ...variables, ...env },
    );
    await runAction(host);
    return host;
  };
  return { workspace, run };
}

async function reasonOf(inputs: Words): Promise<string> {
  const { run } = await stepOf(inputs);
  const { outputs } = await run();
  expect([outputs.conclusion, outputs.failure_phase]).toEqual(['start_failed', 'inputs']);
  return outputs.failure_reason ?? '';
}

test.skipIf(process.platform === 'win32').each([
  [
    { mcp_servers: '{"docs":{"url":"https://mcp.example.com"}}' },
    '`mcp_servers`: a `command` does not receive MCP servers',
  ],
  [{ environment_id: 'e-1' }, '`environment_id`: a step without a server has no environments'],
  [{ skill_spec: 'other/repo:x' }, 'only the skills of its own repository (octo-org/shop), not those of other/repo'],
  [{ skill_spec: 'octo-org/shop:none' }, 'Add a step with actions/checkout before this one'],
  [{ title: 'x'.repeat(300) }, 'title: '],
])('%j is refused in the words of a workflow', async (inputs, words) => {
  const reason = await reasonOf(inputs);
  expect(reason).toContain(words);
  expect(reason).not.toMatch(/this server|skills\.repositories|POST|\b4\d\d\b/);
});

test.skipIf(process.platform === 'win32')(
  'a skill that cannot be in a checkout is refused without blaming the checkout',
  async () => {
    const { workspace, run } = await stepOf({ skill_spec: 'octo-org/shop:none' });
    mkdirSync(join(workspace, '.git'));
    const { failure_reason } = (await run()).outputs;
    expect(failure_reason).toContain('octo-org/shop has no skill none');
    expect(failure_reason).not.toContain('actions/checkout');
  },
);

test('every input that needs a server is reported at once', async () => {
  const reason = await reasonOf({ wait: 'false', on_timeout: 'leave', environment_id: 'e-1', pass_env: 'NOT_THERE' });
  expect(reason.match(/(?<=: |\. )`\w+`/g)).toEqual(['`wait`', '`on_timeout`', '`environment_id`', '`pass_env`']);
});

test('a secret in `pass_env` is not repeated', async () => {
  const reason = await reasonOf({ pass_env: 'NOT_THERE ghp_abcdef0123456789' });
  expect(reason).toContain('the step has no variable NOT_THERE, whose name may be a secret (not shown). Set it');
  expect(reason).not.toContain('ghp_');
});

test.each([
  [{ api_key: 'key-of-a-server' }, /`api_key` is the key of an agent-run server\..*`command` is enough.*`base_url`/],
  [
    { api_key: 'key-of-a-server', command: '' },
    /Set `model_id`, and ANTHROPIC_API_KEY or .* under `env:` of the step; or set `command`\. .*`base_url` .*variable's name/,
  ],
  [
    { api_key: 'key-of-a-server', command: '', model_id: 'claude-haiku-4-5' },
    /If this is the key of the model's provider, remove `api_key` and set `ANTHROPIC_API_KEY: \$\{\{ secrets\.ANTHROPIC_API_KEY \}\}` under `env:` of the step\. /,
  ],
  [{ run_id: 'r-1', prompt: '' }, /^No run was started: `run_id` names a run on a server, but `base_url` is empty/],
  [{ command: '' }, /no agent is set\. .* If you set one of them from a variable, check its spelling/],
])('%j is refused for lack of a server address, by the name of the given input', async (inputs, words) => {
  expect(await reasonOf(inputs)).toMatch(words);
});

test.skipIf(process.platform === 'win32')('when the step ends its run, the reason names the step', async () => {
  const { run } = await stepOf({ command: 'sleep 30', timeout_minutes: '0.005' });
  const { outputs } = await run();
  expect(outputs.conclusion).toBe('timed_out');
  expect(outputs.status_message).toMatch(/^requested by the step: The run timed out after /);
});

test.skipIf(process.platform === 'win32')(
  'a program that fails for lack of an unpassed variable is reported with the variable',
  async () => {
    const env = { MODEL_KEY: 'of-the-model', MODEL_KEY_2: '', GITHUB_TOKEN: 'of-the-job', OTHER: 'x' };
    const command = `sh -c 'echo "$0" >&2; exit 1' 'GITHUB_TOKEN, MODEL_KEY_2 and MODEL_KEY are missing'`;
    const reasonWith = async (inputs: Words) => {
      const { outputs } = await (await stepOf({ command, ...inputs }, env)).run();
      return outputs.failure_reason ?? '';
    };
    const hint = '. MODEL_KEY is set in the step but not passed to the program: add it to `pass_env`';
    expect((await reasonWith({})).endsWith(hint)).toBe(true);
    expect(await reasonWith({ pass_env: 'MODEL_KEY' })).not.toContain('is set in the step');
    expect(await reasonWith({ command: command.replace('exit 1', 'sleep 30'), timeout_minutes: '0.02' })).not.toContain(
      'is set in the step',
    );
  },
);
