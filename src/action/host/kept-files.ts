/**
 * The runner's files where an agent runs as the step's own user, and can write to them as the step does: what the step found and wrote is remembered,
 * and put back. So no agent gives later steps a variable, a folder of PATH, an output or another event, and none spoils what this step says.
 */
import { chmodSync, lstatSync, mkdirSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { readPlainFileSync } from '../../border/files.ts';
import { removeTree } from '../../border/folders.ts';

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
  /** Runs `write`, which adds to the file: now, and again after others have changed the file. Throws what `write` throws now; it is not repeated then. */
  write<Answer>(file: RunnerFile, write: () => Answer): Answer | undefined;
  /** Puts back each file as the step left it. Returns those that others had changed. Throws the error of a file that cannot be written, after all others are put back. */
  restore(): Promise<readonly RunnerFile[]>;
}

interface KeptFile {
  readonly path: string;
  readonly mode: number;
  /** As it was found. */
  readonly bytes: Buffer;
  /** What the step has written since then. */
  readonly writes: Set<() => unknown>;
  /** What the file system says of it since the step's last write. */
  seen: string;
  /** Whether others have changed it since it was put back. */
  isChanged: boolean;
  /** Whether it is made anew in any case: between a write of ours and the look at the file somebody quick could have added to it. */
  isDoubtful: boolean;
}

/** Takes the files as they are now, except those whose variables are in `except`. */
export function keepFiles(
  readVariable: (name: string) => string | undefined,
  except: readonly string[] = [],
): KeptFiles {
  const kept = new Map<RunnerFile, KeptFile>();
  for (const file of runnerFiles) {
    const path = readVariable(file) ?? '';
    const found = path === '' || except.includes(file) ? undefined : readFound(path);
    if (found !== undefined)
      kept.set(file, { path, ...found, writes: new Set(), seen: lookAt(path), isChanged: false, isDoubtful: false });
  }
  return {
    has: file => kept.has(file),
    write(file, write) {
      const entry = kept.get(file);
      if (entry === undefined) return undefined;
      entry.writes.add(write);
      // Another kind of file, such as a pipe, could hold up the step.
      entry.isChanged ||= lookAt(entry.path) !== entry.seen;
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
    entry.seen = lookAt(entry.path);
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

/** Returns whether others had changed it. */
async function putBack(entry: KeptFile): Promise<boolean> {
  const isChanged = entry.isChanged || lookAt(entry.path) !== entry.seen;
  entry.isDoubtful ||= isChanged || entry.writes.size > 0;
  if (entry.isDoubtful) {
    await replace(entry);
    for (const write of entry.writes) await write();
  }
  entry.isChanged = false;
  entry.seen = lookAt(entry.path);
  return isChanged;
}

/** Changes with every write, and with everything that is put in the file's place. */
function lookAt(path: string): string {
  try {
    const { dev, ino, size, mode, nlink, ctimeNs } = lstatSync(path, { bigint: true });
    return [dev, ino, size, mode, nlink, ctimeNs].join();
  } catch {
    return '';
  }
}

/** The runner's files have 25 MB at most. */
const bytesMax = 64 * 1024 * 1024;

/** Undefined for something other than a plain file, and for what cannot be read. */
function readFound(path: string): Pick<KeptFile, 'bytes' | 'mode'> | undefined {
  try {
    return { bytes: readPlainFileSync(path, bytesMax), mode: lstatSync(path).mode & 0o777 };
  } catch {
    return undefined;
  }
}

/**
 * By a new file: to the old one somebody may still hold a descriptor. Of what an agent made of the folder only its rights are repaired; otherwise the
 * step is red.
 */
async function replace({ path, mode, bytes }: KeptFile): Promise<void> {
  mkdirSync(dirname(path), { recursive: true });
  // The folder belongs to the user of the step, and so to that of the agent.
  chmodSync(dirname(path), 0o755);
  await removeTree(path);
  try {
    writeFileSync(path, bytes, { flag: 'wx', mode });
  } catch (error) {
    // Half of it is worse than nothing.
    await rm(path, { force: true });
    throw error;
  }
}
