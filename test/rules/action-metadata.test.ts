import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { readInputs } from '../../src/action/inputs/inputs.ts';
import { emptyOutputs } from '../../src/action/report/outputs.ts';
import { version } from '../../src/base/version.ts';
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

test('the version stands in one place', () => {
  expect(JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).version).toBe(version);
});
