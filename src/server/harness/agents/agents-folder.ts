/**
 * The folder that `npx agent-run agents install` installs into and where the server finds programs: NAME@VERSION for
 * each. A folder appears there only when it is complete.
 */
import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { findProgram, isProgram } from '../../executor/program-file.ts';
import { type AgentProgram, agentPrograms, isAgentProgramName } from './programs.ts';

export type Command = readonly [string, ...string[]];

/**
 * Where agents are installed: AGENT_RUN_AGENTS, otherwise a folder in the user's home. `cwd` is the base of a
 * relative path.
 */
export function locateAgentsFolder(env: Readonly<Record<string, string | undefined>>, cwd: string): string {
  const named = env.AGENT_RUN_AGENTS?.trim();
  if (named) return resolve(cwd, named);
  return join(env.HOME?.trim() || homedir(), '.agent-run', 'agents');
}

export function locateProgramFolder(
  agentsFolder: string,
  name: string,
  { version }: Pick<AgentProgram, 'version'>,
): string {
  return join(agentsFolder, `${name}@${version}`);
}

/** The start of its command line. `folder` is the program's folder. */
export function commandIn(
  folder: string,
  { package: packageName, file }: Pick<AgentProgram, 'package' | 'file'>,
): Command {
  const path = join(folder, 'node_modules', packageName, file);
  // Not by its shebang, which uses the Node on the PATH.
  return /\.[cm]?js$/.test(file) ? [process.execPath, path] : [path];
}

export interface FoundProgram {
  readonly command: Command;
  readonly place: 'setting' | 'agents_folder' | 'path';
  readonly file: string;
}

/** Where to look, in addition to the PATH. */
export interface ProgramPlace {
  readonly program?: string | undefined;
  readonly agentsFolder?: string | undefined;
  /** The version in that folder. @default the tested one */
  readonly version?: string | undefined;
}

/**
 * The program of an agent: the configured one, otherwise the one installed for agent-run, otherwise the one on the
 * PATH.
 */
export async function findAgentProgram(
  name: string,
  { program, agentsFolder, version, searchPath }: ProgramPlace & { readonly searchPath: string },
): Promise<FoundProgram | undefined> {
  if (program !== undefined) {
    const file = isAbsolute(program) ? program : findProgram(program, searchPath);
    if (file === undefined || !isProgram(file)) return undefined;
    return { command: [file], place: 'setting', file };
  }
  if (agentsFolder !== undefined && isAgentProgramName(name)) {
    const pinned = { ...agentPrograms[name], ...(version && { version }) };
    const command = commandIn(locateProgramFolder(agentsFolder, name, pinned), pinned);
    const file = command.at(-1) ?? '';
    if (isProgram(file)) return { command, place: 'agents_folder', file };
  }
  const file = findProgram(name, searchPath);
  return file === undefined ? undefined : { command: [file], place: 'path', file };
}

/** The end of a sentence about a missing program. `program` is the setting. */
export function describeMissingAgent(title: string, name: string, program: string | undefined): string {
  if (program !== undefined)
    return `needs the program ${program}, which ${isAbsolute(program) ? 'does not exist' : 'is not on the PATH of the server'}. Install ${title} there, or change the setting \`program\``;
  const install = isAgentProgramName(name) ? `Run \`npx agent-run agents install ${name}\`` : `Install ${title}`;
  return `needs the program ${name}, which is not on the PATH of the server. ${install}, or set its path as \`program\``;
}
