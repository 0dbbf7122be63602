import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';

/** Whether a process still runs. A zombie does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return process.platform !== 'linux' || !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}

/** The processes that an agent of a test printed, as `pid N`. */
export function pidsIn(text: string): readonly number[] {
  return [...text.matchAll(/pid (\d+)/g)].map(match => Number(match[1]));
}

/**
 * The living `sleep SECONDS` of a machine, by that argument. An agent in a PID namespace prints pids that mean
 * nothing outside, so its processes are found by an argument that no other test has.
 */
export function findSleeps(seconds: string): readonly number[] {
  if (process.platform === 'linux')
    return readdirSync('/proc')
      .filter(name => /^\d+$/.test(name) && readText(`/proc/${name}/cmdline`).endsWith(`sleep\0${seconds}\0`))
      .map(Number);
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,args='], { encoding: 'utf8' }).split('\n');
  return lines.filter(line => line.endsWith(`sleep ${seconds}`)).map(line => Number.parseInt(line, 10));
}

/** '' if the file is gone. A zombie's command line is '', too. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
