/** The verb `push` of the bundled action, over a real repository. */
import { expect, test } from 'vitest';
import { mutationsOf } from './review-fixture.ts';
import { openShop, patchOf, propose, type Shop, till, write } from './shop-fixture.ts';

/** A shop with the pull request 12 of the branch `feature`. The agent saw its head. */
async function openFeature(
  repo?: { readonly full_name: string } | null,
  granted = {},
  branch = 'feature',
): Promise<Shop> {
  const shop = await openShop({ contents: 'write', pull_requests: 'read', ...granted });
  const seen = shop.fake.origin.commit({ 'src/feature.ts': 'export const feature = 1;\n' }, branch);
  shop.fake.pulls.push({
    ...{ number: 12, state: 'open', title: 'Feature', body: '', draft: false, reviewers: [], base: { ref: 'main' } },
    user: { login: 'mona' },
    head: { ref: branch, ...(repo !== undefined && { repo }) },
    html_url: 'https://github.com/octo-org/demo/pull/12',
  });
  return { ...shop, seen };
}

const push = (shop: Shop, patch: string, inputs: Readonly<Record<string, string>> = {}) =>
  propose(shop, patch, {
    verb: 'push',
    answer: { title: 'Fix the feature' },
    inputs: { number: '12', commit: shop.seen, ...inputs },
  });

test('changes become a commit on the branch of the pull request', async () => {
  const shop = await openFeature();
  const step = await push(shop, patchOf(shop, till));
  expect(step.outputs).toMatchObject({
    conclusion: 'applied',
    commit_url: expect.stringMatching(/\/pull\/12\/commits\/[0-9a-f]{40}$/),
  });
  expect(shop.fake.run(['log', '--format=%P %s', '-1', 'feature'])).toBe(`${shop.seen} Fix the feature`);
  expect(shop.fake.origin.read('feature', 'src/till.ts')).toBe('export const till = 2;');
});

test('the body that a pull request would have is left out without a word', async () => {
  const shop = await openFeature();
  const step = await propose(shop, patchOf(shop, till), {
    ...{ verb: 'push', answer: { title: 'Fix the feature', body: 'It works.' } },
    inputs: { number: '12', commit: shop.seen },
  });
  expect([step.outputs.conclusion, step.annotations]).toEqual(['applied', []]);
});

test('a branch that moved since the agent saw it is left alone', async () => {
  const shop = await openFeature();
  const patch = patchOf(shop, till);
  const moved = shop.fake.origin.commit({ 'src/feature.ts': '2\n' }, 'feature');
  const step = await push(shop, patch);
  expect([step.outcome, step.outputs.conclusion]).toEqual(['success', 'outdated']);
  expect(shop.fake.run(['rev-parse', 'feature'])).toBe(moved);
});

test('a push that somebody else makes at the same time is not overwritten', async () => {
  const shop = await openFeature();
  const patch = patchOf(shop, till);
  shop.github.faults.push({
    on: 'PATCH /repos/octo-org/demo/git/refs',
    status: 422,
    body: { message: 'Update is not a fast forward' },
  });
  const step = await push(shop, patch);
  expect(step.outputs.failure_reason).toContain('Update is not a fast forward');
  const [update] = shop.github.requests.filter(({ method }) => method === 'PATCH');
  expect(update?.body).toMatchObject({ force: false });
});

test.each([
  ['a fork', { full_name: 'mona/demo' }, 'the branch of #12 is in another repository'],
  ['a deleted fork', null, 'the branch of #12 is in another repository'],
])('the branch of %s is not written', async (_, repo, why) => {
  const shop = await openFeature(repo);
  const step = await push(shop, patchOf(shop, till));
  expect(step.outputs.failure_reason).toContain(why);
  expect(mutationsOf(shop.github)).toEqual([]);
});

test('protected paths are refused here as well', async () => {
  const shop = await openFeature();
  const step = await push(shop, patchOf(shop, write({ '.github/CODEOWNERS': '* @mona\n' })));
  expect(step.outputs.failure_reason).toContain('".github/CODEOWNERS" (protected)');
  expect(mutationsOf(shop.github)).toEqual([]);
});

test('the name of the branch is text in the summary', async () => {
  const shop = await openFeature(undefined, {}, 'x`<img/src=1>@mona');
  const step = await push(shop, patchOf(shop, till));
  expect(step.outputs.conclusion).toBe('applied');
  expect(step.summary).toContain('1 commit on the branch x');
  expect(step.summary).not.toMatch(/<img|[^\\]`|@mona/);
});

test('a dry run pushes nothing', async () => {
  const shop = await openFeature(undefined, { contents: 'read' });
  const step = await push(shop, patchOf(shop, till), { dry_run: 'true' });
  expect(step.outputs.conclusion).toBe('dry_run');
  expect(step.summary).toContain('1 commit on the branch feature');
  expect(shop.fake.run(['rev-parse', 'feature'])).toBe(shop.seen);
});

test('changes go to one place, and need one', async () => {
  const shop = await openFeature();
  const patch = patchOf(shop, till);
  const both = await push(shop, patch, { pull_request: 'true' });
  expect(both.outputs.failure_reason).toContain('`pull_request` and `push` are both on');
  const none = await push(shop, patch, { push: 'false', comment: 'true' });
  expect(none.outputs.failure_reason).toContain('`patch_file` has no effect');
});
