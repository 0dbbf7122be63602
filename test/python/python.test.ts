/** The Python client's own tests, a file each, and its types. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pythonFolder, runPython } from '../support/python.ts';
import { testInPython } from './python-tests.ts';

/** faults.long.test.ts runs this one. */
const longFile = 'test_faults.py';
const files = readdirSync(join(pythonFolder, 'tests')).filter(file => /^test_.*\.py$/.test(file));
const timeoutMs = 120_000;

test('the file of the long tests is there', () => {
  expect(files).toContain(longFile);
});

for (const file of files.filter(name => name !== longFile))
  testInPython(
    ['httpx', 'pytest', 'anyio'],
    `the tests of ${file} pass`,
    async python => {
      const printed = await runPython(python, ['-m', 'pytest', '-p', 'no:cacheprovider', `tests/${file}`], {
        timeoutMs,
      });
      expect(printed).toMatch(/\b\d+ passed\b/);
    },
    timeoutMs,
  );

testInPython(
  ['httpx', 'pytest', 'mypy'],
  'the Python sources and their tests have no type error by mypy --strict',
  async python => {
    expect(await runPython(python, ['-m', 'mypy'], { timeoutMs })).toMatch(/^Success/m);
  },
  timeoutMs,
);
