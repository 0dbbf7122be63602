import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readActionMetadata } from '../../../src/testing/action/action-metadata.ts';
import { ActionMetadataError, createFakeRunner } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

function writeMetadata(text: string): string {
  const folder = createTempFolder();
  writeFileSync(join(folder, 'action.yaml'), text);
  writeFileSync(join(folder, 'main.js'), '');
  return folder;
}

test('inputs keep the order of the file, their defaults as text', () => {
  const folder = writeMetadata(
    'inputs: { zeta: { default: true }, alpha: { default: 3, deprecationMessage: no more }, none: }\nruns: { using: node24, main: main.js }\n',
  );
  expect([...readActionMetadata(folder).inputs]).toEqual([
    ['zeta', { default: 'true', deprecationMessage: undefined }],
    ['alpha', { default: '3', deprecationMessage: 'no more' }],
    ['none', { default: '', deprecationMessage: undefined }],
  ]);
});

test.each([
  ['runs: { using: composite, steps: [] }', 'only JavaScript actions'],
  ['runs: { using: node24 }', 'runs.main is missing'],
  ['runs: { using: node24, main: gone.js }', 'does not exist'],
  ['runs: { using: node24, main: main.js, post: gone.js }', 'does not exist'],
  ['runs: { using: node24, main: main.js, post-if: success() }', 'only always()'],
  ['- a list', 'a mapping is expected'],
  ['runs: { using: [', 'action.yaml'],
])('%s is refused when the runner is made', async (text, reason) => {
  const making = createFakeRunner({ actionDir: writeMetadata(text) });
  await expect(making).rejects.toThrow(ActionMetadataError);
  await expect(making).rejects.toThrow(reason);
});

test('a folder without metadata is refused by name', async () => {
  const folder = createTempFolder();
  await expect(createFakeRunner({ actionDir: folder })).rejects.toThrow(`under '${folder}'`);
});
