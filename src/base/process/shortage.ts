/** The process, user or machine ran out of open files, processes or memory. */
const codes: ReadonlySet<unknown> = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM', 'ERR_WORKER_INIT_FAILED']);

/** The code of an error or its cause if that is a temporary shortage, so a later attempt may succeed. */
export function findShortage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && codes.has(error.code) ? String(error.code) : findShortage(error.cause);
}
