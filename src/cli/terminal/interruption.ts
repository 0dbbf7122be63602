import type { Shell } from './command-shell.ts';

/** Aborts at the first ctrl-C (or SIGTERM, or SIGHUP). A second one ends this process at once. */
export function listenForInterruption(shell: Shell): AbortSignal {
  const interrupted = new AbortController();
  shell.onSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], () => {
    if (interrupted.signal.aborted) shell.exit(130);
    interrupted.abort();
  });
  return interrupted.signal;
}
