/**
 * Keeps the processes of a run together. In a PID namespace the kernel does so: no process leaves it, and all die
 * with its first process. Without namespaces, run-processes.ts finds processes by their traces.
 */

import { join } from 'node:path';
import { type Clock, systemClock } from '../../../base/clock.ts';
import { isProgram } from '../program-file.ts';
import { findLimitFault, type ProgramLimits, printLimitFlags } from '../program-limits.ts';
import { markerVariable } from './marker.ts';
import { probeNamespace } from './namespace-probe.ts';
import type { NamespaceTools } from './run-namespace.ts';

export type ContainmentKind = 'pid_namespace' | 'bubblewrap' | 'process_group';
/** `auto`: a PID namespace if it works, otherwise process groups. */
export type ContainmentChoice = 'auto' | ContainmentKind;

export interface Containment {
  readonly kind: ContainmentKind;
  /** Tools that make and enter a namespace; undefined with process groups. */
  readonly tools: NamespaceTools | undefined;
  /** Prefix of a command line that sets its limits; empty without limits. */
  readonly limit: readonly string[];
  /** Why `auto` chose process groups: a clause that ends a sentence. */
  readonly because?: string;
}

/** Process groups with a sweep by traces. Works everywhere. */
export const processGroups: Containment = { kind: 'process_group', tools: undefined, limit: [] };

/** The chosen containment does not work here. The message begins with the setting and says what is missing. */
export class ContainmentError extends Error {
  override readonly name = 'ContainmentError';
}

interface ContainmentRequest {
  readonly choice: ContainmentChoice;
  readonly limits?: ProgramLimits;
  /** Folders with trusted tools. PATH is not used, because it may lead to other programs of the same name. */
  readonly folders?: readonly string[];
  readonly clock?: Clock;
}

const systemFolders = [
  ...['/usr/local/bin', '/usr/bin', '/bin', '/usr/local/sbin', '/usr/sbin', '/sbin'],
  '/run/current-system/sw/bin',
];

/**
 * Tries what works here with a small program, which takes about 30 ms. `auto` falls back to process groups. Throws
 * ContainmentError if a chosen kind does not work or limits cannot be set.
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

/** Finds the tools for a namespace, or the reason why it does not work. */
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
    // Without root, the PID namespace is inside a user namespace, and both must be entered.
    enter: [nsenter, ...(isRoot ? [] : ['--user', '--preserve-credentials']), '--pid', '--mount', '--no-fork'],
    // Waits for the program and ends with the same status or signal. 0 means no time limit.
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

/** Tools that already worked in this process. */
const proven = new Set<string>();

const bubblewrapFlags = ['--unshare-pid', '--die-with-parent', '--dev-bind', '/', '/', '--proc', '/proc', '--'];

/** Mounts of the machine propagate into the namespace but not out of it. */
function unshareFlags(isRoot: boolean): readonly string[] {
  // The same user id inside and outside keeps file ownership.
  const user = isRoot ? [] : ['--user', '--map-current-user'];
  return [...user, '--pid', '--fork', '--kill-child', '--mount-proc', '--propagation', 'slave', '--'];
}

function findTool(name: string, folders: readonly string[]): string | undefined {
  return folders.map(folder => join(folder, name)).find(isProgram);
}
