/** The program of an agent in a step: what is there is used as it is; otherwise the tested version is installed. */
import { join } from 'node:path';
import { messageOf } from '../../../../base/cause.ts';
import {
  type Command,
  commandIn,
  findAgentProgram,
  locateAgentsFolder,
  locateProgramFolder,
} from '../agents-folder.ts';
import { readProgramVersion } from '../program-version.ts';
import { type AgentProgramName, agentPrograms } from '../programs.ts';
import { AgentInstallError, installAgent } from './install-agent.ts';
import { packageHashes } from './package-hashes.ts';

interface Provision {
  /** Skips whatever is there. Undefined: any version on the PATH, or the tested one. */
  readonly version: string | undefined;
  /** The step's variables. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal | undefined;
}

/** Where the harness finds it. */
export interface ProvidedAgent {
  readonly agentsFolder: string | undefined;
  readonly version: string | undefined;
}

/** A download of 400 MB over a slow line. */
const installMs = 15 * 60_000;

/**
 * Undefined if the program is not there and its packages have no known hashes. Throws AgentInstallError, or the
 * signal's reason.
 */
export async function provideAgent(
  name: AgentProgramName,
  { version: asked, env, cwd, print, signal }: Provision,
): Promise<ProvidedAgent | undefined> {
  const tested = agentPrograms[name];
  const [searchPath, usualFolder] = [env.PATH ?? '', locateAgentsFolder(env, cwd)];
  if (asked === undefined) {
    const found = await findAgentProgram(name, { agentsFolder: usualFolder, searchPath });
    if (found !== undefined) {
      const isOnPath = found.place === 'path';
      const version = isOnPath ? await describe(found.command, searchPath, tested.version) : tested.version;
      print(`${tested.title} ${version}: ${found.file}`);
      return { agentsFolder: isOnPath ? undefined : usualFolder, version: undefined };
    }
  }
  const program = { ...tested, version: asked ?? tested.version };
  const isTested = program.version === tested.version;
  const hashes = isTested ? packageHashes[name] : undefined;
  if (asked === undefined && hashes === undefined) return undefined;
  const { RUNNER_TOOL_CACHE: toolCache = '', AGENT_RUN_AGENTS: named = '' } = env;
  const agentsFolder = toolCache === '' || named !== '' ? usualFolder : join(toolCache, 'agent-run');
  const what = `${program.title} ${program.version}`;
  const file = commandIn(locateProgramFolder(agentsFolder, name, program), program).at(-1) ?? '';
  if ((await findAgentProgram(name, { agentsFolder, version: program.version, searchPath: '' })) === undefined) {
    print(`installing ${what} from npm, about ${program.megabytes} MB${isTested ? '' : noteTested(tested.version)}`);
    const time = AbortSignal.timeout(installMs);
    const stop = signal === undefined ? time : AbortSignal.any([signal, time]);
    try {
      await installAgent(name, program, { agentsFolder, hashes, env, signal: stop });
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof AgentInstallError) throw error;
      const why = time.aborted ? `npm took longer than ${installMs / 60_000} minutes` : messageOf(error);
      throw new AgentInstallError(`${what} could not be installed in ${agentsFolder}: ${why}`, { cause: error });
    }
  }
  print(`${what}: ${file}`);
  return { agentsFolder, version: program.version };
}

async function describe(command: Command, searchPath: string, tested: string): Promise<string> {
  const version = await readProgramVersion(command, { searchPath }).catch(() => undefined);
  if (version === undefined) return 'of an unknown version';
  return version === tested ? version : `${version}${noteTested(tested)}`;
}

function noteTested(version: string): string {
  return ` (this release was tested with ${version})`;
}
