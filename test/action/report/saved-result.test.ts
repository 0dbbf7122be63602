import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ResultFileError, writeResultFile } from '../../../src/action/report/saved-result.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

test('the whole result is in the file, as UTF-8, in folders that are made for it', async () => {
  const folder = createTempFolder();
  const path = join(folder, 'a/b c/result.md');
  const text = `é😀\r\n${'x'.repeat(3_000_000)}\n`;
  await writeResultFile({ path, text });
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(readdirSync(join(folder, 'a/b c'))).toEqual(['result.md']);
});

test('what was in the file before is replaced', async () => {
  const path = join(createTempFolder(), 'result.md');
  writeFileSync(path, 'a longer text of another run');
  await writeResultFile({ path, text: 'new' });
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a folder in the place of the file is refused by name and remedy, and stays as it is', async () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'out'));
  for (const path of [join(folder, 'out'), `${join(folder, 'new')}/`]) {
    const failure = await writeResultFile({ path, text: 'x' }).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(ResultFileError);
    expect(String(failure)).toContain('is a folder. Give the path of a file');
  }
  expect(readdirSync(folder)).toEqual(['out']);
  expect(readdirSync(join(folder, 'out'))).toEqual([]);
});

test('a path that cannot be written says so, and leaves nothing behind', async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'file'), 'x');
  const path = join(folder, 'file', 'result.md');
  await expect(writeResultFile({ path, text: 'x' })).rejects.toThrow(
    /`result_file`: ".*" cannot be written \(.*\). Give a path/,
  );
  expect(readdirSync(folder)).toEqual(['file']);
});

test.skipIf(process.platform !== 'linux')('where no folder can be made it is not tried without end', async () => {
  const link = join(createTempFolder(), 'out');
  symlinkSync('/proc', link);
  for (const folder of ['/proc/none/deep', join(link, 'none', 'deep'), '/proc/1'])
    await expect(writeResultFile({ path: join(folder, 'result.md'), text: 'x' })).rejects.toThrow(ResultFileError);
});

test('folders on the way may be there already, also behind a link', async () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'), 'dir');
  for (const name of ['a', 'b']) await writeResultFile({ path: join(folder, 'link/x/y', `${name}.md`), text: name });
  expect(readdirSync(join(folder, 'real/x/y')).toSorted()).toEqual(['a.md', 'b.md']);
});
