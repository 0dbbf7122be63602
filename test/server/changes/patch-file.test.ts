import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openPatchFile, writeTexts } from '../../../src/server/changes/patch-file.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

async function openFile() {
  const folder = createTempFolder();
  const file = await openPatchFile(folder);
  onTestFinished(() => file.close());
  const give =
    (...texts: readonly string[]) =>
    async (onChunk: (chunk: Uint8Array) => Promise<void>) => {
      for (const text of texts) await onChunk(Buffer.from(text));
    };
  return { folder, file, give, to: join(folder, 'out') };
}

test('the file has no name, and its parts are written one after another', async () => {
  const { folder, file, give, to } = await openFile();
  const texts = [await file.keep(give('a', 'bc'), 10), await file.keep(give('d'.repeat(200_000)), 1_000_000)];
  expect(await readdir(folder)).toEqual([]);
  await writeTexts(texts, to);
  expect(await readFile(to, 'utf8')).toBe(`abc${'d'.repeat(200_000)}`);
});

test('a part over the limit is cut, and its full size counted', async () => {
  const { file, give, to } = await openFile();
  const cut = await file.keep(give('abc', 'def'), 4);
  const next = await file.keep(give('x'), 4);
  expect(cut.bytes).toBe(6);
  await writeTexts([cut, next], to);
  expect(await readFile(to, 'utf8')).toBe('abcdx');
});

test('a part that fails is not stored', async () => {
  const { file, give, to } = await openFile();
  const failing = file.keep(async onChunk => {
    await onChunk(Buffer.from('half'));
    throw new Error('broken');
  }, 10);
  await expect(failing).rejects.toThrow('broken');
  await writeTexts([await file.keep(give('ok'), 10)], to);
  expect(await readFile(to, 'utf8')).toBe('ok');
});

test('an existing file is never overwritten, nor followed through a link', async () => {
  const { file, give, to } = await openFile();
  const text = await file.keep(give('a'), 1);
  await writeTexts([text], to);
  await expect(writeTexts([text], to)).rejects.toMatchObject({ code: 'EEXIST' });
});
