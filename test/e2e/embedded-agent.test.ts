/** The committed action with an agent in the step: the built-in loop with real tools, and answers of the model from a script. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type ModelScript, startModelServer } from '../../src/testing/index.ts';
import { openActionRunner, textOf, waitForLine } from '../support/action-step.ts';
import { findSleeps } from '../support/processes.ts';

const key = 'key-of-the-model-4711';

async function openStep(script: ModelScript) {
  const model = await startModelServer(script, { apiKey: key });
  onTestFinished(() => model.close());
  const runner = await openActionRunner({ secrets: [key] });
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=octo', '-c', 'user.email=octo@example.com', ...args], {
      cwd: runner.workspace,
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('commit', '--quiet', '--allow-empty', '--message=first');
  const start = (inputs: Readonly<Record<string, string>> = {}) =>
    runner.startStep({
      inputs: { prompt: 'Say hello', model_id: 'large', ...inputs },
      env: { OPENAI_API_KEY: key, OPENAI_BASE_URL: model.url },
    });
  return { model, runner, start };
}

test.skipIf(process.platform === 'win32')(
  'its tools work in the workspace; log, summary, outputs and the patch tell what it did',
  async () => {
    const { model, runner, start } = await openStep([
      { text: 'I write it down.', tools: [{ write: { path: 'hello.txt', content: 'hello\n' } }] },
      { tools: [{ shell: `cat hello.txt; echo ${key}` }] },
      { text: '{"said": "hello"}', usage: { input: 30, output: 5 } },
    ]);
    const schema = '{ "type": "object", "properties": { "said": { "type": "string" } }, "required": ["said"] }';
    const main = await start({ output_schema: schema }).done;
    expect([main.outcome, main.outputs.conclusion]).toEqual(['success', 'succeeded']);
    expect(JSON.parse(main.outputs.result_json ?? '')).toEqual({ said: 'hello' });
    expect(textOf(main)).toContain('│ I write it down.');
    expect(readFileSync(join(runner.workspace, 'hello.txt'), 'utf8')).toBe('hello\n');
    const patch = readFileSync(main.outputs.patch_file ?? '', 'utf8');
    expect(patch).toContain('+++ b/hello.txt');
    expect(JSON.parse(main.outputs.artifacts ?? '')).toMatchObject([{ data: { filename: 'changes.patch' } }]);
    expect(JSON.parse(main.outputs.usage ?? '')).toMatchObject({ requests: 3 });
    expect(main.summary).toContain('| hello.txt | +1 |');
    expect(JSON.stringify([main.log, main.summary, main.outputs])).not.toContain(key);
    expect(model.problems).toEqual([]);
  },
);

test.skipIf(process.platform === 'win32')(
  'a model that fails for good turns the step red with a sentence that says what to do',
  async () => {
    const { start } = await openStep(() => ({ status: 404, error: 'no such model' }));
    const main = await start().done;
    expect([main.outcome, main.outputs.conclusion, main.outputs.error_code]).toEqual([
      'failure',
      'failed',
      'resource_not_found',
    ]);
    expect(main.outputs.failure_reason).toMatch(/does not know the model large.*Choose another one with `model_id`/);
  },
);

test.skipIf(process.platform !== 'linux')('a canceled step leaves nothing of the shell of its agent', async () => {
  const { start, runner } = await openStep([{ tools: [{ shell: 'touch started; setsid sleep 7311 & sleep 7311' }] }]);
  const step = start();
  await waitForLine(step, 'sleep 7311');
  await expect.poll(() => existsSync(join(runner.workspace, 'started'))).toBe(true);
  await expect.poll(() => findSleeps('7311')).not.toEqual([]);
  await step.cancel();
  const main = await step.done;
  expect(main.outputs.conclusion).toBe('cancelled');
  expect(findSleeps('7311')).toEqual([]);
});
