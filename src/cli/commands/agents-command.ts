import { messageOf } from '../../base/cause.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import {
  type AgentProgramName,
  agentPrograms,
  findAgentProgram,
  type InstalledProgram,
  installAgent,
  isAgentProgramName,
  listInstalled,
  locateAgentsFolder,
  packageHashes,
  readProgramVersion,
  removeAgent,
} from '../../server/index.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { alignColumns } from '../terminal/columns.ts';
import { noteError, type Shell } from '../terminal/command-shell.ts';
import { listenForInterruption } from '../terminal/interruption.ts';

const names = Object.keys(agentPrograms);

export async function agents(args: Arguments, shell: Shell): Promise<ExitCode> {
  const [verb = 'list', ...wanted] = args.words;
  if (verb !== 'list' && verb !== 'install' && verb !== 'remove')
    throw new UsageError(
      `agents must be followed by \`install NAME...\` or \`remove NAME...\`, not ${JSON.stringify(verb)}${didYouMean(verb, ['list', 'install', 'remove'])}`,
    );
  if (verb === 'list') {
    if (wanted.length > 0) throw new UsageError('agents list does not take names; it lists all agents');
    return await listAgents(args, shell);
  }
  if (wanted.length === 0) throw new UsageError(`agents ${verb} needs a name: ${names.join(', ')}`);
  if (verb === 'remove') return await removeAgents(wanted, args, shell);
  return await installAgents(wanted.map(readName), args, shell);
}

function readName(name: string): AgentProgramName {
  if (isAgentProgramName(name)) return name;
  throw new UsageError(
    name === 'builtin'
      ? 'builtin is part of agent-run and needs no installation'
      : `Unknown agent ${JSON.stringify(name)}${didYouMean(name, names) || `. Agents: ${names.join(', ')}`}`,
  );
}

/** An agent and its installed versions. */
interface ListedAgent {
  readonly name: string;
  /** The version that this agent-run was tested with. */
  readonly pinned: string;
  readonly package: string;
  readonly licence: string;
  /** The version that this user's server would start; null if there is none or it does not report one. */
  readonly version: string | null;
  readonly file: string | null;
}

async function listAgents(args: Arguments, shell: Shell): Promise<ExitCode> {
  const listed = await Promise.all(names.filter(isAgentProgramName).map(name => lookFor(name, shell)));
  if (args.has('json')) {
    shell.printJson(listed);
    return 0;
  }
  const rows = listed.map(({ name, pinned, version, file }) => [
    name,
    pinned,
    file === null ? 'none' : (version ?? 'does not start'),
    file ?? `npx agent-run agents install ${name}`,
  ]);
  shell.print(alignColumns([['AGENT', 'PINNED', 'FOUND', 'WHERE'], ...rows]).join('\n'));
  for (const { name, version } of await listInstalled(locateAgentsFolder(shell.env, shell.cwd)))
    if (version !== agentPrograms[name].version)
      shell.note(
        `${name}@${version} is also installed, but this agent-run does not use it. Remove it: npx agent-run agents remove ${name}@${version}`,
      );
  return 0;
}

async function lookFor(name: AgentProgramName, shell: Shell): Promise<ListedAgent> {
  const { version: pinned, package: packageName, licence } = agentPrograms[name];
  const searchPath = shell.env.PATH ?? '';
  const found = await findAgentProgram(name, { agentsFolder: locateAgentsFolder(shell.env, shell.cwd), searchPath });
  const version = found && (await readProgramVersion(found.command, { searchPath }).catch(() => undefined));
  return { name, pinned, package: packageName, licence, version: version ?? null, file: found?.file ?? null };
}

/** One at a time. A failure does not stop the others. */
async function installAgents(wanted: readonly AgentProgramName[], args: Arguments, shell: Shell): Promise<ExitCode> {
  const agentsFolder = locateAgentsFolder(shell.env, shell.cwd);
  const signal = listenForInterruption(shell);
  const installed: {
    readonly name: string;
    readonly version: string;
    readonly folder: string;
    readonly bytes: number;
  }[] = [];
  for (const name of wanted) {
    const program = agentPrograms[name];
    const { title, version } = program;
    shell.note(
      `${title}: ${program.package}@${version} from npm, about ${program.megabytes} MB, license: ${program.licence}`,
    );
    try {
      const { folder, bytes, wasThere } = await installAgent(name, program, {
        agentsFolder,
        hashes: packageHashes[name],
        env: shell.env,
        signal,
      });
      installed.push({ name, version, folder, bytes });
      shell.note(wasThere ? `${title} ${version} is already installed` : `${title} ${version} is installed`, 'good');
      if (!args.has('json')) shell.print(`${folder} (${Math.round(bytes / 1e6)} MB)`);
    } catch (error) {
      if (signal.aborted) {
        shell.note(`Interrupted: ${title} is not installed`, 'bad');
        return 130;
      }
      noteError(shell, error, messageOf(error));
    }
  }
  if (args.has('json')) shell.printJson(installed);
  return installed.length === wanted.length ? 0 : 1;
}

/**
 * One at a time. A version that is in use or missing does not stop the others. A name without a version means all
 * versions.
 */
async function removeAgents(wanted: readonly string[], args: Arguments, shell: Shell): Promise<ExitCode> {
  const agentsFolder = locateAgentsFolder(shell.env, shell.cwd);
  const installed = await listInstalled(agentsFolder);
  const chosen = wanted.map(text => {
    const [name = '', version] = text.split('@');
    readName(name);
    const found = installed.filter(one => one.name === name && (version === undefined || one.version === version));
    return { text, found, others: installed.filter(one => one.name === name) };
  });
  const removed: (InstalledProgram & { readonly bytes: number })[] = [];
  let failures = 0;
  for (const { text, found, others } of chosen) {
    if (found.length === 0) {
      failures += 1;
      const instead = others.map(({ name, version }) => `${name}@${version}`).join(', ');
      shell.note(
        `${text} is not installed in ${agentsFolder}${instead === '' ? '' : `. Installed: ${instead}`}`,
        'bad',
      );
    }
    for (const program of found) {
      // Named twice.
      if (removed.some(({ folder }) => folder === program.folder)) continue;
      try {
        const bytes = await removeAgent(agentsFolder, program);
        removed.push({ ...program, bytes });
        if (!args.has('json')) shell.print(`${program.folder} (${Math.round(bytes / 1e6)} MB)`);
        if (program.version === agentPrograms[program.name].version)
          shell.note(`Runs that need ${program.name} will now fail unless it is installed elsewhere`);
      } catch (error) {
        failures += 1;
        noteError(shell, error, messageOf(error));
      }
    }
  }
  if (args.has('json')) shell.printJson(removed);
  return failures === 0 ? 0 : 1;
}
