import { statfs } from 'node:fs/promises';
import { sizes } from '../../contract/tables/sizes.ts';
import { describeError } from '../error-text.ts';
import type { WriterQueue } from './sqlite/writer-queue.ts';

/** With less than one request may have, the next run may find no place. */
const leastFreeBytes = sizes.bodyBytes;

/** Why nothing can be written now: looks at the space in the folder, then writes. */
export async function findWriteFault(
  queue: WriterQueue,
  { folder, now }: { readonly folder: string | undefined; readonly now: number },
): Promise<string | undefined> {
  try {
    const space = folder === undefined ? undefined : await statfs(folder);
    // Some file systems have no such numbers.
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
