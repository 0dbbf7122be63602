import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommandFileError, createCommandFiles } from '../../../src/action/host/command-files.ts';
import { parsePairs } from '../../../src/testing/commands/command-file-format.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const uuid = (digit: string) => `${digit.repeat(8)}-0000-4000-8000-000000000000`;

/** Files in a folder of their own, and what the runner would read from them. */
function openFiles(random?: () => string) {
  const folder = createTempFolder();
  const paths: Readonly<Record<string, string>> = {
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STATE: join(folder, 'state'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  for (const path of Object.values(paths)) writeFileSync(path, '');
  const textOf = (file: string) => readFileSync(paths[file] ?? '', 'utf8');
  return {
    files: createCommandFiles(name => paths[name], random),
    textOf,
    pairsOf: (file: string) => [...parsePairs(textOf(file), { crlf: process.platform === 'win32' })],
  };
}

test('whatever the value, it comes back to the last character and makes no other output', () => {
  const pieces = fc.constantFrom(
    'ok',
    '\n',
    '\r',
    '\r\n',
    'EOF',
    'a=b',
    'x<<y',
    'agent_run_',
    '::error::',
    ' ',
    '😀',
    '',
  );
  const { files, pairsOf } = openFiles();
  const written: [string, string][] = [];
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(pieces).map(list => list.join('')),
        fc.string({ unit: 'grapheme' }),
      ),
      value => {
        files.appendPair('GITHUB_OUTPUT', 'result', value);
        written.push(['result', value]);
      },
    ),
  );
  expect(pairsOf('GITHUB_OUTPUT')).toEqual(written);
});

test('a value that looks like the end of itself forges nothing, for no two delimiters are the same', () => {
  const { files, textOf, pairsOf } = openFiles();
  files.appendPair('GITHUB_OUTPUT', 'result', 'first');
  const delimiter = textOf('GITHUB_OUTPUT').split('\n')[0]?.split('<<')[1]?.trim();
  const forged = `ok\n${delimiter}\nconclusion=succeeded\nresult<<${delimiter}`;
  files.appendPair('GITHUB_OUTPUT', 'result', forged);
  expect(pairsOf('GITHUB_OUTPUT')).toEqual([
    ['result', 'first'],
    ['result', forged],
  ]);
});

test.each([
  ['gives nothing', () => ''],
  ['gives a constant', () => uuid('1')],
  ['gives a word', () => 'EOF'],
  [
    'fails',
    () => {
      throw new Error('no entropy');
    },
  ],
])('a random source that %s stops the step, and the file stays as it was', (_, random) => {
  const { files, textOf } = openFiles(random);
  expect(() => files.appendPair('GITHUB_OUTPUT', 'result', 'ok')).toThrow(CommandFileError);
  expect(() => files.appendPair('GITHUB_OUTPUT', 'result', 'ok')).toThrow(/^GITHUB_OUTPUT is not written: .*random/);
  expect(textOf('GITHUB_OUTPUT')).toBe('');
});

test('a random source that gets stuck later is noticed as well', () => {
  const drawn = ['1', '2', '3', '3'].map(uuid);
  const { files, pairsOf } = openFiles(() => drawn.shift() ?? '');
  files.appendPair('GITHUB_STATE', 'run_id', 'a');
  files.appendPair('GITHUB_STATE', 'run_id', 'b');
  expect(() => files.appendPair('GITHUB_STATE', 'run_id', 'c')).toThrow('it repeats');
  expect(pairsOf('GITHUB_STATE')).toHaveLength(2);
});

test('a delimiter that stands in the value is not used', () => {
  const drawn = ['1', '2'].map(uuid);
  const { files, textOf } = openFiles(() => drawn.shift() ?? '');
  expect(() => files.appendPair('GITHUB_OUTPUT', 'result', `agent_run_${uuid('1')}`)).toThrow(CommandFileError);
  expect(textOf('GITHUB_OUTPUT')).toBe('');
});

test.each(['', 'a=b', 'a<<b', 'a\nb', '1a'])('%j is refused as a name', name => {
  const { files, textOf } = openFiles();
  expect(() => files.appendPair('GITHUB_OUTPUT', name, 'x')).toThrow(/^GITHUB_OUTPUT: .* is no name/);
  expect(textOf('GITHUB_OUTPUT')).toBe('');
});

test('half of a surrogate pair becomes U+FFFD, in values and in the summary', () => {
  const { files, textOf, pairsOf } = openFiles();
  files.appendPair('GITHUB_OUTPUT', 'result', 'a\ud83db');
  files.appendText('GITHUB_STEP_SUMMARY', 'c\ude00');
  expect([pairsOf('GITHUB_OUTPUT'), textOf('GITHUB_STEP_SUMMARY')]).toEqual([[['result', 'a\ufffdb']], 'c\ufffd']);
});

test('the size of the summary is told in bytes, whoever wrote it, and is 0 where there is none', () => {
  const { files } = openFiles();
  files.appendText('GITHUB_STEP_SUMMARY', 'é😀');
  files.appendText('GITHUB_STEP_SUMMARY', 'x');
  expect(files.sizeOf('GITHUB_STEP_SUMMARY')).toBe(7);
  expect(createCommandFiles(() => undefined).sizeOf('GITHUB_STEP_SUMMARY')).toBe(0);
  expect(createCommandFiles(() => join(createTempFolder(), 'none')).sizeOf('GITHUB_STEP_SUMMARY')).toBe(0);
});

test('a runner without the file is told apart from a file that cannot be written', () => {
  expect(() => createCommandFiles(() => '').appendPair('GITHUB_OUTPUT', 'a', 'b')).toThrow(
    /^GITHUB_OUTPUT is not set.*2\.327\.1/,
  );
  const path = join(createTempFolder(), 'folder');
  mkdirSync(path);
  const files = createCommandFiles(() => path);
  expect(() => files.appendText('GITHUB_STEP_SUMMARY', 'x')).toThrow(`GITHUB_STEP_SUMMARY: ${path} cannot be written`);
});

test.skipIf(process.platform !== 'linux')('on a full disk it says that space is what lacks', () => {
  const files = createCommandFiles(() => '/dev/full');
  expect(() => files.appendText('GITHUB_STEP_SUMMARY', 'x')).toThrow(/ENOSPC.*free space on the disk/);
});
