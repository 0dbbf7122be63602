/**
 * The runner's files where an agent runs as the step's own user, and can write to them as the step does: what the step found and wrote is remembered,
 * and put back. So no agent gives later steps a variable, a folder of PATH, an output or another event, and none spoils what this step says.
 */
import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { appendWhole } from './append-whole.ts';

/** The variables that name the files through which a step talks to its runner, and the event, which later steps read as well. */
const runnerFiles = [
  'GITHUB_OUTPUT',
  'GITHUB_STATE',
  'GITHUB_STEP_SUMMARY',
  'GITHUB_ENV',
  'GITHUB_PATH',
  'GITHUB_EVENT_PATH',
] as const;
export type RunnerFile = (typeof runnerFiles)[number];

export interface KeptFiles {
  has(file: RunnerFile): boolean;
  /** In bytes, with what was added. */
  sizeOf(file: RunnerFile): number;
  /** Adds to a file: at once where that goes, and when it is put back where others have made something else of it. Throws where the disk takes not all of it; nothing of it is added then. */
  append(file: RunnerFile, text: string): void;
  /** Puts back what is not as the step left it. Returns those that others had changed. Throws what the file system says of one that cannot be written. */
  restore(): readonly RunnerFile[];
}

interface KeptFile {
  readonly path: string;
  readonly mode: number;
  readonly parts: Buffer[];
  /** In bytes. */
  size: number;
  /** Whether all parts were written: what is missing then is no doing of others. */
  isWhole: boolean;
}

/** Takes the files as they are now, but those whose variables `except` names. */
export function keepFiles(
  readVariable: (name: string) => string | undefined,
  except: readonly string[] = [],
): KeptFiles {
  const kept = new Map<RunnerFile, KeptFile>();
  for (const file of runnerFiles) {
    const path = readVariable(file) ?? '';
    const found = path === '' || except.includes(file) ? undefined : readPlain(path);
    if (found === undefined) continue;
    const { bytes, mode } = found;
    kept.set(file, { path, mode, parts: [bytes], size: bytes.length, isWhole: true });
  }
  return {
    has: file => kept.has(file),
    sizeOf: file => kept.get(file)?.size ?? 0,
    append(file, text) {
      const entry = kept.get(file);
      if (entry === undefined) return;
      const bytes = Buffer.from(text);
      const isAdded = entry.isWhole && appendPlain(entry.path, bytes);
      entry.parts.push(bytes);
      entry.size += bytes.length;
      entry.isWhole = isAdded;
    },
    restore() {
      const faults: unknown[] = [];
      const changed = [...kept].filter(([, entry]) => {
        try {
          return putBack(entry);
        } catch (error) {
          faults.push(error);
          return true;
        }
      });
      if (faults.length > 0) throw faults[0];
      return changed.map(([file]) => file);
    },
  };
}

/** Whether others had changed it. */
function putBack(entry: KeptFile): boolean {
  const wanted = Buffer.concat(entry.parts);
  const found = readPlain(entry.path, wanted.length)?.bytes;
  if (found?.equals(wanted)) return false;
  const isOurs = !entry.isWhole && found?.equals(wanted.subarray(0, found.length));
  replace(entry, wanted);
  entry.isWhole = true;
  return !isOurs;
}

// Neither is there on Windows, where no agent runs in a step. A pipe without a reader would hold up whoever opens it.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants;

/** Undefined for what is no file of its own (a link, a pipe, a second name of another), cannot be read, or is longer than `limit`. */
function readPlain(path: string, limit = Number.POSITIVE_INFINITY): { bytes: Buffer; mode: number } | undefined {
  return withPlain(path, constants.O_RDONLY, (fd, { size, mode }) =>
    size > limit ? undefined : { bytes: readFileSync(fd), mode: mode & 0o777 },
  );
}

/** Whether it is a file to add to. Throws what writing to it throws. */
function appendPlain(path: string, bytes: Buffer): boolean {
  let fault: { readonly error: unknown } | undefined;
  const isPlain = withPlain(path, constants.O_WRONLY | constants.O_APPEND, fd => {
    try {
      appendWhole(fd, path, bytes);
    } catch (error) {
      fault = { error };
    }
    return true;
  });
  if (fault !== undefined) throw fault.error;
  return isPlain ?? false;
}

function withPlain<Answer>(path: string, flags: number, act: (fd: number, stats: Stats) => Answer): Answer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, flags | O_NOFOLLOW | O_NONBLOCK);
    const stats = fstatSync(fd);
    return stats.isFile() && stats.nlink === 1 ? act(fd, stats) : undefined;
  } catch {
    return undefined;
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** By a new file: to the old one somebody may still hold a descriptor. */
function replace({ path, mode }: KeptFile, bytes: Buffer): void {
  const write = () => {
    makeWay(dirname(path));
    moveAside(path);
    try {
      writeFileSync(path, bytes, { flag: 'wx', mode });
    } catch (error) {
      // Half of it is worse than nothing.
      rmSync(path, { force: true });
      throw error;
    }
  };
  try {
    write();
  } catch (error) {
    try {
      // The folder is the step's own user's, whatever was made of its rights.
      chmodSync(dirname(path), 0o755);
    } catch {
      throw error;
    }
    write();
  }
}

/** Makes a folder where it is gone, or something else is in its place, such as a link that leads elsewhere. */
function makeWay(folder: string): void {
  if (!isFolder(dirname(folder))) makeWay(dirname(folder));
  if (lstatSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  moveAside(folder);
  mkdirSync(folder);
}

/** A circle of links is none. */
function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

/** A folder need not be removable. */
function moveAside(path: string): void {
  const found = lstatSync(path, { throwIfNoEntry: false });
  if (found?.isDirectory()) renameSync(path, `${path}-${randomUUID()}`);
  else if (found !== undefined) unlinkSync(path);
}
