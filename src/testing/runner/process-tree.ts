import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/**
 * Kills a process that leads its own group, and what is below it: on Linux also children that moved to a session of their own, as
 * long as their parents still live; elsewhere the group (on Windows the tree, by taskkill).
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
 * Kills what was started with `variable=value` in its environment, wherever in the process tree it went; how many that were. Linux
 * only, 0 elsewhere. This is how the real runner ends orphans with the job.
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

/** From `PID (NAME) STATE PPID …`, where NAME may hold anything. */
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

/** undefined for a process that ended meanwhile or is another user's. */
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
    // Already gone, which is what was wanted.
  }
}
