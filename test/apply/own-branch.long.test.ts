/** The branch of the verb `pull_request`: whose it is, where it goes, and what is told if only a part could be done. */
import { expect, test } from 'vitest';
import { mutationsOf } from './review-fixture.ts';
import { answer, openShop, patchOf, propose, type Shop, till, write } from './shop-fixture.ts';

const branch = 'agent-run/review-build';
const third = write({ 'src/till.ts': 'export const till = 3;\n' });

/** Replaces the commit of the branch, as `git commit --amend` does. */
function amend({ fake }: Shop, { files = {}, message }: { files?: Record<string, string>; message?: string }): string {
  const format = (name: string) => fake.run(['log', `--format=${name}`, '-1', branch]);
  fake.run(['read-tree', branch]);
  for (const [path, text] of Object.entries(files)) {
    const blob = fake.run(['hash-object', '-w', '--stdin'], text);
    fake.run(['update-index', '--add', '--cacheinfo', `100644,${blob},${path}`]);
  }
  const tree = fake.run(['write-tree']);
  const commit = fake.run(['commit-tree', tree, '-p', format('%P')], message ?? format('%B'));
  fake.run(['update-ref', `refs/heads/${branch}`, commit]);
  return commit;
}

test.each([
  ['with other files', { files: { 'src/hand.ts': 'by hand\n' } }],
  ['with another title', { message: 'By hand\n\nAgent-Run-Key: review-build 0123456789abcdef\n' }],
])('a commit of this job that a person amended %s is left alone', async (_, how) => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till));
  const amended = amend(shop, how);
  const before = mutationsOf(shop.github).length;
  const step = await propose(shop, patchOf(shop, third));
  expect(step.outputs.failure_reason).toContain('or that was amended');
  expect(shop.fake.run(['rev-parse', branch])).toBe(amended);
  expect(mutationsOf(shop.github)).toHaveLength(before);
});

test('a merge with the message and files of this job is left alone', async () => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till));
  const other = shop.fake.run(['commit-tree', 'main^{tree}', '-p', 'main', '-m', 'by hand']);
  const message = shop.fake.run(['log', '--format=%B', '-1', branch]);
  const parents = ['-p', `${branch}^1`, '-p', other];
  const merge = shop.fake.run(['commit-tree', `${branch}^{tree}`, ...parents], message);
  shop.fake.run(['update-ref', `refs/heads/${branch}`, merge]);
  const step = await propose(shop, patchOf(shop, third));
  expect(step.outputs.failure_reason).toContain('that this job did not make');
  expect(shop.fake.run(['rev-parse', branch])).toBe(merge);
});

test('a commit that is amended while the job makes its own is left alone', async () => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till));
  let amended: string | undefined;
  const { answer: reply } = shop.fake;
  Object.assign(shop.fake, {
    answer: (request: Parameters<typeof reply>[0]) => {
      const given = reply(request);
      if (request.path.endsWith('/git/commits')) amended = amend(shop, { files: { 'src/hand.ts': 'by hand\n' } });
      return given;
    },
  });
  const step = await propose(shop, patchOf(shop, third));
  expect(step.outputs.failure_reason).toContain('or that was amended');
  expect(shop.fake.run(['rev-parse', branch])).toBe(amended);
});

test.each([
  ['POST /repos/octo-org/demo/pulls', 'Forbidden', ['1 commit'], ''],
  [
    'POST /repos/octo-org/demo/issues/100/labels',
    'Forbidden',
    ['1 commit', 'a new pull request'],
    'https://github.com/octo-org/demo/pull/100',
  ],
])('a step that fails at %s says what exists', async (on, message, deeds, link) => {
  const shop = await openShop();
  shop.github.faults.push({ on, status: 403, body: { message } });
  const step = await propose(shop, patchOf(shop, till), { inputs: { pull_request_labels: 'agent' } });
  expect(step.outputs.conclusion).toBe('failed');
  expect(step.outputs.failure_reason).toContain(message);
  expect(step.outputs.pull_request_url).toBe(link);
  for (const deed of deeds) expect(step.summary).toContain(deed);
  expect(step.annotations.map(each => each.message).join()).toContain('Not everything was applied');
});

