/**
 * Protects the runner's files from an agent that runs as the step's own user and can write to them. The step's own
 * content is recorded and restored. No agent can give later steps a variable, a PATH entry, an output or a changed
 * event, or break the step's own outputs.
 */
import { randomUUID } from 'node:crypto';
import { chmodSync, lstatSync, renameSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readPlainFileSync } from '../../border/files.ts';
import { makeFolder } from '../../border/folders.ts';

/**
 * Variables of the runner's files, and of the event, which later steps read too. Files that make later steps run
 * something are restored first.
 */
const runnerFiles = [
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_STATE',
  'GITHUB_OUTPUT',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_EVENT_PATH',
] as const;
export type RunnerFile = (typeof runnerFiles)[number];

export interface KeptFiles {
  has(file: RunnerFile): boolean;
  /**
   * Runs `write`, which appends to the file, now and again after others changed the file. Throws the errors of the
   * first call, which is then not repeated.
   */
  write<Answer>(file: RunnerFile, write: () => Answer): Answer | undefined;
  /**
   * Restores each file as the step left it. Returns those that others changed. Throws after all the others are
   * restored, if one cannot be written.
   */
  restore(): Promise<readonly RunnerFile[]>;
}

interface KeptFile {
  readonly path: string;
  readonly mode: number;
  readonly bytes: Buffer;
  readonly writes: Set<() => unknown>;
  /** File attributes after the step's last write. */
  seen: string;
  /** True if others changed it since it was last restored. */
  isChanged: boolean;
  /** True to restore it in any case: someone may have appended between our write and our look at the file. */
  isDoubtful: boolean;
}

/** Records the files as they are, except those whose variables are in `except`. */
export function keepFiles(
  readVariable: (name: string) => string | undefined,
  except: readonly string[] = [],
): KeptFiles {
  const kept = new Map<RunnerFile, KeptFile>();
  for (const file of runnerFiles) {
    const path = readVariable(file) ?? '';
    const found = path === '' || except.includes(file) ? undefined : readFound(path);
    if (found !== undefined)
      kept.set(file, {
        path,
        ...found,
        writes: new Set(),
        seen: readFingerprint(path),
        isChanged: false,
        isDoubtful: false,
      });
  }
  return {
    has: file => kept.has(file),
    write(file, write) {
      const entry = kept.get(file);
      if (entry === undefined) return undefined;
      entry.writes.add(write);
      // Another type of file, such as a pipe, could block the step.
      entry.isChanged ||= readFingerprint(entry.path) !== entry.seen;
      return entry.isChanged ? undefined : writeNow(entry, write);
    },
    async restore() {
      const faults: unknown[] = [];
      const changed: RunnerFile[] = [];
      for (const [file, entry] of kept)
        try {
          if (await putBack(entry)) changed.push(file);
        } catch (error) {
          faults.push(error);
        }
      if (faults.length > 0) throw faults[0];
      return changed;
    },
  };
}

function writeNow<Answer>(entry: KeptFile, write: () => Answer): Answer {
  const look = () => {
    entry.seen = readFingerprint(entry.path);
  };
  const forget = (error: unknown): never => {
    entry.writes.delete(write);
    look();
    throw error;
  };
  try {
    const answer = write();
    if (answer instanceof Promise) return answer.then(look, forget) as Answer;
    look();
    return answer;
  } catch (error) {
    return forget(error);
  }
}

/** Returns true if others had changed it. */
async function putBack(entry: KeptFile): Promise<boolean> {
  const isChanged = entry.isChanged || readFingerprint(entry.path) !== entry.seen;
  entry.isDoubtful ||= isChanged || entry.writes.size > 0;
  if (entry.isDoubtful) {
    await replace(entry);
    for (const write of entry.writes) await write();
  }
  entry.isChanged = false;
  entry.seen = readFingerprint(entry.path);
  return isChanged;
}

/** Changes with every write and with every replacement of the file. */
function readFingerprint(path: string): string {
  try {
    const { dev, ino, size, mode, nlink, ctimeNs } = lstatSync(path, { bigint: true });
    return [dev, ino, size, mode, nlink, ctimeNs].join();
  } catch {
    return '';
  }
}

/** The runner's files have at most 25 MB. */
const bytesMax = 64 * 1024 * 1024;

/** Undefined for anything but a readable regular file. */
function readFound(path: string): Pick<KeptFile, 'bytes' | 'mode'> | undefined {
  try {
    return { bytes: readPlainFileSync(path, bytesMax), mode: lstatSync(path).mode & 0o777 };
  } catch {
    return undefined;
  }
}

/**
 * Creates a new file, because someone may hold a descriptor of the old one. Of the folder, only the permissions are
 * repaired. Other damage fails the step.
 */
async function replace({ path, mode, bytes }: KeptFile): Promise<void> {
  await makeFolder(dirname(path));
  // The folder belongs to the step's user, and therefore to the agent's.
  chmodSync(dirname(path), 0o755);
  // Removing a deep tree takes minutes. The runner removes it with its folder.
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true) renameSync(path, `${path}.${randomUUID()}`);
  await rm(path, { force: true });
  try {
    writeFileSync(path, bytes, { flag: 'wx', mode });
  } catch (error) {
    // Half a file is worse than none.
    await rm(path, { force: true });
    throw error;
  }
}
