import { closeSync, fstatSync, readSync, writeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { hasProcessTable } from '../../../src/server/executor/cleanup/process-table.ts';
import { PipeStock } from '../../../src/server/executor/pipe-stock.ts';
import { directSpawner } from '../../../src/server/executor/spawning/spawner.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

// A program of another run could open a name, or put another file in its place.
test.skipIf(!hasProcessTable)('pipes have no names, are all different, and nobody else holds them', async () => {
  const stock = new PipeStock(directSpawner);
  onTestFinished(() => stock.close());
  const names = new Set<string>();
  for (let taken = 0; taken < 10; taken += 1) {
    const { out, err } = await stock.take('/nonexistent');
    for (const { reading, writing, name } of [out, err]) {
      names.add(name);
      expect(fstatSync(reading).isFIFO()).toBe(true);
      writeSync(writing, 'text');
      closeSync(writing);
      const buffer = Buffer.alloc(9);
      expect([readSync(reading, buffer), readSync(reading, buffer)]).toEqual([4, 0]);
      closeSync(reading);
    }
  }
  expect(names.size).toBe(20);
  for (const name of names) expect(name).toMatch(/^pipe:\[\d+\]$/);
});

test.skipIf(hasProcessTable)(
  'pipes that cannot be made in the folder of one run are made in that of the next',
  async () => {
    const stock = new PipeStock(directSpawner);
    onTestFinished(() => stock.close());
    const [broken, sound] = await Promise.allSettled([stock.take('/nonexistent'), stock.take(createTempFolder())]);
    expect(broken).toMatchObject({ status: 'rejected' });
    if (sound.status === 'rejected') throw sound.reason;
    const { out, err } = sound.value;
    for (const { reading, writing } of [out, err]) for (const fd of [reading, writing]) closeSync(fd);
  },
);
