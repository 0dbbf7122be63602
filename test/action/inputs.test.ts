import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { InputError, readInputs } from '../../src/action/inputs/inputs.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { createFakeHost } from './fake-host.ts';

const read = (inputs: Readonly<Record<string, string>>, variables = {}) =>
  readInputs(createFakeHost({ prompt: 'x', ...inputs }, variables));

test('a prompt is kept exactly as written, and identifiers are trimmed', () => {
  expect(read({ prompt: '    code\n\n  more \n', model_id: 'm-1 ', name: ' n' })).toMatchObject({
    prompt: '    code\n\n  more \n',
    modelId: 'm-1',
    name: 'n',
  });
});

test('empty inputs are undefined or the default', () => {
  expect(read({ wait: '', timeout_minutes: ' ', title: '' })).toMatchObject({
    wait: true,
    timeoutMs: 3_600_000,
    title: undefined,
    apiKey: undefined,
  });
});

test.each([
  ['True', true],
  ['FALSE', false],
  ['false', false],
])('wait: %s is %s', (word, expected) => {
  expect(read({ wait: word }).wait).toBe(expected);
});

test.each([
  [{ wait: 'no' }, '`wait`: "no" is no boolean; it takes true or false'],
  [{ timeout_minutes: '0' }, '`timeout_minutes`: "0"'],
  [{ timeout_minutes: '-1' }, '`timeout_minutes`'],
  [{ timeout_minutes: '1h' }, 'such as 90 or 0.5'],
  [{ timeout_minutes: '1e9' }, '`timeout_minutes`'],
  [{ skill_spec: 'review' }, 'owner/repo:skill-name or owner/repo:path/to/SKILL.md'],
  [{ prompt: ' \n ' }, 'nothing to run'],
  [{ prompt: '${{ inputs.task }}' }, 'nobody evaluated'],
  [{ name: '${{ github.actor }}' }, '`name` begins with ${{'],
  [{ prompt_file: 'p.md' }, 'both given'],
  [{ prompt: '', prompt_file: 'missing.md' }, '"missing.md" cannot be read'],
])('%j is refused by name, value and remedy', (inputs, message) => {
  expect(() => read(inputs)).toThrow(InputError);
  expect(() => read(inputs)).toThrow(message);
});

test('a prompt file is read below the workspace, whatever its size, and has to be UTF-8', () => {
  const workspace = createTempFolder();
  writeFileSync(join(workspace, 'p.md'), `  ${'x'.repeat(500_000)}\n`);
  writeFileSync(join(workspace, 'latin.md'), Buffer.from([0x66, 0xfc, 0x72]));
  writeFileSync(join(workspace, 'blank.md'), '\n\n');
  const at = (file: string) => read({ prompt: '', prompt_file: file }, { GITHUB_WORKSPACE: workspace });
  expect(at('p.md').prompt).toHaveLength(500_003);
  expect(() => at('latin.md')).toThrow('it is not UTF-8');
  expect(() => at('blank.md')).toThrow('is empty');
});

test('a key is masked before anything can print it, line by line, and never stands in an error', () => {
  const host = createFakeHost({ prompt: 'x', api_key: 'first-line\nsecond-line\n', wait: 'maybe' });
  expect(() => readInputs(host)).toThrow(InputError);
  expect(host.masks).toEqual(['first-line', 'second-line']);
  const short = createFakeHost({ prompt: 'x', api_key: 'run' });
  readInputs(short);
  expect(short.warnings.join()).toContain('shorter than 8');
});
