import { expect, test } from 'vitest';
import { createLifeSign } from '../../../src/cli/terminal/life-sign.ts';
import { createHandClock } from '../../support/hand-clock.ts';

function open(canReplace: boolean) {
  const clock = createHandClock();
  const shown: unknown[] = [];
  const note = (line: unknown) => void shown.push(line);
  const showStatus = (line: unknown) => {
    if (canReplace) note(line);
    return canReplace;
  };
  const showLife = createLifeSign({ note, showStatus }, clock);
  const lookAfter = (ms: number, count = 0) => {
    clock.advance(ms);
    showLife('INPROGRESS', count);
  };
  return { shown, lookAfter };
}

test('a terminal shows the state and the time at each look', () => {
  const { shown, lookAfter } = open(true);
  lookAfter(1000);
  lookAfter(71_000);
  expect(shown).toEqual(['INPROGRESS, 1 s', 'INPROGRESS, 1 min 12 s']);
});

test('a log gets a line after each minute without another', () => {
  const { shown, lookAfter } = open(false);
  lookAfter(59_000);
  lookAfter(1000, 1);
  lookAfter(59_000, 1);
  expect(shown).toEqual([]);
  lookAfter(1000, 1);
  lookAfter(1000, 1);
  expect(shown).toEqual(['still INPROGRESS, 2 min 0 s']);
});
