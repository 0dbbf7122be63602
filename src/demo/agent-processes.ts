import { readdirSync, readFileSync } from 'node:fs';

/**
 * Processes of a run, found by the pids that they know themselves by. In a PID namespace those differ from the
 * machine's: the variable with the run's id, and the process's last number in its namespaces, identify it there.
 */
export function findAgentProcesses(runId: string, ownPids: readonly number[]): readonly number[] {
  if (process.platform !== 'linux') return ownPids.filter(isAlive);
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  return pids.filter(pid => ownPids.includes(readOwnPid(pid)) && isOfRun(pid, runId)).map(Number);
}

function readOwnPid(pid: string): number {
  return Number(/^NSpid:.*?(\d+)$/m.exec(read(pid, 'status'))?.[1] ?? pid);
}

/** A zombie has no environment any more. */
function isOfRun(pid: string, runId: string): boolean {
  return read(pid, 'environ').split('\0').includes(`AGENT_RUN_ID=${runId}`);
}

function read(pid: string, file: 'status' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    // It has ended, or belongs to another user.
    return '';
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
