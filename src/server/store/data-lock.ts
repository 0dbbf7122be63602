import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
}

/**
 * The exclusive lock on a data folder, held for the server's life. Node has no file locks of its own, and SQLite does: an open exclusive
 * transaction on a file of its own is such a lock, and the kernel drops it however the process ends.
 * Throws DataFolderInUseError when another server holds it.
 */
export function lockDataFolder(folder: string): { release(): void } {
  const database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0 });
  const holder = join(folder, 'server.pid');
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw new DataFolderInUseError(
      `the data folder ${folder} is in use by another server${readHolder(holder)}; stop that one, or give another folder with --data`,
      { cause: error },
    );
  }
  writeFileSync(holder, `${process.pid}\n`);
  return {
    release() {
      database.exec('ROLLBACK');
      database.close();
    },
  };
}

function readHolder(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
