/** The verb `pull_request` of the bundled action, over a real repository. */
import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { git } from '../support/git-host.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { type ApplyJob, token } from './apply-step.ts';
import { mutationsOf } from './review-fixture.ts';
import { answer, openShop, patchOf, propose, till, write, writePatch } from './shop-fixture.ts';

test('changes become one commit on a branch, and a pull request with labels and reviewers', async () => {
  const shop = await openShop();
  const step = await propose(shop, patchOf(shop, till), {
    inputs: {
      pull_request_draft: 'true',
      pull_request_labels: 'agent, good first issue',
      pull_request_reviewers: '@mona octo-org/tills',
    },
  });
  expect(step.outputs).toMatchObject({
    conclusion: 'applied',
    pull_request_url: 'https://github.com/octo-org/demo/pull/100',
  });
  expect(shop.fake.pulls).toMatchObject([
    { title: answer.title, head: { ref: 'agent-run/review-build' }, base: { ref: 'main' }, draft: true },
  ]);
  expect(shop.fake.pulls[0]?.body).toContain('One till was **not enough**.');
  expect(shop.fake.pulls[0]?.reviewers).toEqual(['mona', '@tills']);
  expect(shop.github.labels).toEqual(['agent', 'good first issue']);
  const branch = 'agent-run/review-build';
  expect(shop.fake.origin.read(branch, 'src/till.ts')).toBe('export const till = 2;');
  expect(shop.fake.run(['log', '--format=%P', '-1', branch])).toBe(shop.seen);
  const commit = shop.github.requests.find(({ path }) => path.endsWith('/git/commits'));
  expect(Object.keys(commit?.body ?? {})).not.toContain('author');
});

test('binary files, renames, removals and new folders arrive as they are', async () => {
  const shop = await openShop();
  const bytes = Uint8Array.from({ length: 3000 }, (_, index) => (index * 7) % 256);
  const patch = patchOf(shop, folder => {
    write({ 'new folder/ü.bin': bytes, 'src/till.ts': 'ä\r\n' })(folder);
    git(folder, 'mv', 'src/old.ts', 'src/new.ts');
  });
  const step = await propose(shop, patch);
  expect(step.outputs.failure_reason).toBe('');
  const listed = shop.fake.run([
    '-c',
    'core.quotePath=false',
    'ls-tree',
    '-r',
    '--name-only',
    'agent-run/review-build',
  ]);
  expect(listed.split('\n')).toEqual(['.github/workflows/ci.yml', 'new folder/ü.bin', 'src/new.ts', 'src/till.ts']);
  const shown = execFileSync('git', ['show', 'agent-run/review-build:new folder/ü.bin'], {
    cwd: shop.fake.origin.folder,
  });
  expect(Buffer.from(bytes).equals(shown)).toBe(true);
});

test('a later run updates its own branch and pull request, and the same one again changes nothing', async () => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till));
  const later = patchOf(shop, write({ 'src/till.ts': 'export const till = 3;\n' }));
  const step = await propose(shop, later, { answer: { ...answer, title: 'Add a third till' } });
  expect(shop.fake.pulls).toMatchObject([{ title: 'Add a third till' }]);
  expect(shop.fake.origin.read('agent-run/review-build', 'src/till.ts')).toBe('export const till = 3;');
  expect(shop.fake.run(['rev-list', '--count', 'main..agent-run/review-build'])).toBe('1');
  expect(step.outputs.pull_request_url).toContain('/pull/100');
  const before = mutationsOf(shop.github).length;
  const again = await propose(shop, later, { answer: { ...answer, title: 'Add a third till' } });
  expect(again.outputs.conclusion).toBe('unchanged');
  expect(mutationsOf(shop.github)).toHaveLength(before);
});

test('a branch with a commit of somebody else is left alone', async () => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till));
  shop.fake.origin.commit({ 'src/hand.ts': 'by hand\n' }, 'agent-run/review-build');
  const step = await propose(shop, patchOf(shop, write({ 'src/till.ts': '3\n' })));
  expect(step.outputs.failure_reason).toContain('ends with a commit that this job did not make');
  expect(shop.fake.origin.read('agent-run/review-build', 'src/hand.ts')).toBe('by hand');
});

test('the text of a pull request that a person opened for the branch is left alone', async () => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till));
  const [pull] = shop.fake.pulls;
  if (pull === undefined) throw new Error('no pull request');
  shop.fake.pulls.splice(0, 1, { ...pull, user: { login: 'mona' }, title: 'By hand', body: 'Mine.' });
  const step = await propose(shop, patchOf(shop, write({ 'src/till.ts': '3\n' })));
  expect(shop.fake.pulls).toMatchObject([{ title: 'By hand', body: 'Mine.' }]);
  expect(shop.fake.origin.read('agent-run/review-build', 'src/till.ts')).toBe('3');
  expect(step.summary).toContain('Somebody else opened the pull request');
});

