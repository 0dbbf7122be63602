import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPlainFile } from '../../src/base/plain-file.ts';
import { removeTree } from '../../src/base/remove-tree.ts';
import { createTempFolder } from '../support/temp-folder.ts';

test('a plain file is read, as far as it is not too long', async () => {
  const file = join(createTempFolder(), 'a');
  writeFileSync(file, 'grüße');
  expect(await readPlainFile(file, 7)).toBe('grüße');
  expect(await readPlainFile(file, 6)).toBeUndefined();
});

test('nothing is read through a link, of a folder, or where there is nothing', async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'a'), 'secret');
  symlinkSync(join(folder, 'a'), join(folder, 'link'));
  for (const name of ['link', '.', 'none']) expect(await readPlainFile(join(folder, name), 100)).toBeUndefined();
});

test('pipes that nobody writes to are not waited for, so that other files can still be read', async () => {
  const folder = createTempFolder();
  const pipes = [1, 2, 3, 4, 5].map(name => join(folder, `pipe-${name}`));
  execFileSync('mkfifo', pipes);
  writeFileSync(join(folder, 'a'), 'text');
  const read = Promise.all(pipes.map(pipe => readPlainFile(pipe, 100)));
  expect(await readFile(join(folder, 'a'), 'utf8')).toBe('text');
  expect(await read).toEqual(pipes.map(() => undefined));
});

test('a folder of many files is removed by a program, and not by as many requests at a time as there are files', async () => {
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

test('of a link the link is removed, and what is not there is no fault', async () => {
  const folder = createTempFolder();
  const kept = createTempFolder();
  writeFileSync(join(kept, 'a'), '');
  symlinkSync(kept, join(folder, 'link'));
  await removeTree(join(folder, 'link'));
  await removeTree(join(folder, 'none'));
  expect([await readdir(folder), await readdir(kept)]).toEqual([[], ['a']]);
});

test('where there is no program to remove a folder it goes all the same', async () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'many', 'more'), { recursive: true });
  writeFileSync(join(folder, 'many', 'more', 'a'), '');
  await removeTree(join(folder, 'many'), join(folder, 'none'));
  expect(await readdir(folder)).toEqual([]);
});
