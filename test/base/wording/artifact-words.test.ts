import { expect, test } from 'vitest';
import { printArtifact, printBytes } from '../../../src/base/wording/artifact-words.ts';

test.each([
  ['FILE', { filename: 'a.patch', filepath: 'a.patch', size_bytes: 812 }, 'file: a.patch, 812 bytes'],
  ['FILE', { filename: 'a.txt', filepath: 'deep/a.txt', path: '/tmp/x' }, 'file: deep/a.txt, /tmp/x'],
  ['FILE', { filename: 'a.txt', path: null }, 'file: a.txt, not kept'],
  ['PULL_REQUEST', { url: 'https://x.example/7', branch: 'b' }, 'pull request: https://x.example/7, b'],
  [
    'EXTERNAL_REFERENCE',
    { reference_type: 'branch', title: 'agent-run/1', url: 'https://x.example' },
    'branch: agent-run/1, https://x.example',
  ],
  ['DREAM', null, 'dream: dream'],
])('%s %j is named once: %s', (artifact_type, data, words) => {
  expect(printArtifact({ artifact_type, data })).toBe(words);
});

test.each([
  [0, '0 bytes'],
  [999, '999 bytes'],
  [1500, '1.5 KB'],
  [999_499, '999 KB'],
  [999_999, '1 MB'],
  [256 * 1024 * 1024, '268 MB'],
])('%d bytes are printed as %s', (bytes, words) => {
  expect(printBytes(bytes)).toBe(words);
});