test('a base that moved keeps the commit on what the agent saw, and a commit outside the base is refused', async () => {
  const shop = await openShop();
  const patch = patchOf(shop, till);
  const foreign = shop.fake.origin.commit({ 'src/a.ts': 'a\n' }, 'feature');
  shop.fake.origin.commit({ 'src/till.ts': 'export const till = 9;\n' });
  await propose(shop, patch);
  expect(shop.fake.run(['log', '--format=%P', '-1', 'agent-run/review-build'])).toBe(shop.seen);
  const step = await propose(shop, patch, { inputs: { commit: foreign, pull_request_branch: 'x' } });
  expect(step.outputs.failure_reason).toContain('is not in the branch main');
  expect(shop.fake.origin.branches()).not.toContain('x');
});

test.each<[string, (folder: string) => void, string, string]>([
  ['a workflow', write({ '.github/workflows/ci.yml': 'on: issues\n' }), '.github/workflows/ci.yml', 'protected'],
  ['a workflow in other letters', write({ '.GitHub/x.yml': 'x\n' }), '.GitHub/x.yml', 'protected'],
  ['CODEOWNERS', write({ 'docs/CODEOWNERS': '* @mona\n' }), 'docs/CODEOWNERS', 'protected'],
  ['a lock file', write({ 'app/package-lock.json': '{}\n' }), 'app/package-lock.json', 'protected'],
  ['a link', folder => symlinkSync('/etc/passwd', join(folder, 'link')), 'link', 'a link'],
  ['an executable file', folder => chmodSync(join(folder, 'src/till.ts'), 0o755), 'src/till.ts', 'becomes executable'],
  [
    'a workflow that is renamed',
    folder => void git(folder, 'mv', '.github/workflows/ci.yml', 'ci.yml'),
    '.github/workflows/ci.yml',
    'protected',
  ],
])('%s is refused, unless the workflow lists it', async (_, act, path, why) => {
  const shop = await openShop();
  const patch = patchOf(shop, act);
  const step = await propose(shop, patch);
  expect(step.outputs.failure_reason).toContain(`"${path}" (${why})`);
  expect(mutationsOf(shop.github)).toEqual([]);
  const allowed = await propose(shop, patch, { inputs: { changes_allow_paths: path } });
  expect(allowed.outputs.conclusion).toBe('applied');
});

test('a submodule is refused', async () => {
  const shop = await openShop();
  const head = `${'0'.repeat(40)}..${shop.seen}`;
  const patch = `diff --git a/lib b/lib\nnew file mode 160000\nindex ${head}\n--- /dev/null\n+++ b/lib\n@@ -0,0 +1 @@\n+Subproject commit ${shop.seen}\n`;
  const step = await propose(shop, writePatch(patch));
  expect(step.outputs.failure_reason).toContain('"lib" (a submodule)');
});

test.each(['../outside', '/etc/cron.d/x', '.git/hooks/post-checkout', 'a/.GIT/config'])(
  'a patch for %s does not apply',
  async path => {
    const shop = await openShop();
    const patch = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
    const step = await propose(shop, writePatch(patch));
    expect(step.outputs.conclusion).toBe('failed');
    expect(step.outputs.failure_reason).toMatch(/the patch does not apply to .*invalid path/);
    expect(mutationsOf(shop.github)).toEqual([]);
  },
);

test('numbers and sizes of files are limited', async () => {
  const shop = await openShop();
  const patch = patchOf(shop, write({ 'a.txt': 'x'.repeat(2000), 'b.txt': 'y' }));
  const step = await propose(shop, patch, { inputs: { changes_max_files: '1', changes_max_bytes: '1000' } });
  expect(step.outputs.failure_reason).toContain('2 files changed, and `changes_max_files` is 1');
  expect(step.outputs.failure_reason).toContain('the files have 2001 bytes, and `changes_max_bytes` is 1000');
});

test('a key in an added line stops everything, and one that was there before does not', async () => {
  const shop = await openShop();
  const key = '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';
  const seen = shop.fake.origin.commit({ 'keys.txt': `${key}\n` });
  const later = { ...shop, seen };
  await propose(later, patchOf(later, write({ 'keys.txt': `${key}\nmore\n` })));
  expect(shop.fake.pulls).toHaveLength(1);
  const step = await propose(later, patchOf(later, write({ 'src/till.ts': `const key = '${key}';\n` })));
  expect(step.outputs.failure_reason).toContain('changes (GITHUB_TOKEN)');
  expect(step.summary).not.toContain('ghp_');
});

