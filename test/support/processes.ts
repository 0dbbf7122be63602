import { readFileSync } from 'node:fs';

/** Whether a process still runs. One that has ended and waits to be reaped (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The processes that an agent of a test told of, as `pid N`. */
export function pidsIn(text: string): readonly number[] {
  return [...text.matchAll(/pid (\d+)/g)].map(match => Number(match[1]));
}
