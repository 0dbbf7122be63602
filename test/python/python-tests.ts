import { expect, test } from 'vitest';
import { findPython, runPython } from '../support/python.ts';

/**
 * A test that needs a Python with these modules. Without one it is skipped, and its name says why; in CI it fails.
 * Its time is a little longer than the one that `body` gets for its programs.
 */
export function testInPython(
  modules: readonly string[],
  sentence: string,
  body: (python: string) => Promise<void>,
  timeoutMs = 60_000,
): void {
  const python = findPython(...modules);
  const remedy = 'CONTRIBUTING.md lists the Debian packages';
  if (python !== undefined) test(sentence, () => body(python), timeoutMs + 5_000);
  else if (process.env.CI === 'true')
    test(sentence, () => {
      throw new Error(`no python3 has ${modules.join(', ')}: ${remedy}`);
    });
  else test.skip(`${sentence} (skipped: no python3 has ${modules.join(', ')}; ${remedy})`, () => {});
}

/** The rules that both clients share, and single calls. */
export const shortFiles: readonly string[] = ['test_vectors.py', 'test_calls.py'];

export function testPythonFile(file: string, timeoutMs = 120_000): void {
  testInPython(
    ['httpx', 'pytest', 'anyio'],
    `the tests of ${file} pass`,
    async python => {
      const args = ['-m', 'pytest', '-p', 'no:cacheprovider', `tests/${file}`];
      expect(await runPython(python, args, { timeoutMs })).toMatch(/\b\d+ passed\b/);
    },
    timeoutMs,
  );
}
