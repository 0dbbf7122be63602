/** Removes installed agent programs (install-agent.ts), completely or not at all, and none that is in use. */
import { mkdtemp, readdir, readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { AgentInstallError, measure, unfinished } from './install/install-agent.ts';
import { type AgentProgramName, isAgentProgramName } from './programs.ts';

export interface InstalledProgram {
  readonly name: AgentProgramName;
  readonly version: string;
  readonly folder: string;
}

/** Entries of the agents folder, of any version. */
export async function listInstalled(agentsFolder: string): Promise<readonly InstalledProgram[]> {
  const entries = await readdir(agentsFolder).catch(() => []);
  return entries.toSorted().flatMap(entry => {
    const [name = '', version = ''] = entry.split('@');
    return isAgentProgramName(name) && version !== '' ? [{ name, version, folder: join(agentsFolder, entry) }] : [];
  });
}

/** Returns the freed bytes. Throws AgentInstallError with the processes if it is in use, and leaves it as it is. */
export async function removeAgent(agentsFolder: string, { name, version, folder }: InstalledProgram): Promise<number> {
  const pids = await findUsers([folder, await realpath(folder)]);
  if (pids.length > 0)
    throw new AgentInstallError(
      `${name}@${version} is in use by the process${pids.length === 1 ? '' : 'es'} ${pids.join(', ')}; wait for the run to end, or cancel it`,
    );
  const bytes = await measure(folder);
  // Renamed first, so a half-removed program is never found. The next install removes leftovers of a crash.
  const temporary = await mkdtemp(join(agentsFolder, unfinished));
  await rename(folder, join(temporary, 'removed'));
  await rm(temporary, { recursive: true, force: true, maxRetries: 3 });
  return bytes;
}

/** Processes that execute a file of these folders, as far as this user can see them. Empty without /proc. */
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
