import { isAbsolute } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { findProgram, isProgram } from '../executor/program-file.ts';
import type { AgentAdapter } from '../harness/agents/adapter.ts';
import type { AgentSettings } from '../harness/agents/agent-harness.ts';
import { describeMissingAgent, type FoundProgram, findAgentProgram } from '../harness/agents/agents-folder.ts';
import { readProgramVersion } from '../harness/agents/program-version.ts';
import { agentPrograms, isAgentProgramName } from '../harness/agents/programs.ts';
import type { Finding } from './finding.ts';

/** Checks that an agent's program exists, starts, and has the tested version. */
export async function checkAgentProgram(
  subject: string,
  adapter: AgentAdapter,
  settings: AgentSettings,
  serverPath: string,
): Promise<Finding> {
  const { title, program: name, versionArgs } = adapter;
  const searchPath = settings.env.PATH ?? serverPath;
  if (typeof name !== 'string') {
    const command = [process.execPath, name.file] as const;
    return await checkVersion(subject, { command, title, where: 'part of the server' }, { searchPath, versionArgs });
  }
  const found = await findAgentProgram(name, { ...settings, searchPath });
  if (found === undefined) {
    const [text, remedy] = splitRemedy(describeMissingAgent(title, name, settings.program));
    return { subject, status: 'fail', text: `${title} ${text}`, remedy };
  }
  const pinned = isAgentProgramName(name) ? agentPrograms[name].version : undefined;
  const { command, file } = found;
  const asked = {
    command,
    title,
    where: `${file} (${placeNames[found.place]})`,
    pinned,
    name,
    repair: repairs[found.place],
  };
  return await checkVersion(subject, asked, { searchPath, versionArgs });
}

const placeNames: Readonly<Record<FoundProgram['place'], string>> = {
  setting: 'from the setting `program`',
  agents_folder: 'installed by agent-run',
  path: 'on the PATH',
};

const repairs: Readonly<Record<FoundProgram['place'], string>> = {
  setting: 'reinstall it, or set `program` to another file',
  agents_folder: 'remove its folder, then reinstall it with `npx agent-run agents install`',
  path: 'reinstall it, or set `program` to another file',
};

interface Versioned {
  readonly command: FoundProgram['command'];
  readonly title: string;
  readonly where: string;
  readonly pinned?: string | undefined;
  readonly name?: string;
  /** What to do if it does not start. */
  readonly repair?: string;
}

async function checkVersion(
  subject: string,
  { command, title, where, pinned, name, repair = 'reinstall agent-run' }: Versioned,
  options: Parameters<typeof readProgramVersion>[1],
): Promise<Finding> {
  let version: string;
  try {
    version = await readProgramVersion(command, options);
  } catch (error) {
    const why = messageOf(error);
    return {
      subject,
      status: 'fail',
      text: `${title}, ${where}: ${why}`,
      remedy: repair,
    };
  }
  const text = `${title} ${version}, ${where}`;
  if (pinned === undefined || pinned === version) return { subject, status: 'ok', text };
  return {
    subject,
    status: 'warn',
    text: `${text}; this agent-run was tested with ${pinned}`,
    remedy: `\`npx agent-run agents install ${name}\` installs ${pinned} next to it`,
  };
}

/** Checks the program of a custom harness. */
export async function checkCommand(
  subject: string,
  {
    argv: [program],
    env,
  }: { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> },
  serverPath: string,
): Promise<Finding> {
  const file = isAbsolute(program) ? program : findProgram(program, env.PATH ?? serverPath);
  if (file !== undefined && isProgram(file)) return { subject, status: 'ok', text: file };
  return {
    subject,
    status: 'fail',
    text: isAbsolute(program)
      ? `${program} does not exist or is not executable`
      : `${program} was not found on the server's PATH`,
    remedy: "install it, or change the harness's `command`",
  };
}

function splitRemedy(sentence: string): readonly [string, string] {
  const at = sentence.indexOf('. ');
  return [sentence.slice(0, at), sentence.slice(at + 2)];
}
