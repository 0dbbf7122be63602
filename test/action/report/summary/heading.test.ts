import { expect, test } from 'vitest';
import { labelOfStep, printTitle } from '../../../../src/action/report/summary/heading.ts';

test.each([
  ['null', undefined, undefined],
  ['null', 'nightly', 'nightly'],
  ['{"os":"ubuntu-24.04","node":22}', 'nightly', 'ubuntu-24.04, 22'],
  ['{"target":{"os":"linux","arch":["x64","arm64"]},"fast":false,"none":null}', undefined, 'linux, x64, arm64, false'],
  ['{}', undefined, undefined],
  ['{"os":""}', 'nightly', 'nightly'],
  ['no JSON', undefined, undefined],
])('a step of the leg %s with the name %j has the label %j', (matrix, name, label) => {
  expect(labelOfStep({ matrix, name })).toBe(label);
});

test('a long label is cut', () => {
  expect(labelOfStep({ matrix: JSON.stringify({ a: 'x'.repeat(5000) }), name: undefined })?.length).toBeLessThan(200);
});

test('legs keep their labels even if the title has all their words', () => {
  const titles = ['20', '22'].map(leg => printTitle('Node 20 and 22, report of 2026-11-22', leg));
  expect(titles).toEqual(['Node 20 and 22, report of 2026-11-22 (20)', 'Node 20 and 22, report of 2026-11-22 (22)']);
});

test('a title is followed by its label, unless they are equal', () => {
  expect([printTitle('Mend it.', undefined), printTitle('Mend it:', 'docs'), printTitle('…:', undefined)]).toEqual([
    'Mend it',
    'Mend it (docs)',
    '…',
  ]);
  expect([printTitle('Tidy', 'docs'), printTitle('docs', 'docs'), printTitle(' ', 'docs')]).toEqual([
    'Tidy (docs)',
    'docs',
    'agent run (docs)',
  ]);
  expect([printTitle('Tidy', undefined), printTitle(undefined, undefined)]).toEqual(['Tidy', 'agent run']);
});
