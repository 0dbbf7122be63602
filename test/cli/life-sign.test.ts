import { expect, test } from 'vitest';
import { LifeSign } from '../../src/cli/life-sign.ts';
import { createHandClock } from '../support/hand-clock.ts';

function open(canReplace: boolean) {
  const clock = createHandClock();
  const shown: unknown[] = [];
  const show = (line: unknown) => void shown.push(line);
  const life = new LifeSign({ canReplace, note: show, showStatus: show }, clock);
  life.setState('INPROGRESS');
  const lookAfter = (ms: number) => {
    clock.advance(ms);
    life.look();
  };
  return { life, shown, lookAfter };
}

test('a terminal shows the state and the time at each look', () => {
  const { shown, lookAfter } = open(true);
  lookAfter(1000);
  lookAfter(71_000);
  expect(shown).toEqual(['INPROGRESS, 1 s', 'INPROGRESS, 1 min 12 s']);
});

test('a log gets a line after each minute without another', () => {
  const { life, shown, lookAfter } = open(false);
  lookAfter(59_000);
  life.reset();
  lookAfter(59_000);
  expect(shown).toEqual([]);
  lookAfter(1000);
  lookAfter(1000);
  expect(shown).toEqual(['still INPROGRESS, 1 min 59 s']);
});
