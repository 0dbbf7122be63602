import { isObject } from '../../../base/json.ts';
import type { ContainerPlace, ExecutorRequest } from '../executor.ts';
import {
  type ContainerEngine,
  ContainerFault,
  type ContainerSettings,
  callEngine,
  describeComplaint,
  isNoContainer,
} from './container-engine.ts';

interface Ended {
  readonly engine: ContainerEngine;
  readonly settings: ContainerSettings;
  readonly name: string;
  readonly run: { readonly request: Pick<ExecutorRequest, 'command'>; readonly place: Pick<ContainerPlace, 'image'> };
  readonly printed: { readonly stdoutBytes: number; readonly stderrBytes: number; readonly stderrTail: string };
  /** Exit code of the client. */
  readonly code: number | undefined;
}

type ContainerEnd =
  | { readonly kind: 'not_started'; readonly message: string }
  | { readonly kind: 'ended'; readonly exitCode: number; readonly notes: readonly string[] };

/**
 * Reads how a program ended after its client has ended. The client's exit code is ambiguous: 125, 126 and 127 come
 * from the engine or from the program. The container's state decides. Throws ContainerFault if the program did not
 * run or its end is unknown.
 */
export async function readContainerEnd(ended: Ended): Promise<ContainerEnd> {
  const { engine, name, printed, run, code } = ended;
  const { image } = run.place;
  const {
    code: asked,
    stdout,
    stderr,
  } = await callEngine(engine, [...['container', 'inspect', '--format', '{{json .State}}', name]]);
  if (asked !== 0 && isNoContainer(stderr))
    throw new ContainerFault(
      `could not create a container from the image ${image}: ${describeComplaint(printed.stderrTail)}`,
    );
  const state = asked === 0 ? parse(stdout) : undefined;
  if (state === undefined)
    throw new ContainerFault(`could not find out how the program ended: ${describeComplaint(stderr)}`);
  if (!state.hasStarted)
    throw new ContainerFault(
      `could not start a container from the image ${image}: ${describeComplaint(state.error || printed.stderrTail)}`,
    );
  if (state.isRunning)
    throw new ContainerFault(
      `the client of the container engine ended (${code === undefined ? 'by a signal' : `exit code ${code}`}) while the program ran: ${describeComplaint(printed.stderrTail)}`,
    );
  const missing = readInitComplaint(printed);
  if (missing !== undefined && state.exitCode !== 0)
    return { kind: 'not_started', message: describeMissing(ended, missing) };
  return { kind: 'ended', exitCode: state.exitCode, notes: describeMemory(ended, state.isOutOfMemory) };
}

interface State {
  readonly hasStarted: boolean;
  readonly isRunning: boolean;
  readonly isOutOfMemory: boolean;
  readonly exitCode: number;
  readonly error: string;
}

function parse(text: string): State | undefined {
  let state: unknown;
  try {
    state = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (!isObject(state) || typeof state.ExitCode !== 'number' || typeof state.StartedAt !== 'string') return undefined;
  return {
    // Engines print the year 1 for "never".
    hasStarted: !state.StartedAt.startsWith('0001-'),
    isRunning: state.Running === true,
    isOutOfMemory: state.OOMKilled === true,
    exitCode: state.ExitCode,
    error: typeof state.Error === 'string' ? state.Error : '',
  };
}

/**
 * Recognizes a program that the container's first process could not start. It then prints one line in the format of
 * tini (docker) or catatonit (podman), and nothing else is printed.
 */
function readInitComplaint({ stdoutBytes, stderrBytes, stderrTail }: Ended['printed']): string | undefined {
  if (stdoutBytes > 0 || stderrBytes > 500) return undefined;
  const found =
    /^\[FATAL tini \(\d+\)\] exec .* failed: (.+)\n?$/.exec(stderrTail) ??
    /^ERROR \(catatonit:\d+\): failed to exec pid1: (.+)\n?$/.exec(stderrTail);
  return found?.[1]?.trim();
}

function describeMissing({ run: { request, place } }: Ended, why: string): string {
  const [program] = request.command.argv;
  const cause = /no such file/i.test(why)
    ? program.includes('/')
      ? `the image ${place.image} does not have this file or cannot run it`
      : `it was not found on the PATH of the image ${place.image}`
    : /permission denied/i.test(why)
      ? `in the image ${place.image} it is not executable`
      : `the image ${place.image} cannot run it (${why})`;
  return `cannot start ${JSON.stringify(program)}: ${cause}`;
}

function describeMemory({ settings }: Ended, isOutOfMemory: boolean): readonly string[] {
  if (!isOutOfMemory) return [];
  const limit = settings.memoryMb === undefined ? 'no limit is set' : `\`docker.memory_mb\` is ${settings.memoryMb}`;
  return [`the container ran out of memory (${limit}), and the system killed one of its processes`];
}
