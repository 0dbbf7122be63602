/** Text that is cut inside a secret shows nothing of it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createRedactor } from '../../../src/border/secrets.ts';
import { sizes } from '../../../src/contract/tables/sizes.ts';
import { readResultFile } from '../../../src/server/output/result-file.ts';
import { runHostGit } from '../../../src/server/workspace/git-host.ts';
import { createRunFolder, locateRunFolder } from '../../../src/server/workspace/run-folder.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const key = 'sk-model-key-0123456789abcdef';
const redactor = createRedactor([key]);

async function read(text: string) {
  const path = join(createTempFolder(), 'result.md');
  await writeFile(path, text);
  return await readResultFile(path, redactor);
}

test('a result file whose kept end begins inside a secret shows nothing of it', async () => {
  for (const within of [1, 12, key.length - 1]) {
    const result = await read(`ü${key}${'y'.repeat(sizes.resultBytes - within)}`);
    expect(result?.text.replaceAll('y', '')).toMatch(/^ü?\**$/);
  }
});

test('many secrets in the end of a result file do not bring back earlier text', async () => {
  const result = await read(`${'a'.repeat(2_000_000)}${key.repeat(300_000)}`);
  expect(result?.text.replace(/^a*/, '')).toBe('***');
});

test('the cut part of a result file is counted to the byte', async () => {
  const result = await read(`${'ü'.repeat(3_000_000)}é`);
  expect(result?.text.length).toBe(sizes.resultBytes / 2);
  expect(result?.leftOutBytes).toBe(6_000_002 - sizes.resultBytes);
});

test('an answer found in a file that ends with a cut secret does not show it', async () => {
  const result = await read(`Done with ${key}.${'\n'.repeat(sizes.resultBytes + 200_000)}`);
  expect(result?.text.trim()).toBe('Done with ***.');
});

test('a host’s message that is cut inside the token shows nothing of it', async () => {
  const folder = locateRunFolder(createTempFolder(), 'a');
  await createRunFolder(folder);
  const credential = btoa(`x-access-token:${key}`);
  for (const secret of [key, credential]) {
    const { output } = await runHostGit(
      {
        folder,
        searchPath: '/usr/bin',
        signal: new AbortController().signal,
        git: { hosts: { 'git.example.com': { token: key, apiUrl: 'https://git.example.com' } }, env: {} },
        execute: async (_command, onOutput) => {
          await onOutput('stderr', Buffer.from(`${secret}${secret}${'y'.repeat(16 * 1024 - secret.length - 4)}`));
          return {
            kind: 'ended',
            exitCode: 1,
            signal: undefined,
            stopped: undefined,
            leftovers: 0,
            survivors: 0,
            survivorPids: [],
          };
        },
      },
      'https://git.example.com/octo-org/shop',
      ['fetch'],
    );
    expect(output.replaceAll('y', '')).toMatch(/^\**$/);
  }
});
