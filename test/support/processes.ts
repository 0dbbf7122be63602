import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

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

/**
 * The living `sleep SECONDS` of a machine, by that argument. An agent in a PID namespace tells numbers that mean nothing outside, so that
 * what it left is found by an argument that no other test has.
 */
export function findSleeps(seconds: string): readonly number[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && readText(`/proc/${name}/cmdline`).endsWith(`sleep\0${seconds}\0`))
      .map(Number);
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter(line => line.endsWith(`sleep ${seconds}`)).map(line => Number.parseInt(line, 10));
}

/** '' where there is no such file any more; a zombie's command line is '', too. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
