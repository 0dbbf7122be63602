import { readdirSync, readFileSync } from 'node:fs';

export const pathOnly = { PATH: '/usr/local/bin:/usr/bin:/bin' };

/** Pids of living processes whose environment has a marker that begins so, or whose command line holds the text. Read without the code under test. */
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
