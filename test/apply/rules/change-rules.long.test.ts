/** Rules for changes, each with a patch that would pass without it. */
import { expect, test } from 'vitest';
import type { ChangeInputs } from '../../../src/apply/apply-inputs.ts';
import { findProtected } from '../../../src/apply/changes/protected-paths.ts';
import { mutationsOf } from '../review-fixture.ts';
import { openShop, patchOf, propose, write, writePatch } from '../shop-fixture.ts';

test.each(['.g\u200cit/config', 'git~1/config'])('a patch for %j does not apply', async path => {
  const shop = await openShop();
  const patch = `diff --git a/${path} b/${path}\nnew file mode 100644\n--- /dev/null\n+++ b/${path}\n@@ -0,0 +1 @@\n+x\n`;
  const step = await propose(shop, writePatch(patch));
  expect(step.outputs.failure_reason).toMatch(/the patch does not apply to .*invalid path/);
});

test('a protected path with a line break is refused', async () => {
  const shop = await openShop();
  const step = await propose(shop, patchOf(shop, write({ '.github/workflows/a\nb.yml': 'on: push\n' })));
  expect(step.outputs.failure_reason).toContain('control character');
});

test('refused changes stop the verbs before them', async () => {
  const shop = await openShop({ contents: 'write', pull_requests: 'write', issues: 'write' });
  const step = await propose(shop, patchOf(shop, write({ '.github/workflows/ci.yml': 'x\n' })), {
    event: 'issues',
    answer: { title: 'x', body: 'y', comment: 'Hi.' },
    inputs: { comment: 'true' },
  });
  expect(step.outputs.failure_reason).toContain('protected');
  expect(mutationsOf(shop.github)).toEqual([]);
});

test('a key in a binary file is found', async () => {
  const shop = await openShop();
  const key = `ghp_${'aB3dE6gH9j'.repeat(4).slice(0, 36)}`;
  const bytes = Buffer.from(`\0\0${key}\n\0`);
  const step = await propose(shop, patchOf(shop, write({ 'x.bin': bytes })));
  expect(step.outputs.failure_reason).toContain('changes (GITHUB_TOKEN)');
});

const limits: ChangeInputs = { patch: new Uint8Array(), allowPaths: [], maxFiles: 100, maxBytes: 1000 };

test.each([
  ['120000', 'a link'],
  ['160000', 'a submodule'],
])('a change of mode %s to a plain file is refused as %s', (formerMode, kind) => {
  const file = { path: 'docs', mode: '100644', formerMode, bytes: 1, sha: '0' };
  expect(findProtected([file], limits).join()).toContain(`"docs" (${kind})`);
});
