import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ResultFileError, writeResultFile } from '../../../src/action/report/saved-result.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

test('the file has the whole result as UTF-8, and its folders are created', async () => {
  const folder = createTempFolder();
  const path = join(folder, 'a/b c/result.md');
  const text = `é😀\r\n${'x'.repeat(3_000_000)}\n`;
  await writeResultFile({ path, text });
  expect(readFileSync(path, 'utf8')).toBe(text);
  expect(readdirSync(join(folder, 'a/b c'))).toEqual(['result.md']);
});

test('earlier content of the file is replaced', async () => {
  const path = join(createTempFolder(), 'result.md');
  writeFileSync(path, 'a longer text of another run');
  await writeResultFile({ path, text: 'new' });
  expect(readFileSync(path, 'utf8')).toBe('new');
});

test('a folder in place of the file is refused with a remedy and stays unchanged', async () => {
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

test('an unwritable path is reported and leaves nothing behind', async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'file'), 'x');
  const path = join(folder, 'file', 'result.md');
  await expect(writeResultFile({ path, text: 'x' })).rejects.toThrow(
    /`result_file`: ".*" cannot be written \(.*\). Give a path/,
  );
  expect(readdirSync(folder)).toEqual(['file']);
});

test.skipIf(process.platform !== 'linux')('the search for a creatable folder ends', async () => {
  const link = join(createTempFolder(), 'out');
  symlinkSync('/proc', link);
  for (const folder of ['/proc/none/deep', join(link, 'none', 'deep'), '/proc/1'])
    await expect(writeResultFile({ path: join(folder, 'result.md'), text: 'x' })).rejects.toThrow(ResultFileError);
});

test('folders may exist already, even behind a link', async () => {
  const folder = createTempFolder();
  mkdirSync(join(folder, 'real'));
  symlinkSync(join(folder, 'real'), join(folder, 'link'), 'dir');
  for (const name of ['a', 'b']) await writeResultFile({ path: join(folder, 'link/x/y', `${name}.md`), text: name });
  expect(readdirSync(join(folder, 'real/x/y')).toSorted()).toEqual(['a.md', 'b.md']);
});
