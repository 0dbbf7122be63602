import { closeSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { PipeStock } from '../../../src/server/executor/pipe-stock.ts';
import { directSpawner } from '../../../src/server/executor/spawning/spawner.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

test('pipes that cannot be made in the folder of one run are made in that of the next', async () => {
  const stock = new PipeStock(directSpawner);
  onTestFinished(() => stock.close());
  const [broken, sound] = await Promise.allSettled([stock.take('/nonexistent'), stock.take(createTempFolder())]);
  expect(broken).toMatchObject({ status: 'rejected' });
  if (sound.status === 'rejected') throw sound.reason;
  const { out, err } = sound.value;
  for (const { reading, writing } of [out, err]) for (const fd of [reading, writing]) closeSync(fd);
});
