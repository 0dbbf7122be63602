/**
 * The Python client's own tests, a file each, without the short ones, and its types. One of them tries 50 random fault
 * plans; `AGENT_RUN_PLANS=200` for more.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pythonFolder, runPython } from '../support/python.ts';
import { shortFiles, testInPython, testPythonFile } from './python-tests.ts';

const faultsFile = 'test_faults.py';
const faultsMs = 300_000 * Math.max(1, Number(process.env.AGENT_RUN_PLANS ?? 50) / 50);
const typesMs = 120_000;
const files = readdirSync(join(pythonFolder, 'tests')).filter(file => /^test_.*\.py$/.test(file));

test('the files that are named are there', () => {
  expect(files).toEqual(expect.arrayContaining([faultsFile, ...shortFiles]));
});

for (const file of files.filter(name => !shortFiles.includes(name)))
  testPythonFile(file, file === faultsFile ? faultsMs : undefined);

testInPython(
  ['httpx', 'pytest', 'mypy'],
  'the Python sources and their tests have no type error by mypy --strict',
  async python => {
    expect(await runPython(python, ['-m', 'mypy'], { timeoutMs: typesMs })).toMatch(/^Success/m);
  },
  typesMs,
);
