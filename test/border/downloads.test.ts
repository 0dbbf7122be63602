import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, normalize, relative } from 'node:path';
import { expect, test } from 'vitest';
import { type ArtifactSource, saveArtifacts } from '../../src/border/downloads.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const { signal } = new AbortController();

/** A server whose files contain `before` and their id. */
const source = (before = ''): ArtifactSource => ({
  get: async path => ({ data: { download_url: `https://files.example.com/${path.split('/').at(-1)}` } }),
  fetch: async url => new Response(`${before}${url.split('/').at(-1)}`),
});
const file = (uid: string, filepath: string) => ({ artifact_type: 'FILE', data: { artifact_uid: uid, filepath } });

test('files are saved below the folder by their paths, and other artifacts are skipped', async () => {
  const folder = join(createTempFolder(), 'made');
  const artifacts = [
    file('u1', 'deep/down/a.txt'),
    { artifact_type: 'PULL_REQUEST', data: { url: 'https://example.com' } },
    { artifact_type: 'FILE', data: { artifact_uid: 'u2', filename: 'b.txt' } },
    { artifact_type: 'FILE', data: null },
  ];
  const saved = await saveArtifacts(source(), artifacts, { folder, bytesMax: 1000, signal });
  expect(saved.faults).toEqual([]);
  expect([...saved.paths].map(([uid, path]) => [uid, path, readFileSync(path, 'utf8')])).toEqual([
    ['u1', join(folder, 'deep/down/a.txt'), 'u1'],
    ['u2', join(folder, 'b.txt'), 'u2'],
  ]);
});

test('a saved name contains no terminal control characters', async () => {
  const folder = createTempFolder();
  const artifacts = [file('u1', 'e\x1b[31m.txt'), file('u2', '.\x07./a\u202eb')];
  const saved = await saveArtifacts(source(), artifacts, { folder, bytesMax: 1000, signal });
  expect([...saved.paths.values()]).toEqual([join(folder, 'e_[31m.txt'), join(folder, '._./a_b')]);
  expect(readdirSync(folder).sort()).toEqual(['._.', 'e_[31m.txt']);
});

test('a saved name is valid on Windows and for actions/upload-artifact, and never shared', async () => {
  const folder = createTempFolder();
  const names = ['report 10:30.txt', 'q?.md', 'a<b>|"*\\.txt', 'q*.md', 'd:/x', 'Read.md', 'read.md'];
  const artifacts = names.map(name => file(name, name));
  const saved = await saveArtifacts(source(), artifacts, { folder, bytesMax: 1000, signal });
  expect(names.map(name => relative(folder, saved.paths.get(name) ?? ''))).toEqual(
    ['report 10_30.txt', 'q_.md', 'a_b_____.txt', 'q_-2.md', 'd_/x', 'Read.md', 'read-2.md'].map(normalize),
  );
});

test('no name becomes a repository, whose settings would name programs', async () => {
  const folder = createTempFolder();
  const names = [
    '.git/config',
    'sub/.GIT/config',
    'a/git~1/x',
    'b/.git. /x',
    'c/.g\u200cit/x',
    '.gitignore',
    'd/.github/x',
  ];
  const artifacts = names.map(name => file(name, name));
  const saved = await saveArtifacts(source(), artifacts, { folder, bytesMax: 1000, signal });
  expect(names.map(name => relative(folder, saved.paths.get(name) ?? ''))).toEqual(
    ['_git/config', 'sub/_git/config', 'a/_git/x', 'b/_git. /x', 'c/_git/x', '.gitignore', 'd/.github/x'].map(
      normalize,
    ),
  );
});

test('nothing is written through a link in the folder', async () => {
  const [folder, outside] = [createTempFolder(), createTempFolder()];
  symlinkSync(outside, join(folder, 'sub'));
  const saved = await saveArtifacts(source(), [file('u1', 'sub/new/a.txt')], { folder, bytesMax: 1000, signal });
  expect([saved.paths.size, saved.faults]).toEqual([0, [expect.stringContaining('is not a folder')]]);
  expect(readdirSync(outside)).toEqual([]);
});

test.each(['../out.txt', 'a/../../out.txt', '/out.txt', 'a//b', 'a\0b', '.'])(
  'a file named %j by its server is not saved',
  async name => {
    const parent = createTempFolder();
    const folder = join(parent, 'in');
    const saved = await saveArtifacts(source(), [file('u1', name)], { folder, bytesMax: 1000, signal });
    expect([saved.paths.size, saved.faults]).toEqual([0, [expect.stringContaining('is not a safe relative path')]]);
    expect(readdirSync(parent)).toEqual([]);
  },
);

test('existing files are not changed, and the other files are still saved', async () => {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'a.txt'), 'mine');
  const artifacts = [file('u1', 'a.txt'), file('u2', 'a.txt/b'), file('u3', 'c.txt')];
  const saved = await saveArtifacts(source(), artifacts, { folder, bytesMax: 1000, signal });
  expect(readFileSync(join(folder, 'a.txt'), 'utf8')).toBe('mine');
  expect([[...saved.paths.keys()], saved.faults.length]).toEqual([['u3'], 2]);
  expect(saved.faults[0]).toBe('a.txt already exists and was not overwritten');
});

test('files over the total size are skipped, and no partial file is left', async () => {
  const folder = createTempFolder();
  const artifacts = [file('u1', 'a'), file('u2', 'b'), file('u3', 'c')];
  const saved = await saveArtifacts(source('12345678'), artifacts, { folder, bytesMax: 25, signal });
  expect([...saved.paths.keys()]).toEqual(['u1', 'u2']);
  expect(saved.faults).toEqual(['c is larger than the limit of 5 bytes']);
  expect(existsSync(join(folder, 'c'))).toBe(false);
});
