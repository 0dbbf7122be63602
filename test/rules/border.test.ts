import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';

/** Files outside the border with `***` in their code, and what it is there. */
const otherMasks: Readonly<Record<string, string>> = {
  'action/connect/proxies.ts': 'the user of an address, known or not',
  'action/text/render-markdown.ts': 'a rule in Markdown',
  'contract/mcp-secrets.ts': 'whole fields of a configuration',
  'testing/commands/command-interpreter.ts': 'a command that the runner prints',
};

const root = resolve(import.meta.dirname, '../../src');
const outside = readdirSync(root, { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => file.split(sep).join('/'))
  .filter(file => !file.startsWith('border/'))
  .map(file => ({ file, code: readFileSync(join(root, file), 'utf8').replace(/^\s*(\/\/|\/?\*).*$/gm, '') }));
const filesWith = (pattern: RegExp) => outside.filter(({ code }) => pattern.test(code)).map(({ file }) => file);

test('secrets are redacted by the border alone', () => {
  expect(filesWith(/\*\*\*/).sort()).toEqual(Object.keys(otherMasks));
});

test('no other file searches text for a secret or its encodings', () => {
  const secret = /\w*(secret|token|password|apiKey|credential)\w*/i.source;
  expect(filesWith(new RegExp(`\\.replace(All)?\\(\\s*${secret}\\s*,`, 'i'))).toEqual([]);
  expect(filesWith(new RegExp(`new RegExp\\([^)]*\\b${secret}`, 'i'))).toEqual([]);
  expect(filesWith(/btoa\('\\0'/)).toEqual([]);
  // The forms of a secret are told to the runner, which masks its own log.
  expect(filesWith(/\bformsOf\b/)).toEqual(['action/host/masks.ts']);
});
