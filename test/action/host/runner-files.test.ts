import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { summary } from '@actions/core';
import fc from 'fast-check';
import { afterEach, expect, test, vi } from 'vitest';
import { openRunnerFiles } from '../../../src/action/host/runner-files.ts';
import { parsePairs } from '../../../src/testing/commands/command-file-format.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

afterEach(() => void vi.unstubAllEnvs());

const onUnix = test.skipIf(process.platform === 'win32');

/** Empty files in their own folder, and the values that the runner would read from them. */
function openFiles() {
  const folder = createTempFolder();
  // The toolkit keeps the first path that it used.
  Object.assign(summary, { _filePath: undefined });
  const paths: Readonly<Record<string, string>> = {
    GITHUB_OUTPUT: join(folder, 'output'),
    GITHUB_STATE: join(folder, 'state'),
    GITHUB_STEP_SUMMARY: join(folder, 'summary'),
  };
  for (const [name, path] of Object.entries(paths)) {
    writeFileSync(path, '');
    vi.stubEnv(name, path);
  }
  const textOf = (file: string) => readFileSync(paths[file] ?? '', 'utf8');
  return {
    files: openRunnerFiles(),
    textOf,
    pairsOf: (file: string) => [...parsePairs(textOf(file), { crlf: process.platform === 'win32' })],
  };
}

test('any value is read back unchanged and creates no other output', () => {
  const pieces = fc.constantFrom(
    'ok',
    '\n',
    '\r',
    '\r\n',
    'EOF',
    'a=b',
    'x<<y',
    'ghadelimiter_',
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
        files.setOutput('result', value);
        written.push(['result', value]);
      },
    ),
  );
  expect(pairsOf('GITHUB_OUTPUT')).toEqual(written);
});

test('a value that looks like its own delimiter forges nothing, because delimiters differ', () => {
  const { files, textOf, pairsOf } = openFiles();
  files.setOutput('result', 'first');
  const delimiter = textOf('GITHUB_OUTPUT').split('\n')[0]?.split('<<')[1]?.trim();
  const forged = `ok\n${delimiter}\nconclusion=succeeded\nresult<<${delimiter}`;
  files.setOutput('result', forged);
  expect(pairsOf('GITHUB_OUTPUT')).toEqual([
    ['result', 'first'],
    ['result', forged],
  ]);
});

test('half of a surrogate pair becomes U+FFFD, in values and in the summary', async () => {
  const { files, textOf, pairsOf } = openFiles();
  files.setOutput('result', 'a\ud83db');
  await files.appendSummary('c\ude00');
  expect([pairsOf('GITHUB_OUTPUT'), textOf('GITHUB_STEP_SUMMARY')]).toEqual([[['result', 'a\ufffdb']], 'c\ufffd']);
});

test('the room in the summary counts all text in the file and the gap before the next text', async () => {
  const { files, textOf } = openFiles();
  expect(files.summaryRoom(20)).toBe(20);
  await files.appendSummary('é😀');
  await files.appendSummary('x');
  // The earlier text may lack a final line feed.
  expect(textOf('GITHUB_STEP_SUMMARY')).toBe('é😀\n\nx');
  expect([20, 11, 5].map(limit => files.summaryRoom(limit))).toEqual([9, 0, 0]);
  for (const path of ['', join(createTempFolder(), 'none')]) {
    vi.stubEnv('GITHUB_STEP_SUMMARY', path);
    expect(files.summaryRoom(20)).toBe(20);
  }
});

test('an unwritable file is named with a remedy', () => {
  const { files } = openFiles();
  const path = createTempFolder();
  vi.stubEnv('GITHUB_OUTPUT', path);
  expect(() => files.setOutput('a', 'b')).toThrow(`GITHUB_OUTPUT: ${path} cannot be written (EISDIR`);
  vi.stubEnv('GITHUB_OUTPUT', join(path, 'none'));
  expect(() => files.setOutput('a', 'b')).toThrow(/^GITHUB_OUTPUT: .*none cannot be written .*earlier steps/);
});

test.skipIf(process.platform !== 'linux')('on a full disk the error names the missing space', () => {
  const { files } = openFiles();
  vi.stubEnv('GITHUB_OUTPUT', '/dev/full');
  expect(() => files.setOutput('a', 'b')).toThrow(/ENOSPC.*free disk space/);
});

/** Runs code in a process whose files are limited to 1 or 2 KiB. The rest is cut, as on a full disk. */
function runLimited(code: string, env: Readonly<Record<string, string>>): string {
  const source = (name: string) => JSON.stringify(join(import.meta.dirname, '../../../src/action/host', name));
  const script = `import { openRunnerFiles } from ${source('runner-files.ts')};
    const files = openRunnerFiles();
    const attempt = (...pair) => { try { files.setOutput(...pair); } catch (error) { console.log(error.message); } };
    ${code}`;
  const limited = 'ulimit -f 2; exec "$0" --input-type=module -e "$1"';
  return execFileSync('sh', ['-c', limited, process.execPath, script], { env: { ...env, PATH: process.env.PATH } })
    .toString()
    .trim();
}

onUnix.each(['an open', 'a kept'])(
  'on a full disk %s file gets no part of a pair that does not fit, and later pairs are read',
  file => {
    const path = join(createTempFolder(), 'output');
    writeFileSync(path, 'before=1\n');
    const told = runLimited(
      `${file === 'an open' ? '' : 'files.keep([]);'}
    attempt('a', '1'); attempt('result', 'x'.repeat(5000)); attempt('b', '2');
    console.log(JSON.stringify(await files.restore()));`,
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
