/** Limits of a run's program. The system applies them to each process, and children inherit them. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Undefined or omitted leaves the server's own limit. */
export interface ProgramLimits {
  /** Address space of one process in MiB, used or not. */
  readonly memoryMb?: number | undefined;
  /** Processes and threads: of the run in a namespace without root, otherwise of the server's user in total. */
  readonly processes?: number | undefined;
  /** Size of one file in MiB. A larger write gets SIGXFSZ. */
  readonly fileMb?: number | undefined;
}

const bytesPerMb = 1024 * 1024;

/** Arguments of `prlimit`, empty without limits. Soft and hard limits, so that a program cannot raise them. */
export function printLimitFlags({ memoryMb, processes, fileMb }: ProgramLimits): readonly string[] {
  return [
    ...(memoryMb === undefined ? [] : [`--data=${memoryMb * bytesPerMb}`]),
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    ...(fileMb === undefined ? [] : [`--fsize=${fileMb * bytesPerMb}`]),
  ];
}

/** Tries the limits with a shell. Returns why they cannot be set, or undefined. */
export async function findLimitFault(
  prlimit: string,
  limits: ProgramLimits,
  { isRoot }: { readonly isRoot: boolean },
): Promise<string | undefined> {
  if (limits.processes !== undefined && isRoot)
    return 'limits.processes: has no effect for root, which this server runs as; run the server as another user, or remove the limit';
  const flags = printLimitFlags(limits);
  try {
    await promisify(execFile)(prlimit, [...flags, '--', '/bin/sh', '-c', ':'], { cwd: '/', env: {} });
    return undefined;
  } catch (error) {
    const words = error instanceof Error && 'stderr' in error ? String(error.stderr).trim() : String(error);
    return `limits: no program can start with ${flags.join(' ')} (${words.slice(0, 300)}); raise limits that are too low, and lower those above the server's own limits (\`ulimit -H -a\`)`;
  }
}
