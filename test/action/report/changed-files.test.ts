/** Reads patches that Git wrote. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { countChanges, listChanges } from '../../../src/action/report/changed-files.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

test.skipIf(process.platform === 'win32')('each file of a Git patch has its added and removed lines', () => {
  const folder = createTempFolder();
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=octo', '-c', 'user.email=octo@example.com', ...args], { cwd: folder });
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text);
  git('init', '--quiet');
  mkdirSync(join(folder, 'a dir'));
  write('a dir/moved', 'x\n'.repeat(50));
  write('gone', '--- a\n+++ b\n');
  write('mixed', '1\n2\n3\n4\n');
  git('add', '.');
  git('commit', '--quiet', '--message=first');
  renameSync(join(folder, 'a dir/moved'), join(folder, 'a dir/here'));
  rmSync(join(folder, 'gone'));
  write('mixed', '1\n++ b/other\ndiff --git a/x b/x\n4');
  write('ä "ö"\t.txt', 'one\n');
  write('image', '\0\u0001');
  write('empty', '');
  git('add', '.');
  const patch = git('diff', '--cached', '--binary', '--full-index', '-M').toString();
  const changes = listChanges(patch);
  const expected = [
    { path: 'a dir/here', added: 0, removed: 0, isBinary: false },
    { path: 'empty', added: 0, removed: 0, isBinary: false },
    { path: 'gone', added: 0, removed: 2, isBinary: false },
    { path: 'image', added: 0, removed: 0, isBinary: true },
    { path: 'mixed', added: 3, removed: 3, isBinary: false },
    { path: 'ä "ö"\t.txt', added: 1, removed: 0, isBinary: false },
  ];
  const byName = (list: typeof changes.files) => list.toSorted((a, b) => a.path.localeCompare(b.path));
  expect(byName(changes.files)).toEqual(byName(expected));
  expect(countChanges(changes)).toBe('6 files changed, +4 −5');
});

test('a text that is not a patch changes no files', () => {
  const none = listChanges('+++ b/x\n@@ -1 +1 @@\n+a\n');
  expect(none.files).toEqual([]);
  expect(countChanges(none)).toBe('');
});

test('a name that looks like two is read whole', () => {
  const [file] = listChanges('diff --git a/ci.yml b/README.md b/ci.yml b/README.md\nold mode 100644\n').files;
  expect(file?.path).toBe('ci.yml b/README.md');
});

test('a long patch lists its first files and counts all, and a hostile header takes no time', () => {
  const header = `diff --git a${' b/'.repeat(1_000_000)}\r`;
  const changes = listChanges(`${header}x\n${'diff --git a/x b/x\n'.repeat(100_000)}`);
  expect(changes.files).toHaveLength(20);
  expect(countChanges(changes)).toBe('100001 files changed');
});
