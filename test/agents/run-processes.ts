import { readdirSync, readFileSync } from 'node:fs';

/**
 * What runs of a run now: every process that has its id in the environment, or `mark` on its command line. `pid
 * command`, a line each.
 */
export function listProcesses({ runId, mark }: { readonly runId: string; readonly mark?: string }): readonly string[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(pid => {
      const command = readProcess(pid, 'cmdline').replaceAll('\0', ' ').trim();
      const isOfRun = readProcess(pid, 'environ').split('\0').includes(`AGENT_RUN_ID=${runId}`);
      const isMarked = mark !== undefined && command.includes(mark);
      // One that is over and not yet waited for has no command.
      return (isOfRun || isMarked) && command !== '' ? [`${pid} ${command}`] : [];
    });
}

function readProcess(pid: string, file: 'cmdline' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
