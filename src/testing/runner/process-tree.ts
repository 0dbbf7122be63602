import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Kills a process that leads its own group, and its descendants. On Linux that includes children that moved to
 * another session while their parents still live. Elsewhere it is the group (on Windows the tree, by taskkill).
 */
export function killTree(pid: number): void {
  if (process.platform === 'win32') {
    spawnSync('taskkill', ['/pid', String(pid), '/t', '/f'], { stdio: 'ignore', windowsHide: true });
    return;
  }
  const below = findDescendants(pid);
  sendKill(-pid);
  for (const child of below) sendKill(child);
}

/**
 * Kills all processes started with `variable=value` in their environment, anywhere in the process tree. Returns how
 * many. Linux only, 0 elsewhere. The real runner ends orphans of a job in this way.
 */
export function killMarked(variable: string, value: string): number {
  const marker = Buffer.from(`${variable}=${value}`);
  const marked = readProcessIds().filter(pid => pid !== process.pid && readProcFile(pid, 'environ')?.includes(marker));
  for (const pid of marked) sendKill(pid);
  return marked.length;
}

function findDescendants(root: number): readonly number[] {
  const parents = new Map(readProcessIds().map(pid => [pid, readParent(pid)]));
  const found = [root];
  for (const parent of found) for (const [pid, of] of parents) if (of === parent) found.push(pid);
  return found.slice(1);
}

/** From `PID (NAME) STATE PPID …`, where NAME may contain any characters. */
function readParent(pid: number): number | undefined {
  const stat = readProcFile(pid, 'stat')?.toString('latin1');
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[1] === undefined ? undefined : Number(fields[1]);
}

function readProcessIds(): readonly number[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number);
}

/** Undefined for a process that has ended or belongs to another user. */
function readProcFile(pid: number, name: 'environ' | 'stat'): Buffer | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`);
  } catch {
    return undefined;
  }
}

function sendKill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // Already gone.
  }
}
