import { readdirSync, readFileSync } from 'node:fs';

export const pathOnly = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Pids of processes with this marker prefix or command line text, found without the code under test. */
export function findMarked(text: string, where: 'environ' | 'cmdline' = 'environ'): readonly number[] {
  const wanted = where === 'environ' ? `AGENT_RUN_MARKER=${text}` : text;
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .map(Number)
    .filter(pid => read(`/proc/${pid}/${where}`).includes(wanted) && !/\) Z /.test(read(`/proc/${pid}/stat`)));
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return '';
  }
}
