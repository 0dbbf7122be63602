/**
 * What keeps the processes of a run together. In a PID namespace the kernel does: nothing that is born there gets out, and all of it dies
 * with the namespace's first process. Where a machine does not allow one, processes are found by their traces (run-processes.ts).
 */

import { join } from 'node:path';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { isProgram } from '../program-file.ts';
import { findLimitFault, type ProgramLimits, printLimitFlags } from '../program-limits.ts';
import { markerVariable } from './marker.ts';
import { probeNamespace } from './namespace-probe.ts';
import type { NamespaceTools } from './run-namespace.ts';

export type ContainmentKind = 'pid_namespace' | 'bubblewrap' | 'process_group';
/** `auto`: a PID namespace where it works, else process groups. */
export type ContainmentChoice = 'auto' | ContainmentKind;

export interface Containment {
  readonly kind: ContainmentKind;
  /** How a namespace is made and entered; undefined with process groups. */
  readonly tools: NamespaceTools | undefined;
  /** The beginning of a command line that limits what the program behind it may use; empty without limits. */
  readonly limit: readonly string[];
  /** Why `auto` came to process groups: a sentence without its beginning. */
  readonly because?: string;
}

/** Process groups and the sweep by traces: works everywhere, and asks for nothing. */
export const processGroups: Containment = { kind: 'process_group', tools: undefined, limit: [] };

/** What was asked for does not work here. The message begins with the setting and says what is missing. */
export class ContainmentError extends Error {
  override readonly name = 'ContainmentError';
}

interface ContainmentRequest {
  readonly choice: ContainmentChoice;
  readonly limits?: ProgramLimits;
  /** Where tools are looked for: not on anybody's PATH, which may lead to others of the same name. */
  readonly folders?: readonly string[];
  readonly clock?: Clock;
}

const systemFolders = [
  ...['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'],
  '/run/current-system/sw/bin',
];

/**
 * Finds out what works here by running a small program in it, which takes some 30 ms. Throws ContainmentError when a kind is chosen that
 * does not work, and when limits cannot be kept; `auto` takes what there is.
 */
export async function findContainment({
  choice,
  limits = {},
  folders = systemFolders,
  clock = systemClock,
}: ContainmentRequest): Promise<Containment> {
  const isRoot = process.getuid?.() === 0;
  const limit = await findLimiter(limits, { folders, isRoot });
  if (choice === 'process_group') return { ...processGroups, limit };
  const kind = choice === 'auto' ? 'pid_namespace' : choice;
  const found = await findTools(kind, { folders, isRoot, clock });
  if (typeof found !== 'string') return { kind, tools: found, limit };
  if (choice === 'auto') return { ...processGroups, limit, because: found };
  throw new ContainmentError(`containment: ${kind} does not work here: ${found}; \`process_group\` works everywhere`);
}

async function findLimiter(
  limits: ProgramLimits,
  { folders, isRoot }: { readonly folders: readonly string[]; readonly isRoot: boolean },
): Promise<readonly string[]> {
  const flags = printLimitFlags(limits);
  if (flags.length === 0) return [];
  const prlimit = findTool('prlimit', folders);
  const fault =
    prlimit === undefined
      ? `limits: prlimit, which enforces ${flags.join(' ')}, was not found in ${folders.join(', ')}; install util-linux`
      : await findLimitFault(prlimit, limits, { isRoot });
  if (prlimit === undefined || fault !== undefined) throw new ContainmentError(fault);
  return [prlimit, ...flags, '--'];
}

/** The tools for a namespace that does all that is asked of one, or why there is none. */
async function findTools(
  kind: 'pid_namespace' | 'bubblewrap',
  { folders, isRoot, clock }: { readonly folders: readonly string[]; readonly isRoot: boolean; readonly clock: Clock },
): Promise<NamespaceTools | string> {
  if (process.platform !== 'linux') return 'only Linux has PID namespaces';
  const keeperName = kind === 'bubblewrap' ? 'bwrap' : 'unshare';
  const [keeper, nsenter, timeout, env, setsid] = [keeperName, 'nsenter', 'timeout', 'env', 'setsid'].map(name =>
    findTool(name, folders),
  );
  if (keeper === undefined || !nsenter || !timeout || !env || !setsid) {
    const packages = kind === 'bubblewrap' ? 'bubblewrap, util-linux and coreutils' : 'util-linux and coreutils';
    const missing = Object.entries({ [keeperName]: keeper, nsenter, timeout, env, setsid })
      .filter(([, path]) => path === undefined)
      .map(([name]) => name);
    return `${missing.join(', ')} not found in ${folders.join(', ')} (packages: ${packages})`;
  }
  const tools: NamespaceTools = {
    keeper: [keeper, ...(kind === 'bubblewrap' ? bubblewrapFlags : unshareFlags(isRoot))],
    // Whoever is not root has a user namespace around the PID namespace, and has to enter both.
    enter: [nsenter, ...(isRoot ? [] : ['--user', '--preserve-credentials']), '--pid', '--mount', '--no-fork'],
    // Waits for the program and ends as it did, by the same signal; 0 is no time limit.
    wait: [timeout, '--foreground', '0'],
    changeFolder: [env, '--chdir'],
    beginSession: [setsid],
  };
  const key = JSON.stringify(tools);
  if (proven.has(key)) return tools;
  const fault = await probeNamespace(tools, { [markerVariable]: 'probe/probe' }, clock);
  if (fault !== undefined) return fault;
  proven.add(key);
  return tools;
}

/** What worked once in this process works again. */
const proven = new Set<string>();

const bubblewrapFlags = ['--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--proc', '/proc', '--'];

/** Mounts of the machine that come and go do so in the namespace, too, and none of the namespace gets out. */
function unshareFlags(isRoot: boolean): readonly string[] {
  // The user keeps its number, so that its files are its own inside and outside.
  const user = isRoot ? [] : ['--user', '--map-current-user'];
  return [...user, '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'slave', '--'];
}

function findTool(name: string, folders: readonly string[]): string | undefined {
  return folders.map(folder => join(folder, name)).find(isProgram);
}
