/** Both actions as they are bundled: what the first job leaves is what the second one takes. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openActionRunner } from '../support/action-step.ts';
import { git } from '../support/git-host.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { runApply } from './apply-step.ts';
import { findingOf, openReviewed, reviewOf, reviews } from './review-fixture.ts';
import { answer, openShop, propose } from './shop-fixture.ts';

/** A step whose agent is a shell script. */
async function runAgent(workspace: string, script: string, schema: string) {
  const runner = await openActionRunner({ workspace });
  const { outputs } = await runner.startStep({
    inputs: {
      prompt: 'Do it.',
      command: JSON.stringify(['sh', '-c', script]),
      output_schema: schema,
      github_token: 'none',
    },
  }).done;
  expect(outputs.failure_reason).toBe('');
  return outputs;
}

const say = (value: unknown) => `cat > "$AGENT_RUN_RESULT" <<'END'\n${JSON.stringify(value)}\nEND\n`;

test('a review by the schema `review` becomes a review', async () => {
  const { github, pull } = await openReviewed();
  const review = reviewOf([findingOf({ suggestion: 'return 0;', end_line: null, side: null })]);
  const { result_json: result = '' } = await runAgent(createTempFolder(), say(review), 'review');
  await runApply(github, { answer: result, inputs: reviews });
  expect(pull.threads).toHaveLength(1);
});

test('an answer that is no review by the schema fails the first job', async () => {
  const runner = await openActionRunner({ workspace: createTempFolder() });
  const script = say({ summary: 'x', verdict: 'fine', findings: [] });
  const { outputs } = await runner.startStep({
    inputs: {
      prompt: 'x',
      command: JSON.stringify(['sh', '-c', script]),
      output_schema: 'review',
      github_token: 'none',
    },
  }).done;
  expect(outputs).toMatchObject({ conclusion: 'failed', failure_reason: expect.stringContaining('verdict') });
});

test('the patch of a run becomes a pull request', async () => {
  const shop = await openShop();
  const workspace = join(createTempFolder(), 'demo');
  mkdirSync(workspace);
  git(workspace, 'clone', '--quiet', shop.fake.origin.folder, '.');
  writeFileSync(join(workspace, 'ignored.txt'), '');
  const script = `printf 'export const till = 2;\\n' > src/till.ts\nprintf '\\0\\1' > new.bin\n${say(answer)}`;
  const outputs = await runAgent(workspace, script, '{ "type": "object", "required": ["title", "body"] }');
  await propose(shop, outputs.patch_file ?? '', { answer: outputs.result_json ?? '' });
  expect(shop.fake.pulls).toMatchObject([{ title: answer.title }]);
  const listed = shop.fake.run(['diff', '--name-status', 'main', 'agent-run/review-build']);
  expect(listed.split('\n')).toEqual(['A\tnew.bin', 'M\tsrc/till.ts']);
});
