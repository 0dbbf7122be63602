/** Removes agent programs that were installed (install-agent.ts), whole or not at all, and none that is at work. */
import { mkdtemp, readdir, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AgentInstallError, measure, unfinished } from './install-agent.ts';
import { type AgentProgramName, isAgentProgramName } from './programs.ts';

export interface InstalledProgram {
  readonly name: AgentProgramName;
  readonly version: string;
  readonly folder: string;
}

/** What is in the folder of agents, of any version. */
export async function listInstalled(agentsFolder: string): Promise<readonly InstalledProgram[]> {
  const entries = await readdir(agentsFolder).catch(() => []);
  return entries.toSorted().flatMap(entry => {
    const [name = '', version = ''] = entry.split('@');
    return isAgentProgramName(name) && version !== '' ? [{ name, version, folder: join(agentsFolder, entry) }] : [];
  });
}

/** The bytes that are free afterwards. Throws AgentInstallError, with the processes where it is at work; it is left as it is then. */
export async function removeAgent(agentsFolder: string, { name, version, folder }: InstalledProgram): Promise<number> {
  const pids = await findUsers([folder, await realpath(folder)]);
  if (pids.length > 0)
    throw new AgentInstallError(
      `${name}@${version} is in use by the process${pids.length === 1 ? '' : 'es'} ${pids.join(', ')}; wait for the run to end, or cancel it`,
    );
  const bytes = await measure(folder);
  // A half of it is never found: what is left by a crash goes with the next install.
  const temporary = await mkdtemp(join(agentsFolder, unfinished));
  await rename(folder, join(temporary, 'removed'));
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  return bytes;
}

/** Processes that execute something of these folders, as far as this user can see them; none where there is no /proc. */
async function findUsers(folders: readonly string[]): Promise<readonly number[]> {
  const pids = (await readdir('/proc').catch(() => [])).filter(entry => /^\d+$/.test(entry));
  const isBelow = (path: string) => folders.some(folder => path.startsWith(folder + sep));
  const isUser = async (pid: string): Promise<boolean> => {
    const program = await readlink(`/proc/${pid}/exe`).catch(() => '');
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    return [program, ...commandLine.split('\0')].some(isBelow);
  };
  const found: number[] = [];
  for (const pid of pids) if (await isUser(pid)) found.push(Number(pid));
  return found;
}
