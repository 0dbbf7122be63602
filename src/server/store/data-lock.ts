import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { messageOf } from '../../base/cause.ts';
import { isBusy } from '../../base/process/folder-lock.ts';

export class DataFolderInUseError extends Error {
  override readonly name = 'DataFolderInUseError';
}

/**
 * Holds an exclusive lock on a data folder for the server's life. Node has no file locks, so this uses SQLite's: an
 * open exclusive transaction on a separate file. The kernel drops it however the process ends. Throws
 * DataFolderInUseError if another server holds it.
 */
export function lockDataFolder(folder: string): { release(): void } {
  const file = join(folder, 'lock.sqlite');
  const holder = join(folder, 'server.pid');
  let database: DatabaseSync | undefined;
  try {
    // A command that checks for a running server holds a shared lock for a moment.
    database = new DatabaseSync(file, { timeout: 300 });
    database.exec('BEGIN EXCLUSIVE');
    writeFileSync(holder, `${process.pid}\n`);
  } catch (error) {
    database?.close();
    throw isBusy(error) ? inUse(folder, holder, error) : new Error(explainFault(file, error), { cause: error });
  }
  const held = database;
  return {
    release() {
      rmSync(holder, { force: true });
      held.exec('ROLLBACK');
      held.close();
    },
  };
}

function inUse(folder: string, holder: string, cause: unknown): DataFolderInUseError {
  return new DataFolderInUseError(
    `the data folder ${folder} is in use by another server${readHolder(holder)}; stop it, or choose another folder with --data`,
    { cause },
  );
}

function explainFault(file: string, error: unknown): string {
  const why = messageOf(error);
  const remedy = /not a database|malformed/.test(why)
    ? 'the file holds only a lock, so remove it'
    : 'check that the folder is writable and the disk has free space';
  return `cannot lock the data folder with ${file}: ${why}; ${remedy}`;
}

function readHolder(file: string): string {
  try {
    return ` (process ${readFileSync(file, 'utf8').trim()})`;
  } catch {
    return '';
  }
}
