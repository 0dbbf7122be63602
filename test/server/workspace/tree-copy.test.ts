import { mkdir, readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseSkillSpec } from '../../../src/contract/tables/skill-spec.ts';
import { createSkillSource } from '../../../src/server/skills/skill-source.ts';
import { copyTree } from '../../../src/server/workspace/tree-copy.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

/** A folder with one sparse file. */
async function createHole(bytes: number) {
  const from = createTempFolder();
  await mkdir(join(from, 'tell'));
  await writeFile(join(from, 'tell/SKILL.md'), '---\nname: tell\ndescription: Tells.\n---\nTell.\n');
  await writeFile(join(from, 'tell/hole'), '');
  await truncate(join(from, 'tell/hole'), bytes);
  return { from, to: join(createTempFolder(), 'copy') };
}

test('the copy of a large file ends when it is stopped', async () => {
  const bytes = 400_000_000;
  const { from, to } = await createHole(bytes);
  const control = new AbortController();
  const copying = copyTree({ from, to, except: '', signal: control.signal });
  setTimeout(() => control.abort(new Error('cancelled')), 30);
  await expect(copying).rejects.toThrow('cancelled');
  expect((await stat(join(to, 'tell/hole')).catch(() => undefined))?.size ?? 0).toBeLessThan(bytes);
});

test('a skill folder that is too large is refused with a sentence, and nothing is copied', async () => {
  const { from, to } = await createHole(1024 ** 3 + 1);
  const { signal } = new AbortController();
  const skill = await createSkillSource({ 'octo-org/shop': from }).find(parseSkillSpec('octo-org/shop:tell/SKILL.md'));
  await expect(skill.copyTo(to, { except: '', signal })).rejects.toMatchObject({
    code: 'environment_setup_failed',
    message: expect.stringContaining(
      'the folder of octo-org/shop:tell/SKILL.md is too large to be copied: 100000 files',
    ),
  });
  expect(await readdir(to)).not.toContain('hole');
});

test('one limit covers all folders, and files are copied completely or not at all', async () => {
  const { from, to } = await createHole(10);
  await writeFile(join(from, 'empty'), '');
  await writeFile(join(from, 'text'), 'text');
  const copy = { from, except: '', signal: new AbortController().signal };
  const room = { entries: 5, bytes: 100, fault: 'too many' };
  await copyTree({ ...copy, to, room });
  expect(room.entries).toBe(0);
  expect(await readFile(join(to, 'text'), 'utf8')).toBe('text');
  expect(await readFile(join(to, 'empty'), 'utf8')).toBe('');
  await expect(copyTree({ ...copy, to: `${to}-2`, room: { ...room, entries: 4 } })).rejects.toThrow('too many');
});
