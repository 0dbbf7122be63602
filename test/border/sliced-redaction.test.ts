import { setImmediate } from 'node:timers/promises';
import { afterEach, expect, test, vi } from 'vitest';
import { createRedactor, type Redactor } from '../../src/border/secrets.ts';
import { openSlicedStream } from '../../src/border/sliced-redaction.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Notes the slices. Each takes `msOf` of a clock that only they move. */
function createTimed(slices: string[], msOf: (slice: string) => number): Redactor {
  let nowMs = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => nowMs);
  return {
    redact: text => text,
    openStream: () => ({
      push(slice) {
        slices.push(slice);
        nowMs += msOf(slice);
        return slice;
      },
      end: () => '',
    }),
  };
}

test('slices of a long text are redacted like the whole', async () => {
  const redactor = createRedactor(['secret-0815']);
  const text = Array.from({ length: 20_000 }, (_, at) => (at % 7 === 0 ? 'secret-0815' : 'ü')).join('');
  const stream = openSlicedStream(redactor);
  expect((await stream.push(text)) + stream.end()).toBe(redactor.redact(text));
});

test('slices become smaller when they are slow, and larger again', async () => {
  const slices: string[] = [];
  const stream = openSlicedStream(createTimed(slices, slice => (slice.startsWith('a') ? 6 : 0.5)));
  await stream.push('a'.repeat(100_000));
  const sizes = slices.map(slice => slice.length);
  expect(sizes.slice(0, 8)).toEqual([16384, 8192, 4096, 2048, 1024, 512, 256, 256]);
  slices.length = 0;
  await stream.push('b'.repeat(200_000));
  expect(slices.map(slice => slice.length).slice(5)).toEqual([8192, 16384, 32768, 65536, 65536, 3648]);
});

test('short texts do not make the next slice larger', async () => {
  const slices: string[] = [];
  const stream = openSlicedStream(createTimed(slices, slice => (slice.startsWith('a') ? 6 : 0.5)));
  await stream.push('a'.repeat(16384 + 8192));
  for (let count = 0; count < 10; count += 1) await stream.push('b');
  slices.length = 0;
  await stream.push('a'.repeat(10_000));
  expect(slices[0]?.length).toBe(4096);
});

test('slow slices of several streams take turns of the event loop, and fast ones need none', async () => {
  const slices: string[] = [];
  const redactor = createTimed(slices, () => 6);
  let isOver = false;
  /** Slices in each turn. */
  const counts: number[] = [];
  const count = async () => {
    while (!isOver) {
      const before = slices.length;
      await setImmediate();
      counts.push(slices.length - before);
    }
  };
  const counting = count();
  const texts = ['a', 'b', 'c'].map(letter => letter.repeat(30_000));
  const shown = await Promise.all(texts.map(text => openSlicedStream(redactor).push(text)));
  isOver = true;
  await counting;
  expect(shown).toEqual(texts);
  // All of them begin at once.
  expect(Math.max(...counts.slice(1))).toBe(1);
  vi.restoreAllMocks();
  let hasTurned = false;
  const turned = setImmediate().then(() => {
    hasTurned = true;
  });
  await openSlicedStream(createTimed([], () => 0.1)).push('a'.repeat(100_000));
  expect(hasTurned).toBe(false);
  await turned;
});
