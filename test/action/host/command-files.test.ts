import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CommandFileError, createCommandFiles } from '../../../src/action/host/command-files.ts';
import { parsePairs } from '../../../src/testing/commands/command-file-format.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const onUnix = test.skipIf(process.platform === 'win32');

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
  expect(() => files.appendPair('GITHUB_OUTPUT', 'result', 'ok')).toThrow(/^GITHUB_OUTPUT was not written: .*random/);
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
  expect(() => files.appendPair('GITHUB_OUTPUT', name, 'x')).toThrow(/^GITHUB_OUTPUT: .* is not a valid name/);
  expect(textOf('GITHUB_OUTPUT')).toBe('');
});

test('half of a surrogate pair becomes U+FFFD, in values and in the summary', () => {
  const { files, textOf, pairsOf } = openFiles();
  files.appendPair('GITHUB_OUTPUT', 'result', 'a\ud83db');
  files.appendText('GITHUB_STEP_SUMMARY', 'c\ude00');
  expect([pairsOf('GITHUB_OUTPUT'), textOf('GITHUB_STEP_SUMMARY')]).toEqual([[['result', 'a\ufffdb']], 'c\ufffd']);
});

test('the room in the summary counts what is there, whoever wrote it, and what stands between', () => {
  const { files, textOf } = openFiles();
  expect(files.roomOf('GITHUB_STEP_SUMMARY', 20)).toBe(20);
  files.appendText('GITHUB_STEP_SUMMARY', 'é😀');
  files.appendText('GITHUB_STEP_SUMMARY', 'x');
  // What stands there already need not have ended its line.
  expect(textOf('GITHUB_STEP_SUMMARY')).toBe('é😀\n\nx');
  expect([20, 11, 5].map(limit => files.roomOf('GITHUB_STEP_SUMMARY', limit))).toEqual([9, 0, 0]);
  expect(createCommandFiles(() => undefined).roomOf('GITHUB_STEP_SUMMARY', 20)).toBe(20);
  expect(createCommandFiles(() => join(createTempFolder(), 'none')).roomOf('GITHUB_STEP_SUMMARY', 20)).toBe(20);
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
  expect(() => files.appendText('GITHUB_STEP_SUMMARY', 'x')).toThrow(/ENOSPC.*free disk space/);
});

/** Runs code in a process that may write 1 or 2 KiB to a file: what does not fit is cut, as on a full disk. */
function runLimited(code: string, env: Readonly<Record<string, string>>): string {
  const source = (name: string) => JSON.stringify(join(import.meta.dirname, '../../../src/action/host', name));
  const script = `import { createCommandFiles } from ${source('command-files.ts')};
    const files = createCommandFiles(name => process.env[name]);
    const attempt = (...pair) => { try { files.appendPair(...pair); } catch (error) { console.log(error.message); } };
    ${code}`;
  const limited = 'ulimit -f 2; exec "$0" --input-type=module -e "$1"';
  return execFileSync('sh', ['-c', limited, process.execPath, script], { env: { ...env, PATH: process.env.PATH } })
    .toString()
    .trim();
}

onUnix.each(['', ' that is kept from an agent, which is then not said to have changed it'])(
  'of a pair that finds place for its first half alone nothing stays in a file%s, and what fits later is read',
  kept => {
    const path = join(createTempFolder(), 'output');
    writeFileSync(path, 'before=1\n');
    const told = runLimited(
      `${kept === '' ? '' : 'files.keep([]);'}
    attempt('GITHUB_OUTPUT', 'a', '1'); attempt('GITHUB_OUTPUT', 'result', 'x'.repeat(5000)); attempt('GITHUB_OUTPUT', 'b', '2');
    console.log(JSON.stringify(files.restore()));`,
      { GITHUB_OUTPUT: path },
    );
    expect(told).toMatch(/^GITHUB_OUTPUT: .* cannot be written \(EFBIG.*\n\[\]$/);
    expect([...parsePairs(readFileSync(path, 'utf8'), { crlf: false })]).toEqual([
      ['before', '1'],
      ['a', '1'],
      ['b', '2'],
    ]);
  },
);
