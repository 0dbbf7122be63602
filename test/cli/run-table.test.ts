import { expect, test } from 'vitest';
import { printRunTable } from '../../src/cli/run-table.ts';
import { createRun, runId } from '../client/fixtures.ts';

const now = Date.parse('2030-01-01T00:05:00.000Z');

test('without names there is no column for them', () => {
  expect(printRunTable([createRun('QUEUED')], { now, columns: 80 })).toEqual([
    'RUN       STATE   AGE    TITLE',
    `${runId.slice(-8)}  QUEUED  5 min  A title`,
  ]);
});

test('on a narrow terminal id, state and age stay whole', () => {
  const [, line] = printRunTable([createRun('INPROGRESS')], { now, columns: 40 });
  expect(line).toBe(`${runId.slice(-8)}  INPROGRESS  5 min  A title`);
});

test('a long name leaves room for the title', () => {
  const runs = [createRun('QUEUED', { agent_config: { name: 'n'.repeat(60) } }), createRun('QUEUED')];
  const [, line] = printRunTable(runs, { now, columns: 80 });
  expect(line).toBe(`${runId.slice(-8)}  QUEUED  5 min  ${'n'.repeat(15)}…  A title`);
});
