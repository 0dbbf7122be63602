/** Builds the command line of one container, without values of variables: every user can list command lines. */

import type { ContainerPlace, ExecutorCommand } from '../executor.ts';
import type { ContainerSettings } from './container-engine.ts';

/** Labels that find a server's containers again. */
const serverLabel = 'agent-run.server';
const runLabel = 'agent-run.run';
/** The client reads the variables from this descriptor, an unlinked file. */
export const variablesFd = 3;
/** Clients read such files line by line and fail at a line of 64 KiB. */
const lineBytesMax = 60 * 1024;

interface ContainerOwner {
  readonly serverId: string;
  /** Undefined means all runs of the server. */
  readonly runId?: string | undefined;
}

interface RunArguments {
  readonly name: string;
  readonly owner: Required<ContainerOwner>;
  readonly command: ExecutorCommand;
  readonly place: ContainerPlace;
  readonly settings: ContainerSettings;
  /** Flags that select the server's user. */
  readonly userFlags: readonly string[];
  /** Names of variables that the client passes on from its own environment. */
  readonly passed: readonly string[];
}

/** Arguments that run a program and wait for it. The container is kept, so that its exit state can be read. */
export function printRunArguments({
  name,
  owner,
  command,
  place,
  settings,
  userFlags,
  passed,
}: RunArguments): string[] {
  const { argv, cwd, stdin } = command;
  const [program, ...args] = argv;
  const { network, memoryMb, processes, cpus } = settings;
  return [
    // prepareImage pulls images earlier, where a failed pull can be told from a failed run.
    ...['run', '--name', name, '--pull', 'never', '--init', '--log-driver', 'none', '--stop-signal', 'SIGTERM'],
    ...['--label', `${serverLabel}=${owner.serverId}`, '--label', `${runLabel}=${owner.runId}`],
    ...['--security-opt', 'no-new-privileges', ...userFlags, '--workdir', cwd],
    ...(stdin === '' ? [] : ['--interactive']),
    ...['--env-file', `/dev/fd/${variablesFd}`, ...passed.flatMap(variable => ['--env', variable])],
    ...(network === undefined ? [] : ['--network', network]),
    ...(memoryMb === undefined ? [] : ['--memory', `${memoryMb}m`, '--memory-swap', `${memoryMb}m`]),
    ...(processes === undefined ? [] : ['--pids-limit', String(processes)]),
    ...(cpus === undefined ? [] : ['--cpus', String(cpus)]),
    ...place.writable.flatMap(path => ['--mount', printMount(path)]),
    ...place.readable.flatMap(path => ['--mount', printMount(path, 'readonly')]),
    // Replaces the image's own entrypoint.
    ...['--entrypoint', program, place.image, ...args],
  ];
}

/** Arguments that list the ids of containers, including stopped ones. */
export function printListArguments({ serverId, runId }: ContainerOwner): string[] {
  const labels = [`${serverLabel}=${serverId}`, ...(runId === undefined ? [] : [`${runLabel}=${runId}`])];
  return ['ps', '--all', '--quiet', '--no-trunc', ...labels.flatMap(label => ['--filter', `label=${label}`])];
}

/** Prints a mount as one line of comma-separated values. */
function printMount(path: string, ...more: readonly string[]): string {
  return ['type=bind', `source=${path}`, `target=${path}`, ...more]
    .map(field => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',');
}

/** Variables go through lines of a file, or through the client's environment if they do not fit on a line. */
interface DividedVariables {
  readonly file: string;
  readonly passed: Readonly<Record<string, string>>;
}

/**
 * Returns the reason, as the end of a sentence, if a variable cannot be passed on. The client needs `clientEnv`
 * itself.
 */
export function divideVariables(
  env: Readonly<Record<string, string>>,
  clientEnv: Readonly<Record<string, string>>,
): DividedVariables | string {
  const lines: string[] = [];
  const passed: Record<string, string> = {};
  for (const [name, value] of Object.entries(env)) {
    if (!/^[^\s#=\0][^\s=\0]*$/.test(name))
      return `the name of the variable ${JSON.stringify(name)} is not valid in a container`;
    if (value.includes('\0')) return `the variable ${name} contains a NUL character`;
    const fits = !/[\r\n]/.test(value) && Buffer.byteLength(`${name}=${value}`) <= lineBytesMax;
    if (fits) lines.push(`${name}=${value}\n`);
    else if (Object.hasOwn(clientEnv, name))
      return `the variable ${name} has several lines or is too long, and the container engine uses a variable of this name itself`;
    else passed[name] = value;
  }
  return { file: lines.join(''), passed };
}
