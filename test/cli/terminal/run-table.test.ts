import { expect, test } from 'vitest';
import { printRunTable } from '../../../src/cli/terminal/run-table.ts';
import { createRun, runId } from '../../client/fixtures.ts';

const now = Date.parse('2030-01-01T00:05:00.000Z');

test('without names there is no NAME column', () => {
  expect(printRunTable([createRun('QUEUED')], { now, columns: 80 })).toEqual([
    'RUN       STATE   AGE    TITLE',
    `${runId.slice(-8)}  QUEUED  5 min  A title`,
  ]);
});

const named = createRun('INPROGRESS', { title: 'Tidy up the tests of the cart', agent_config: { name: 'nightly' } });
const id = runId.slice(-8);

test.for([
  [60, `${id}  INPROGRESS  5 min  nightly  Tidy up the tests of …`],
  [50, `${id}  INPROGRESS  5 min  Tidy up the tests of…`],
  [40, `${id}  INPROGRESS  Tidy up the tests…`],
] as const)(
  'on a terminal of %d columns the title keeps its room: NAME is dropped first, then AGE',
  ([columns, expected]) => {
    expect(printRunTable([named], { now, columns })[1]).toBe(expected);
  },
);

test('on the narrowest terminal id and state stay whole', () => {
  expect(printRunTable([named], { now, columns: 10 })[1]).toBe(`${id}  INPROGRESS …`);
});

test('a long name leaves room for the title', () => {
  const runs = [createRun('QUEUED', { agent_config: { name: 'n'.repeat(60) } }), createRun('QUEUED')];
  const [, line] = printRunTable(runs, { now, columns: 80 });
  expect(line).toBe(`${runId.slice(-8)}  QUEUED  5 min  ${'n'.repeat(15)}…  A title`);
});
