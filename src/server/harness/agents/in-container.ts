/** Agents in containers: where their programs are, and which addresses they cannot reach. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isLoopback } from '../../../base/network/loopback.ts';
import { isProgram } from '../../executor/program-file.ts';
import type { AgentAdapter } from './adapter.ts';
import { type Command, commandIn, locateProgramFolder } from './agents-folder.ts';
import { agentPrograms, isAgentProgramName } from './programs.ts';

interface Located {
  readonly command: Command;
  /** Paths of this machine that it needs to read. */
  readonly readable: readonly string[];
}

/**
 * A configured program is one of the image. Otherwise it is the one installed for agent-run on this machine, mounted
 * at the same path; otherwise the program of the usual name on the image's PATH. JavaScript is run by the image's
 * `node`.
 */
export async function locateInContainer(
  { program: usual }: Pick<AgentAdapter, 'program'>,
  { program, agentsFolder }: { readonly program?: string | undefined; readonly agentsFolder?: string | undefined },
): Promise<Located> {
  if (typeof usual !== 'string') return locateOwn(usual.file);
  if (program !== undefined) return { command: [program], readable: [] };
  if (agentsFolder !== undefined && isAgentProgramName(usual)) {
    const pinned = agentPrograms[usual];
    const folder = locateProgramFolder(agentsFolder, usual, pinned);
    const [first, ...rest] = commandIn(folder, pinned);
    const file = rest.at(-1) ?? first;
    if (isProgram(file)) return { command: rest.length === 0 ? [first] : ['node', ...rest], readable: [folder] };
  }
  return { command: [usual], readable: [] };
}

/**
 * A program of this server, for the image's `node`. A bundle needs the folder around it. In a clone it needs the
 * sources and the packages that Node finds from there. Never mount the whole clone, which may contain the data
 * folder.
 */
export function locateOwn(file: string): Located {
  const command = ['node', file] as const;
  const at = file.lastIndexOf('/server/harness/');
  if (at === -1) return { command, readable: [dirname(file)] };
  const code = file.slice(0, at);
  const readable = [code];
  for (let folder = dirname(code); folder !== dirname(folder); folder = dirname(folder)) {
    readable.push(...['package.json', 'node_modules'].map(name => join(folder, name)).filter(path => existsSync(path)));
  }
  return { command, readable };
}

/**
 * Why an address cannot be reached from a container, as a sentence that begins with it. Undefined if it may be
 * reachable.
 */
export function describeUnreachable(address: string, network: string | undefined): string | undefined {
  if (network === 'host') return undefined;
  if (network === 'none')
    return `${address} cannot be reached from the container, because \`docker.network\` of this server is none; choose another network`;
  const { hostname } = new URL(address);
  if (!isLoopback(hostname)) return undefined;
  return `${address} points to the container itself when used inside a container; use an address that the container can reach, or set \`docker.network: host\` on this server`;
}
