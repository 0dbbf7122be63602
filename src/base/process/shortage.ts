/** No more open files, processes or memory: of this process, this user or this machine. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ERR_WORKER_INIT_FAILED']);

/** The code of an error, or of what caused it, that says only that the machine is short of something: what failed may work later. */
export function findShortage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && codes.has(error.code) ? String(error.code) : findShortage(error.cause);
}
