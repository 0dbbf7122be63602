import { statfs } from 'node:fs/promises';
import { sizes } from '../../contract/tables/sizes.ts';
import { describeError } from '../error-text.ts';
import type { WriterQueue } from './sqlite/writer-queue.ts';

/** With less free space than one request may take, the next run may not fit. */
const leastFreeBytes = sizes.bodyBytes;

/** Checks the free space in the folder, then writes. Returns why nothing can be written, or undefined. */
export async function findWriteFault(
  queue: WriterQueue,
  { folder, now }: { readonly folder: string | undefined; readonly now: number },
): Promise<string | undefined> {
  try {
    const space = folder === undefined ? undefined : await statfs(folder);
    // Some file systems do not report sizes.
    if (space !== undefined && space.blocks > 0 && space.bavail * space.bsize < leastFreeBytes)
      return `the disk of the data folder is full: less than ${leastFreeBytes / 1024 / 1024} MiB is free`;
    await queue.run(async ({ database }) => {
      await database
        .replaceInto('settings')
        .values({ name: 'written_at', value: String(now) })
        .execute();
    });
    return undefined;
  } catch (error) {
    return `cannot write to the data folder: ${describeError(error)}`;
  }
}