test('on an event of a pull request, the new one is for its branch', async () => {
  const shop = await openShop();
  const seen = shop.fake.origin.commit({ 'src/clock.ts': 'export const clock = 1;\n' }, 'mend-clock');
  const step = await propose({ ...shop, seen }, patchOf({ ...shop, seen }, till), {
    event: 'pull_request',
    inputs: { commit: seen },
    context: { ref: 'refs/pull/12/merge' },
  });
  expect(step.outputs.conclusion).toBe('applied');
  expect(shop.fake.pulls).toMatchObject([{ head: { ref: `${branch}-12` }, base: { ref: 'mend-clock' } }]);
});

test('the branch of a fork is refused before anything is written, unless the workflow names a base', async () => {
  const shop = await openShop();
  const job = { event: 'pull_request-fork', inputs: { commit: shop.seen }, context: { ref: 'refs/pull/12/merge' } };
  const step = await propose(shop, patchOf(shop, till), job);
  expect(step.outputs.failure_reason).toContain('the branch of the event is in a fork');
  expect(mutationsOf(shop.github)).toEqual([]);
  const named = await propose(shop, patchOf(shop, till), {
    ...job,
    inputs: { ...job.inputs, pull_request_base: 'main' },
  });
  expect(named.outputs.conclusion).toBe('applied');
});

test('a branch that the job made is its own in every form of the answer', async () => {
  const shop = await openShop();
  const titles = ['[a] #1 @mona', 'ä '.repeat(300), 'x\u2028y\tz'];
  for (const title of titles) {
    const step = await propose(shop, patchOf(shop, till), { answer: { ...answer, title } });
    expect(step.outputs.failure_reason).toBe('');
  }
});

test('the setting that keeps GitHub Actions from opening pull requests is named', async () => {
  const shop = await openShop();
  const message = 'GitHub Actions is not permitted to create or approve pull requests.';
  shop.github.faults.push({ on: 'POST /repos/octo-org/demo/pulls', status: 403, body: { message } });
  const step = await propose(shop, patchOf(shop, till));
  expect(step.outputs.failure_reason).toContain('pull requests. Allow it under Settings > Actions > General');
});

test('labels and reviewers that were refused are added by the next run, and those that a person removes are not', async () => {
  const shop = await openShop();
  const on = 'POST /repos/octo-org/demo/issues/100/labels';
  shop.github.faults.push({ on, status: 403, body: { message: 'Forbidden' } });
  const inputs = { pull_request_labels: 'agent, bug', pull_request_reviewers: 'mona' };
  const run = () => propose(shop, patchOf(shop, till), { inputs });
  expect((await run()).outputs.conclusion).toBe('failed');
  const step = await run();
  expect(step.summary).toContain('labels or reviewers that it lacked');
  expect([shop.github.labels, shop.fake.pulls[0]?.reviewers]).toEqual([['agent', 'bug'], ['mona']]);
  shop.github.labels.pop();
  expect((await run()).outputs.conclusion).toBe('unchanged');
  // Reviewed, so no longer requested.
  shop.fake.pulls[0]?.reviewers.pop();
  shop.fake.pulls[0]?.reviews?.push('mona');
  expect((await run()).outputs.conclusion).toBe('unchanged');
});

test('the pull request for an issue closes it when it is merged', async () => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till), { event: 'issues' });
  expect(shop.fake.pulls[0]?.body).toMatch(/\n\nCloses #7 · \[Log\]/);
  await propose(shop, patchOf(shop, till), { event: 'issues', inputs: { number: '8' } });
  expect(shop.fake.pulls[1]?.body).not.toContain('Closes');
});
