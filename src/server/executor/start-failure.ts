import { accessSync, closeSync, constants, readSync, realpathSync, statSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { openPlainFileSync } from '../../border/files.ts';
import type { ExecutorCommand } from './executor.ts';

/**
 * Finds the same failure before the start. A wrapper program such as `env` reports a failed start by its own message
 * and exit code, which look like the program's. Undefined if the command can be started.
 */
export function findStartFailure(command: ExecutorCommand): string | undefined {
  const { argv, cwd, env } = command;
  const [program] = argv;
  if (!isFolder(cwd)) return describeStartFailure(undefined, command);
  const paths = program.includes('/')
    ? [resolve(cwd, program)]
    : // An empty part is the working folder. Without PATH the system uses a default.
      (env.PATH ?? '/bin:/usr/bin').split(':').map(folder => join(resolve(cwd, folder), program));
  const codes = paths.map(path => readStartCode(path, cwd));
  if (codes.includes(undefined)) return undefined;
  const code = codes.find(each => each !== 'ENOENT' && each !== 'ENOTDIR') ?? codes[0] ?? 'ENOENT';
  return describeStartFailure(Object.assign(new Error(code), { code }), command);
}

/** Error code that the system would give for starting the file; undefined if it would start. */
function readStartCode(path: string, cwd: string, depth = 0): string | undefined {
  try {
    if (!statSync(path).isFile()) return 'EACCES';
    accessSync(path, constants.X_OK);
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : 'EACCES';
  }
  const interpreter = readInterpreter(path);
  // A script's interpreter may be another script, or even itself. Linux follows five levels.
  if (interpreter === undefined || depth >= 5) return undefined;
  return readStartCode(resolve(cwd, interpreter), cwd, depth + 1);
}

/** Reads the interpreter from a script's first line. Undefined if the file is not a script or cannot be read. */
function readInterpreter(path: string): string | undefined {
  const start = Buffer.alloc(256);
  try {
    const fd = openPlainFileSync(realpathSync(path));
    try {
      readSync(fd, start, 0, start.length, 0);
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined;
  }
  return /^#![ \t]*([^ \t\n\0]+)/.exec(start.toString('latin1'))?.[1];
}

/**
 * Says in one sentence why a command cannot be started. The system reports ENOENT for three different causes.
 * Undefined if the command is not the cause: too few processes, memory or open files.
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
      if (!hasPath) return 'it was not found on PATH';
      return isThere(path) ? 'the interpreter named in its first line does not exist' : 'the file does not exist';
    case 'EACCES':
      return hasPath && isFolder(path) ? 'it is a folder' : 'it is not executable';
    case 'ENOTDIR':
      return 'the file does not exist';
    case 'ENOEXEC':
      return 'this machine cannot run this type of file';
    case 'E2BIG':
      return 'its arguments and environment exceed the system limit';
    case 'ERR_INVALID_ARG_VALUE':
      return 'an argument or environment variable contains a NUL character';
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