test('title and body close no issue, mention nobody and skip no workflow', async () => {
  const shop = await openShop();
  await propose(shop, patchOf(shop, till), {
    answer: {
      title:
        'Fixes #1, octo-org/demo#1 and https://github.com/octo-org/demo/issues/1 for @mona ＠octo-cat [skip ci]\nSecond line',
      body: 'Fixes #1, cc @octo-org/admins',
    },
  });
  const message = shop.fake.run(['log', '--format=%B', '-1', 'agent-run/review-build']);
  for (const text of [message, shop.fake.pulls[0]?.title ?? '', shop.fake.pulls[0]?.body ?? ''])
    expect(text).not.toMatch(/#1|:\/\/github\.com\/octo-org\/demo\/issues|[@＠](mona|octo)|\[skip/);
  expect(message.split('\n')[0]).toMatch(/Second line$/);
});

test('a dry run shows title, body and files, and writes nothing', async () => {
  const shop = await openShop({ contents: 'read', pull_requests: 'read' });
  const step = await propose(shop, patchOf(shop, till), { inputs: { dry_run: 'true' } });
  expect(step.outputs.conclusion).toBe('dry_run');
  for (const text of ['a new pull request', 'Add a second till', 'src/till.ts', 'not enough'])
    expect(step.summary).toContain(text);
  expect(mutationsOf(shop.github)).toEqual([]);
  expect(shop.fake.origin.branches()).toEqual(['main']);
});

test('a pull request whose answer got lost is not opened twice', async () => {
  const shop = await openShop();
  shop.github.faults.push({ on: 'POST /repos/octo-org/demo/pulls', how: 'lost' });
  const step = await propose(shop, patchOf(shop, till));
  expect(step.outputs.pull_request_url).toContain('/pull/100');
  expect(shop.fake.pulls).toHaveLength(1);
});

test.each<[string, ApplyJob, string]>([
  ['an answer without a body', { answer: { title: 'x' } }, '`body` in the answer must be a string'],
  ['an empty title', { answer: { title: '<!-- -->', body: '' } }, '`title` in the answer is empty'],
  ['no patch', { inputs: { patch_file: '' } }, '`patch_file` is empty'],
  ['a file that is not there', { inputs: { patch_file: 'no.patch' } }, '"no.patch" cannot be read'],
  ['a branch with a strange name', { inputs: { pull_request_branch: 'a..b' } }, '"a..b" is not the name of a branch'],
  [
    'a base that is not there',
    { inputs: { pull_request_base: 'mian' } },
    'the base branch mian does not exist. Set `pull_request_base`',
  ],
  ['the ref of a pull request', { inputs: { pull_request_base: 'refs/pull/12/merge' } }, 'is not the name of a branch'],
  ['a branch that is the base', { inputs: { pull_request_branch: 'main' } }, 'are both main'],
])('%s is refused', async (_, job, why) => {
  const shop = await openShop();
  const step = await propose(shop, patchOf(shop, till), job);
  expect(step.outputs.failure_reason).toContain(why);
  expect(mutationsOf(shop.github)).toEqual([]);
});

test.each(['', 'Done.\n'])('the patch %j is told from one for another commit', async text => {
  const shop = await openShop();
  const step = await propose(shop, writePatch(text));
  expect(step.outputs.failure_reason).toContain('`patch_file` is empty or not a patch');
});

test('a token without the permission is told which one is missing', async () => {
  const shop = await openShop({ contents: 'read', pull_requests: 'write' });
  const step = await propose(shop, patchOf(shop, till));
  expect(step.outputs.failure_reason).toContain('This requires `contents: write`');
});

test('the token is in no request but its header, and nothing of the repository remains', async () => {
  const shop = await openShop();
  const temp = createTempFolder();
  await propose(shop, patchOf(shop, till), { env: { TMPDIR: temp, RUNNER_TEMP: temp } });
  expect(readdirSync(temp)).toEqual([]);
  expect(shop.github.requests.filter(({ body }) => JSON.stringify(body).includes(token))).toEqual([]);
});

test('a branch can have every name that git takes, and be given as a ref', async () => {
  const shop = await openShop();
  const inputs = { pull_request_branch: 'fix/#7@clock', pull_request_base: 'refs/heads/main' };
  await propose(shop, patchOf(shop, till), { inputs });
  const again = await propose(shop, patchOf(shop, till), { inputs });
  expect(again.outputs.conclusion).toBe('unchanged');
  expect(shop.fake.pulls).toMatchObject([{ head: { ref: 'fix/#7@clock' }, base: { ref: 'main' } }]);
});
