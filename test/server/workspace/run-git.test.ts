import { expect, test } from 'vitest';
import { GitFault, listGit } from '../../../src/server/workspace/run-git.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

/** The listing that results if git prints a chunk several times. */
function list(chunk: string, times: number) {
  const state = createTempFolder();
  const folder = { root: state, workspace: state, hasOwnWorkspace: true, state, home: state, temporary: state };
  const parts = {
    folder: { ...folder, artifacts: state, resultFile: state, questionFile: state },
    searchPath: '',
    execute: async (_: unknown, onOutput: (stream: 'stdout', chunk: Uint8Array) => Promise<void>) => {
      const bytes = Buffer.from(chunk);
      for (let time = 0; time < times; time += 1) await onOutput('stdout', bytes);
      return { kind: 'ended', exitCode: 0, signal: null, timedOut: false, leftProcesses: 0 } as const;
    },
  };
  return listGit(parts as unknown as Parameters<typeof listGit>[0], ['config'], { isKept: entry => entry !== 'no' });
}

test('a listing of thousands of entries is read completely among many others', async () => {
  expect(await list(`lib/a\0${'no\0'.repeat(1000)}`, 5000)).toHaveLength(5000);
});

test.each([
  ['many', 'a\0'.repeat(1000), 100],
  ['long', `${'a'.repeat(60_000)}\0`, 400],
])('a listing of too %s entries is refused with a sentence', async (_, chunk, times) => {
  const listing = list(chunk, times);
  await expect(listing).rejects.toThrow(GitFault);
  await expect(listing).rejects.toThrow('git config reports more than 20000 entries or 16 MiB');
});
