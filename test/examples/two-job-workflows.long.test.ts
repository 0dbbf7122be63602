/** Workflows whose second job applies what the agent of the first one proposed, with both actions as they are bundled. */
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../src/base/json.ts';
import { type ModelScript, startModelServer } from '../../src/testing/index.ts';
import { headSha, token } from '../apply/apply-step.ts';
import { findingOf, patch, reviewOf } from '../apply/review-fixture.ts';
import { openShop, type Shop } from '../apply/shop-fixture.ts';
import { pathOfEvent } from '../support/event.ts';
import { openFakeGitHub } from '../support/fake-github.ts';
import { createFakePull } from '../support/github/fake-pull.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { defaultsOf, readWorkflow } from './workflow-files.ts';
import { runWorkflow } from './workflow-runner.ts';

interface Flow {
  readonly file: string;
  readonly event: string;
  /** What GitHub's context has besides. */
  readonly context?: Readonly<Record<string, string>>;
  /** Replaced in the event, such as a commit by one that exists. */
  readonly swap?: readonly (readonly [from: string, to: string])[];
  readonly inputs?: Readonly<Record<string, string>>;
}

async function runFlow({ github, fake, seen }: Shop, flow: Flow, script: ModelScript) {
  const model = await startModelServer(script, { apiKey: 'key-of-the-model' });
  onTestFinished(() => model.close());
  github.permissions.set('mona', { permission: 'write', id: 583231 });
  const { swap = [] } = flow;
  const recorded = readFileSync(pathOfEvent(flow.event), 'utf8');
  const event = JSON.parse(swap.reduce((text, [from, to]) => text.replaceAll(from, to), recorded)) as JsonObject;
  const workflow = readWorkflow(flow.file);
  const defaults = defaultsOf(workflow);
  const result = await runWorkflow(workflow, {
    origin: fake.origin.folder,
    event,
    env: { ANTHROPIC_BASE_URL: model.url },
    gh: `'run view'*) echo 'one is not two' ;;`,
    github: {
      ...{ actor: 'mona', repository: 'octo-org/demo', workflow: 'example', run_attempt: '1', sha: seen, token },
      ...{ api_url: github.apiUrl, server_url: fake.serverUrl, ref: 'refs/heads/main' },
      event_name: flow.event.split('-')[0] ?? '',
      ...flow.context,
    },
    contexts: {
      inputs: { ...defaults.inputs, model_id: 'claude-haiku-4-5', ...flow.inputs },
      secrets: {
        ...defaults.secrets,
        anthropic_api_key: 'key-of-the-model',
        ANTHROPIC_API_KEY: 'key-of-the-model',
      },
    },
  });
  const ends = result.agents.map(({ outputs }) => outputs.conclusion);
  return { ...result, ends, task: model.requests[0]?.messages.at(-1)?.text ?? '', problems: model.problems };
}

async function openReviewedShop() {
  const { fake, seen } = await openShop();
  const pull = createFakePull({
    number: 12,
    head: seen,
    files: [{ filename: 'src/till.ts', status: 'modified', patch }],
  });
  return { fake, seen, pull, github: await openFakeGitHub({ granted: { pull_requests: 'write' }, pull }) };
}

const reviewing = { event: 'pull_request', context: { ref: 'refs/pull/12/merge' } } as const;

test.each(['.github/workflows/review-pull-request.yml', 'docs/apply.md'])(
  'the review of %s comments on lines of the diff',
  async file => {
    const shop = await openReviewedShop();
    const flow = { ...reviewing, file, swap: [[headSha, shop.seen]] } as const;
    const run = await runFlow(shop, flow, [{ text: JSON.stringify(reviewOf([findingOf()])) }]);
    expect([run.ends, run.problems]).toEqual([['succeeded', 'applied'], []]);
    expect(shop.pull.reviews.map(({ state }) => state)).toEqual(['COMMENTED']);
    expect(shop.pull.threads.map(({ path, line }) => [path, line])).toEqual([['src/till.ts', 11]]);
  },
);

test('a review that the caller takes for a rejection is posted as well', async () => {
  const shop = await openReviewedShop();
  const answer = JSON.stringify(reviewOf([findingOf()], { verdict: 'request_changes' }));
  const file = '.github/workflows/review-pull-request.yml';
  const inputs = { fail_when: 'verdict == request_changes' };
  const run = await runFlow(shop, { ...reviewing, file, inputs, swap: [[headSha, shop.seen]] }, [{ text: answer }]);
  expect(run.ends).toEqual(['rejected', 'applied']);
  expect(shop.pull.reviews.map(({ state }) => state)).toEqual(['CHANGES_REQUESTED']);
});

