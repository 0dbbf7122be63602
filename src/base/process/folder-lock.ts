/**
 * Tells whether a server uses a data folder: a server holds an exclusive transaction on a file there while it runs.
 */
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

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

/** SQLITE_BUSY is the only fault that means "locked". */
export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === 5;
}
