/**
 * Errors as the server's log tells them. Those of the language, of Node and of libraries quote what they do not take, whole or cut, and that may be a
 * secret: of a pattern all of it, of JSON the place, of a header its value. So of those only their kind is told. Words are told of what the system
 * says, which quotes paths, of the database, which quotes the server's own statements, and of errors that are nothing but words.
 */

/** One line: `Error: ENOSPC: no space left on device, write`, or `TypeError ERR_INVALID_ARG_VALUE`. */
export function describeError(error: unknown): string {
  if (!(error instanceof Error)) return `a thrown ${typeof error}`;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : undefined;
  const isOfSystem = 'errno' in error && 'syscall' in error;
  const isTold = isOfSystem || code === 'ERR_SQLITE_ERROR' || (error.name === 'Error' && code === undefined);
  return isTold ? `${error.name}: ${error.message}` : [error.name, ...(code === undefined ? [] : [code])].join(' ');
}

/** With the places in the code where it happened. */
export function traceError(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? '').replace(error.message, '') : '';
  return [describeError(error), ...stack.split('\n').filter(line => /^ {4}at /.test(line))].join('\n');
}