const proposal = { title: 'Start the second till', body: 'It was never started.' };
const fix: ModelScript = [
  { tools: [{ shell: `printf 'fixed\\n' > src/till.ts; printf 'new\\0' > new.bin` }] },
  { text: JSON.stringify(proposal) },
];

test('the fix of fix-issue.yml becomes a pull request, and a stranger’s issue is data of the task', async () => {
  const shop = await openShop();
  const run = await runFlow(shop, { file: '.github/workflows/fix-issue.yml', event: 'issues-labeled' }, fix);
  expect([run.ends, run.problems]).toEqual([['succeeded', 'applied'], []]);
  expect(run.task.trimEnd().split('\n').at(-1)).toBe(
    '{"number":7,"title":"The clock stops","body":"It stops after a minute."}',
  );
  expect(shop.fake.pulls).toMatchObject([{ title: proposal.title, base: { ref: 'main' } }]);
  expect(shop.fake.pulls[0]?.body).toContain('Closes #7');
  const { ref = '' } = shop.fake.pulls[0]?.head ?? {};
  expect(shop.fake.run(['diff', '--name-status', 'main', ref]).split('\n')).toEqual(['A\tnew.bin', 'M\tsrc/till.ts']);
});

test.each([
  ['dirty', 'x', 'changes.patch', true, ''],
  ['clean', '', '', true, '::warning::The agent changed no file'],
  ['dirty', 'x', '', false, '::error::The changes could not be written'],
])('fix-issue in a %s checkout (%j) with the patch %j says how it ended', (_, change, PATCH, isGreen, said) => {
  const folder = createTempFolder();
  execFileSync('git', ['init', '--quiet'], { cwd: folder });
  if (change !== '') writeFileSync(join(folder, 'new.txt'), change);
  const step = readWorkflow('.github/workflows/fix-issue.yml').jobs.agent?.steps.find(({ env }) => env?.PATCH);
  const { status, stdout } = spawnSync('bash', ['-e', '-c', step?.run ?? ''], {
    cwd: folder,
    env: { PATH: process.env.PATH, PATCH },
    encoding: 'utf8',
  });
  expect(status === 0).toBe(isGreen);
  expect(stdout).toMatch(said === '' ? /^$/ : new RegExp(`^${said}`));
});

const failing = {
  file: 'examples/workflows/fix-failing-checks.yml',
  event: 'workflow-workflow-run',
  context: { event_name: 'workflow_run', actor: 'octocat' },
} as const;
const swapFor = (seen: string) =>
  [
    ['ffac537e6cbbf934b08745a378932722df287a53', seen],
    ['octo-org/shop', 'octo-org/demo'],
  ] as const;

test('fix-failing-checks opens a pull request for the branch that failed, without the log', async () => {
  const shop = await openShop();
  shop.fake.origin.commit({ 'src/till.ts': 'later\n' }, 'main');
  shop.fake.run(['branch', 'count', shop.seen]);
  const run = await runFlow(shop, { ...failing, swap: swapFor(shop.seen) }, fix);
  expect([run.ends, run.problems]).toEqual([['succeeded', 'applied'], []]);
  expect(run.ghCalls).toEqual(['run view 30433642 --log-failed']);
  expect(shop.fake.pulls).toMatchObject([{ head: { ref: 'agent-run/count' }, base: { ref: 'count' } }]);
  const changed = shop.fake.run(['diff', '--name-status', 'count', 'agent-run/count']);
  expect(changed.split('\n')).toEqual(['A\tnew.bin', 'M\tsrc/till.ts']);
});

test('fix-failing-checks proposes no change of a workflow', async () => {
  const shop = await openShop();
  shop.fake.run(['branch', 'count', shop.seen]);
  const run = await runFlow(shop, { ...failing, swap: swapFor(shop.seen) }, [
    { tools: [{ shell: `printf 'on: pull_request_target\\n' > .github/workflows/ci.yml` }] },
    { text: JSON.stringify(proposal) },
  ]);
  expect(run.ends).toEqual(['succeeded', 'failed']);
  expect(run.agents[1]?.outputs.failure_reason).toContain('.github/workflows/ci.yml');
  expect([shop.fake.pulls, shop.fake.origin.branches()]).toEqual([[], ['count', 'main']]);
});
