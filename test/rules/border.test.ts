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

/** Files outside the border that name escape sequences or classes of control characters, and why. */
const otherControls: Readonly<Record<string, string>> = {
  'base/artifact-files.ts': 'characters that Windows refuses in a path',
  'cli/terminal/command-shell.ts': 'removes its own line of status',
  'contract/create.ts': 'characters that git refuses in a ref',
  'server/environments/checkout.ts': 'characters that git refuses in a ref',
  'testing/log/log-renderer.ts': 'keeps the colors that a program printed',
};
/** A sequence begins with ESC; a class names a category, or a range that begins or ends within the controls. */
const controls =
  /\\(?:x1b|u001b|e\[|033)|\\p\{C[cf]\}|stripVTControl|fromCharCode\(27\)|\\(?:0|[xu](?:00)?[01]?[\da-f])-\\[xu](?:00)?[01][\da-f]/i;
/** The places that write what people read, and what guards them. */
const sinks: Readonly<Record<string, RegExp>> = {
  'action/host/host.ts': /toolkit\.info\(logLine\(/,
  'cli/terminal/command-shell.ts': /terminalText\(text\)/,
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

test('escape sequences and control characters are a matter of the border alone', () => {
  expect(filesWith(controls).sort()).toEqual(Object.keys(otherControls));
});

test.each([
  String.raw`/\x1b\[0m/`,
  String.raw`'\u001b]0;'`,
  String.raw`/[\0-\x1f]/`,
  String.raw`/[\u0000-\u0008]/`,
  String.raw`/\p{Cc}/u`,
])('the rule sees %s', code => {
  expect(code).toMatch(controls);
});

test('the log of a step and the terminal of a command are written in one place each, which guards every line', () => {
  const writers = /\btoolkit\.(info|notice|warning|error|debug|startGroup)\b|\b(stdout|stderr)\.write\b|\bconsole\./;
  const rooms = outside.filter(({ file }) => /^(action|cli)\//.test(file));
  expect(rooms.filter(({ code }) => writers.test(code)).map(({ file }) => file)).toEqual(Object.keys(sinks));
  for (const { file, code } of rooms) if (sinks[file] !== undefined) expect(code).toMatch(sinks[file]);
});
