import { statSync } from 'node:fs';
import { isAbsolute, resolve } from 'node:path';
import type { ExecutorCommand } from './executor.ts';

/**
 * One sentence on what about a command cannot be started; the system's own says ENOENT for three different causes.
 * Undefined when it is not the command: no more processes, memory or open files.
 */
export function describeStartFailure(error: unknown, { argv, cwd }: ExecutorCommand): string | undefined {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  const cause = isFolder(cwd) ? findCause(code, argv[0], cwd) : `its working folder ${cwd} does not exist`;
  return cause === undefined ? undefined : `cannot start ${JSON.stringify(argv[0])}: ${cause}`;
}

function findCause(code: unknown, program: string, cwd: string): string | undefined {
  const hasPath = program.includes('/');
  const path = isAbsolute(program) ? program : resolve(cwd, program);
  switch (code) {
    case 'ENOENT':
      if (!hasPath) return 'there is no such program on PATH';
      return isThere(path) ? 'the interpreter that its first line names does not exist' : 'there is no such file';
    case 'EACCES':
      return hasPath && isFolder(path) ? 'it is a folder' : 'it is not executable';
    case 'ENOTDIR':
      return 'there is no such file';
    case 'ENOEXEC':
      return 'it is no program that this machine can run';
    case 'E2BIG':
      return 'its arguments and environment are longer than the system takes';
    case 'ERR_INVALID_ARG_VALUE':
      return 'an argument or a variable has a NUL character';
    default:
      return undefined;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
}

function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
