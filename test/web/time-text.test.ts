import { expect, test } from 'vitest';
import { printAgo, printMoment, printSpan } from '../../src/web/time-text.ts';

test('a duration has its two largest units', () => {
  expect([-5, 0, 350, 4230, 61_000, 3_600_000, 3_725_000, 90_000_000, 86_405_000].map(printSpan)).toEqual([
    '0 ms',
    '0 ms',
    '350 ms',
    '4.2 s',
    '1 min 1 s',
    '1 h',
    '1 h 2 min',
    '1 d 1 h',
    '1 d',
  ]);
});

test('an age has its largest unit, and is never negative', () => {
  expect([-60_000, 1999, 59_999, 60_000, 7_300_000, 200_000_000].map(printAgo)).toEqual([
    'just now',
    'just now',
    '59 s ago',
    '1 min ago',
    '2 h ago',
    '2 d ago',
  ]);
});

test('a moment has seconds and a time zone', () => {
  expect(printMoment('2030-01-31T12:03:04.567Z')).toBe('2030-01-31 12:03:04 UTC');
});
