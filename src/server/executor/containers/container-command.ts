/** The command line of one container. No value of a variable is on it: whoever can list processes reads those. */

import type { ContainerPlace, ExecutorCommand } from '../executor.ts';
import type { ContainerSettings } from './container-engine.ts';

/** Labels by which containers of a server are found again. */
const serverLabel = 'agent-run.server';
const runLabel = 'agent-run.run';
/** Where the client reads the variables: an open file without a name. */
export const variablesFd = 3;
/** Clients read such files by lines, and give up at one of 64 KiB. */
const lineBytesMax = 60 * 1024;

interface ContainerOwner {
  readonly serverId: string;
  /** Undefined: all runs of the server. */
  readonly runId?: string | undefined;
}

interface RunArguments {
  readonly name: string;
  readonly owner: Required<ContainerOwner>;
  readonly command: ExecutorCommand;
  readonly place: ContainerPlace;
  readonly settings: ContainerSettings;
  /** How the user of the server is told to the engine. */
  readonly userFlags: readonly string[];
  /** Names of variables that the client passes on from its own environment. */
  readonly passed: readonly string[];
}

/** Arguments of the engine that run a program and wait for it. The container is left, so that it can be asked how it ended. */
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
    // Images are fetched before, where a fault of that can be told apart.
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
    // Whatever the image starts by itself.
    ...['--entrypoint', program, place.image, ...args],
  ];
}

/** Arguments that list the ids of containers, ended ones as well. */
export function printListArguments({ serverId, runId }: ContainerOwner): string[] {
  const labels = [`${serverLabel}=${serverId}`, ...(runId === undefined ? [] : [`${runLabel}=${runId}`])];
  return ['ps', '--all', '--quiet', '--no-trunc', ...labels.flatMap(label => ['--filter', `label=${label}`])];
}

/** A line of comma-separated values, as the flag takes it. */
function printMount(path: string, ...more: readonly string[]): string {
  return ['type=bind', `source=${path}`, `target=${path}`, ...more]
    .map(field => (/[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field))
    .join(',');
}

/** How variables reach a container: by lines of a file, or, where they do not fit on one, from the environment of the client. */
interface DividedVariables {
  readonly file: string;
  readonly passed: Readonly<Record<string, string>>;
}

/** A text says why a variable cannot be handed on, as the end of a sentence. `clientEnv` is what the client needs itself. */
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
