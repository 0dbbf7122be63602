import { expect, test } from 'vitest';
import { labelOfStep, printTitle } from '../../../src/action/report/heading.ts';

test.each([
  ['null', undefined, undefined],
  ['null', 'nightly', 'nightly'],
  ['{"os":"ubuntu-24.04","node":22}', 'nightly', 'ubuntu-24.04, 22'],
  ['{"target":{"os":"linux","arch":["x64","arm64"]},"fast":false,"none":null}', undefined, 'linux, x64, arm64, false'],
  ['{}', undefined, undefined],
  ['{"os":""}', 'nightly', 'nightly'],
  ['no JSON', undefined, undefined],
])('a step of the leg %s with the name %j is told by %j', (matrix, name, label) => {
  expect(labelOfStep({ matrix, name })).toBe(label);
});

test('a long label is cut', () => {
  expect(labelOfStep({ matrix: JSON.stringify({ a: 'x'.repeat(5000) }), name: undefined })?.length).toBeLessThan(200);
});

test('a title that says the label already does not say it twice', () => {
  expect([printTitle('Tidy', 'docs'), printTitle('Tidy docs', 'docs'), printTitle(' ', 'docs')]).toEqual([
    'Tidy (docs)',
    'Tidy docs',
    'agent run (docs)',
  ]);
  expect([printTitle('Tidy', undefined), printTitle(undefined, undefined)]).toEqual(['Tidy', 'agent run']);
});
