/**
 * Installs the pinned programs before the tests, once: they stay in a cache folder, which AGENT_RUN_TEST_AGENTS
 * names.
 */
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { TestProject } from 'vitest/node';
import { installAgent } from '../../src/server/harness/agents/install/install-agent.ts';
import { packageHashes } from '../../src/server/harness/agents/install/package-hashes.ts';
import { agentPrograms } from '../../src/server/harness/agents/programs.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    readonly agentsFolder: string;
    /** Why a program is not there, by its name. */
    readonly missingAgents: Readonly<Record<string, string>>;
  }
}

/** Throws in CI when one cannot be installed; elsewhere its tests are skipped and say why. */
export async function setup(project: TestProject): Promise<void> {
  const { AGENT_RUN_TEST_AGENTS: named, XDG_CACHE_HOME: caches, CI: ci } = process.env;
  const agentsFolder = named ? resolve(named) : join(caches || join(homedir(), '.cache'), 'agent-run/agents');
  const missing: Record<string, string> = {};
  for (const [name, program] of Object.entries(agentPrograms)) {
    try {
      const { wasThere } = await installAgent(name, program, {
        agentsFolder,
        hashes: packageHashes[name as keyof typeof packageHashes],
        env: process.env,
      });
      if (!wasThere) console.log(`installed ${program.package}@${program.version} in ${agentsFolder}`);
    } catch (error) {
      if (ci) throw error;
      missing[name] = `${program.title} could not be installed: ${error instanceof Error ? error.message : error}`;
      console.warn(missing[name]);
    }
  }
  project.provide('agentsFolder', agentsFolder);
  project.provide('missingAgents', missing);
}
