/** Whether a server works in a data folder: it holds an exclusive transaction on a file there for its life. */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Whether a server holds the lock now. */
export function isDataFolderLocked(folder: string): boolean {
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(join(folder, 'lock.sqlite'), { timeout: 0, readOnly: true });
    database.exec('SELECT count(*) FROM sqlite_master');
    return false;
  } catch (error) {
    return isBusy(error);
  } finally {
    database?.close();
  }
}

/** SQLITE_BUSY, of all the faults of SQLite. */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
