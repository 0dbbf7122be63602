import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { applyInputNames, inputNames, peerInputs } from '../../src/action/inputs/input-names.ts';
import { readInputs } from '../../src/action/inputs/inputs.ts';
import { emptyOutputs } from '../../src/action/report/outputs.ts';
import { readApplyInputs } from '../../src/apply/apply-inputs.ts';
import { emptyApplyOutputs } from '../../src/apply/report-ending.ts';
import { version } from '../../src/base/process/version.ts';
import { createFakeHost } from '../action/fake-host.ts';

const root = resolve(import.meta.dirname, '../..');
const metadata = parse(readFileSync(join(root, 'action.yml'), 'utf8'));
const sources = readdirSync(join(root, 'src/action'), { recursive: true, encoding: 'utf8' })
  .filter(file => file.endsWith('.ts'))
  .map(file => readFileSync(join(root, 'src/action', file), 'utf8'))
  .join('\n');

test('the code asks for exactly the inputs that action.yml declares', () => {
  const asked = [...sources.matchAll(/\bread(?!Step|Secret)[A-Z]\w*\(host, '(\w+)'|\breadSecret\(host, '(\w+)'/g)].map(
    ([, by, directly]) => by ?? directly,
  );
  expect([...new Set(asked)].toSorted()).toEqual(Object.keys(metadata.inputs).toSorted());
});

test('a misspelled input is looked for among those that action.yml declares', () => {
  expect(inputNames.toSorted()).toEqual(Object.keys(metadata.inputs).toSorted());
});

test.each(Object.entries(peerInputs))(
  'the page on other actions has every input of %s, and ours in its place',
  (action, names) => {
    const page = readFileSync(join(root, 'docs/coming-from-another-action.md'), 'utf8');
    const part = page.split(/^## /m).find(text => text.startsWith(`From \`${action}\``)) ?? '';
    const rows = part
      .split('\n')
      .filter(line => line.startsWith('| `'))
      .map(line => line.split(' | '));
    const listed = rows.flatMap(([theirs = '', ours = '']) =>
      [...theirs.matchAll(/`([^`]+)`/g)].map(([, name = '']) => ({ name, ours })),
    );
    expect(listed.map(({ name }) => name).toSorted()).toEqual(names.map(entry => entry.replace(/=.*/, '')).toSorted());
    for (const [name, counterpart] of names.map(entry => entry.split('=')))
      if (counterpart !== undefined)
        expect(listed.find(row => row.name === name)?.ours).toMatch(
          new RegExp(`\`${counterpart.replace(/:.*/, '')}\\b`),
        );
  },
);

test('the outputs of the code are those of action.yml', () => {
  expect(Object.keys(emptyOutputs).toSorted()).toEqual(Object.keys(metadata.outputs).toSorted());
});

test('the defaults of action.yml are those of the code', async () => {
  const declared = Object.entries(metadata.inputs as Record<string, { default?: string }>).flatMap(
    ([name, { default: usual }]) => (usual === undefined || usual.startsWith('${{') ? [] : [[name, usual] as const]),
  );
  const read = (inputs: Readonly<Record<string, string>>) => readInputs(createFakeHost({ prompt: 'x', ...inputs }));
  expect(await read(Object.fromEntries(declared))).toEqual(await read({}));
});

test('apply has the inputs, defaults and outputs that its action.yml declares', async () => {
  const { inputs, outputs } = parse(readFileSync(join(root, 'apply/action.yml'), 'utf8'));
  expect(applyInputNames.toSorted()).toEqual(Object.keys(inputs).toSorted());
  expect(Object.keys(emptyApplyOutputs).toSorted()).toEqual(Object.keys(outputs).toSorted());
  const declared = Object.entries(inputs as Record<string, { default?: string }>).flatMap(
    ([name, { default: usual }]) => (usual === undefined || usual.startsWith('${{') ? [] : [[name, usual] as const]),
  );
  const read = (given: Readonly<Record<string, string>>) =>
    readApplyInputs(createFakeHost({ result: '{}', github_token: 'a-token-of-a-test', ...given }));
  expect(await read(Object.fromEntries(declared))).toEqual(await read({}));
});

test('the version stands in one place', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(version);
});
