import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { copyPlainFile, readPlainFile, readPlainFileSync } from '../../src/border/files.ts';
import { isRealFolder, makeFolder, makeRealFolder, readEntries, removeTree } from '../../src/border/folders.ts';
import { createTempFolder } from '../support/temp-folder.ts';

test('a regular file is read if it is not too long', async () => {
  const file = join(createTempFolder(), 'a');
  writeFileSync(file, 'grüße');
  expect(await readPlainFile(file, 7)).toBe('grüße');
  expect(await readPlainFile(file, 6)).toBeUndefined();
});

test('links, folders and missing paths are not read', async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'a'), 'secret');
  symlinkSync(join(folder, 'a'), join(folder, 'link'));
  for (const name of ['link', '.', 'none']) expect(await readPlainFile(join(folder, name), 100)).toBeUndefined();
});

test('pipes without a writer do not block reads of other files', async () => {
  const folder = createTempFolder();
  const pipes = [1, 2, 3, 4, 5].map(name => join(folder, `pipe-${name}`));
  execFileSync('mkfifo', pipes);
  writeFileSync(join(folder, 'a'), 'text');
  const read = Promise.all(pipes.map(pipe => readPlainFile(pipe, 100)));
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('text');
  expect(await read).toEqual(pipes.map(() => undefined));
});

test.each([
  ['link', 'ELOOP'],
  ['none', 'ENOENT'],
  ['.', 'it is a folder. Name a file'],
  ['pipe', 'it is a device or a pipe. Name a regular file'],
  ['a', 'it is larger than the limit of 3 bytes'],
])('the synchronous read says why %s is not read', (name, why) => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'a'), 'text');
  symlinkSync('a', join(folder, 'link'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(() => readPlainFileSync(join(folder, name), 3)).toThrow(why);
  expect(readPlainFileSync(join(folder, 'a'), 4).toString()).toBe('text');
});

test('a copy has the checked size, is private unless it keeps the mode, and replaces nothing', async () => {
  const folder = createTempFolder();
  const [from, to] = [join(folder, 'a'), join(folder, 'b')];
  writeFileSync(from, 'text');
  chmodSync(from, 0o755);
  symlinkSync('a', join(folder, 'link'));
  expect(await copyPlainFile(from, { to, bytesMax: 3 })).toBe('too large');
  expect(await copyPlainFile(join(folder, 'link'), { to, bytesMax: 4 })).toBeUndefined();
  expect(await copyPlainFile(from, { to, bytesMax: 4 })).toBe(4);
  expect(await copyPlainFile(from, { to: join(folder, 'c'), bytesMax: 4, keepsMode: true })).toBe(4);
  expect(['b', 'c'].map(name => statSync(join(folder, name)).mode & 0o777)).toEqual([0o600, 0o755]);
  expect(await readFile(to, 'utf8')).toBe('text');
  await expect(copyPlainFile(from, { to: join(folder, 'link'), bytesMax: 4 })).rejects.toMatchObject({
    code: 'EEXIST',
  });
});

test('a listing has at most the given number of entries, and a missing folder has none', async () => {
  const folder = createTempFolder();
  for (const name of ['c', 'a', 'b']) writeFileSync(join(folder, name), '');
  const { entries, isWhole } = await readEntries(folder, 3);
  expect([entries.map(({ name }) => name), isWhole]).toEqual([['a', 'b', 'c'], true]);
  expect(await readEntries(folder, 2)).toMatchObject({ entries: { length: 2 }, isWhole: false });
  expect(await readEntries(join(folder, 'none'), 2)).toEqual({ entries: [], isWhole: true });
});

test('a link in place of a folder is replaced, and its target is unchanged', async () => {
  const [root, elsewhere] = [createTempFolder(), createTempFolder()];
  symlinkSync(elsewhere, join(root, 'a'));
  mkdirSync(join(root, 'real/b'), { recursive: true });
  expect([await isRealFolder(root, join(root, 'a/b')), await isRealFolder(root, join(root, 'real/b'))]).toEqual([
    false,
    true,
  ]);
  await makeRealFolder(root, join(root, 'a/b'));
  expect(await isRealFolder(root, join(root, 'a/b'))).toBe(true);
  expect(await readdir(elsewhere)).toEqual([]);
});

test.runIf(process.platform === 'linux')('creating a folder through a link to /proc does not hang', async () => {
  const link = join(createTempFolder(), 'out');
  symlinkSync('/proc', link);
  await expect(makeFolder(join(link, 'none', 'deep'))).rejects.toMatchObject({ code: 'ENOENT' });
});

test('a folder with many files is removed by a child process without flooding the thread pool', async () => {
  const folder = createTempFolder();
  const many = join(folder, 'many');
  execFileSync('sh', [
    '-c',
    `mkdir ${many}; cd ${many}; seq 3000 | xargs touch; mkdir shut; touch shut/x; chmod 0 shut`,
  ]);
  let isOver = false;
  const removal = removeTree(many).finally(() => {
    isOver = true;
  });
  let most = 0;
  while (!isOver) {
    most = Math.max(most, process.getActiveResourcesInfo().filter(name => name.startsWith('FSReq')).length);
    await new Promise(resolve => setImmediate(resolve));
  }
  await removal;
  expect(most).toBeLessThan(100);
  expect(await readdir(folder)).toEqual([]);
});

test('removing a link keeps its target, and removing a missing path succeeds', async () => {
  const folder = createTempFolder();
  const kept = createTempFolder();
  writeFileSync(join(kept, 'a'), '');
  symlinkSync(kept, join(folder, 'link'));
  await removeTree(join(folder, 'link'));
  await removeTree(join(folder, 'none'));
  expect([await readdir(folder), await readdir(kept)]).toEqual([[], ['a']]);
});

test('a program that complains about more than a text can hold fails with the start of its complaint', async () => {
  const folder = createTempFolder();
  for (const name of ['rm', 'chmod']) {
    const script = '#!/bin/sh\n/usr/bin/yes x | /usr/bin/head -c 600000000 >&2; exit 1\n';
    writeFileSync(join(folder, name), script, { mode: 0o755 });
  }
  makeFiles(join(folder, 'many'));
  await expect(removeTree(join(folder, 'many'), folder)).rejects.toThrow(/^x(\nx){400,500}$/);
});

test('a folder is removed even without a program for it', async () => {
  const folder = createTempFolder();
  makeFiles(join(folder, 'many', 'more'));
  await removeTree(join(folder, 'many'), join(folder, 'none'));
  expect(await readdir(folder)).toEqual([]);
});

test('a small folder is removed without a program, and the targets of its links stay', async () => {
  const [folder, programs, kept] = [createTempFolder(), createTempFolder(), createTempFolder()];
  for (const name of ['rm', 'chmod']) writeFileSync(join(programs, name), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  writeFileSync(join(kept, 'a'), '');
  mkdirSync(join(folder, 'small', 'more'), { recursive: true });
  writeFileSync(join(folder, 'small', 'b'), '');
  symlinkSync(kept, join(folder, 'small', 'more', 'link'));
  await removeTree(join(folder, 'small'), programs);
  expect([await readdir(folder), await readdir(kept)]).toEqual([[], ['a']]);
});

/** More than are removed without a program. */
function makeFiles(folder: string): void {
  mkdirSync(folder, { recursive: true });
  for (let file = 0; file < 201; file += 1) writeFileSync(join(folder, String(file)), '');
}
