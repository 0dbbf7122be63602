/**
 * Describes errors for the server's log. Errors of JavaScript, Node and libraries may quote a rejected value, which
 * may be a secret. Only their name and code are logged. Messages are logged for system errors (they quote paths),
 * database errors (they quote the server's own statements) and plain `Error` objects.
 */

/** One line: `Error: ENOSPC: no space left on device, write`, or `TypeError ERR_INVALID_ARG_VALUE`. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const isOfSystem = 'errno' in error && 'syscall' in error;
  const isTold = isOfSystem || code === 'ERR_SQLITE_ERROR' || (error.name === 'Error' && code === undefined);
  return isTold ? `${error.name}: ${error.message}` : [error.name, ...(code === undefined ? [] : [code])].join(' ');
}

/** Adds the stack. */
export function traceError(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '').replace(error.message, '') : '';
  return [describeError(error), ...stack.split('\n').filter(line => /^ {4}at /.test(line))].join('\n');
}
