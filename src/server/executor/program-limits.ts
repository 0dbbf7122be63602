/** What a program of a run may use. The system keeps these limits for each process; whoever starts another one hands them on. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Undefined, or left out: as much as the server itself. */
export interface ProgramLimits {
  /** Memory that one process asks for, in MiB, used or not. */
  readonly memoryMb?: number | undefined;
  /** Processes and threads: of the run in a namespace of another user than root, else of the server's user altogether. */
  readonly processes?: number | undefined;
  /** The size of one file, in MiB. Who writes more gets SIGXFSZ. */
  readonly fileMb?: number | undefined;
}

const bytesPerMb = 1024 * 1024;

/** Arguments of `prlimit`, none without a limit. Both limits, the soft and the hard, so that a program cannot raise them again. */
export function printLimitFlags({ memoryMb, processes, fileMb }: ProgramLimits): readonly string[] {
  return [
    ...(memoryMb === undefined ? [] : [`--data=${memoryMb * bytesPerMb}`]),
    ...(processes === undefined ? [] : [`--nproc=${processes}`]),
    ...(fileMb === undefined ? [] : [`--fsize=${fileMb * bytesPerMb}`]),
  ];
}

/** Why limits cannot be kept, tried with a shell; undefined when they can. */
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
