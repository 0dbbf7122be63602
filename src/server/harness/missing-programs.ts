import { isAbsolute } from 'node:path';
import { findProgram, isProgram } from '../executor/program-file.ts';
import { agentAdapters } from './agents/agent-table.ts';
import { describeMissingAgent, findAgentProgram } from './agents/agents-folder.ts';
import type { HarnessSetOptions } from './harness-set.ts';

/**
 * A warning for the server's operator about every harness whose program is missing. Not an error, because the program
 * may be installed later.
 */
export async function describeMissingPrograms(
  { script, commands, agents = {} }: Pick<HarnessSetOptions, 'script' | 'commands' | 'agents'>,
  searchPath: string,
): Promise<readonly string[]> {
  const sentences: string[] = [];
  if (script && findProgram('bash', searchPath) === undefined)
    sentences.push("harnesses.script: bash was not found on the server's PATH, so every run with it will fail");
  for (const [name, { argv, env }] of Object.entries(commands)) {
    const [program] = argv;
    const isThere = isAbsolute(program)
      ? isProgram(program)
      : findProgram(program, env.PATH ?? searchPath) !== undefined;
    if (isThere) continue;
    const what = isAbsolute(program)
      ? `${program} does not exist or is not executable`
      : `${program} was not found on the server's PATH`;
    sentences.push(`harnesses.${name}.command: ${what}, so every run with it will fail`);
  }
  for (const [name, { kind, program, agentsFolder, env }] of Object.entries(agents)) {
    const adapter = agentAdapters[kind];
    // A part of the server is always there.
    if (typeof adapter?.program !== 'string') continue;
    const places = { program, agentsFolder, searchPath: env.PATH ?? searchPath };
    if ((await findAgentProgram(adapter.program, places)) !== undefined) continue;
    sentences.push(
      `harnesses.${name}: ${adapter.title} ${describeMissingAgent(adapter.title, adapter.program, program)}`,
    );
  }
  return sentences;
}
