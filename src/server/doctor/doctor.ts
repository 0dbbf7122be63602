import type { ServerConfig } from '../config/server-config.ts';
import { agentAdapters } from '../harness/agents/agent-table.ts';
import { createHarnesses } from '../harness/harness-set.ts';
import { findSearchPath } from '../workspace/agent-environment.ts';
import { checkContainers } from './container-check.ts';
import { checkCall, checkReach } from './endpoint-check.ts';
import { checkRepositories, checkVariables } from './environment-check.ts';
import type { Finding } from './finding.ts';
import { checkContainment, checkDataFolder, checkMemory, checkTls, checkTool } from './machine-check.ts';
import { checkAgentProgram, checkCommand } from './program-check.ts';
import { checkGitHubSkills } from './skill-check.ts';

/**
 * Checks everything that a server with this configuration needs, without starting one. Leaves nothing behind.
 * `asksModels` sends one short request to each model, which may cost money.
 */
export async function* examineServer(
  config: ServerConfig,
  { asksModels }: { readonly asksModels: boolean },
): AsyncGenerator<Finding> {
  const searchPath = findSearchPath(config.baseEnv);
  const { script } = config.harnesses;
  yield await checkDataFolder(config.dataDir);
  yield await checkContainment(config);
  for (const finding of [checkTls(config), checkMemory(config)]) if (finding !== undefined) yield finding;
  yield* checkContainers(config);
  const hasSkills = Object.keys(config.skillRepositories).length > 0 || config.githubSkills !== undefined;
  const clones = config.environments.some(({ repositories }) => repositories.length > 0);
  yield await checkTool('git', searchPath, clones ? 'environments need it' : hasSkills ? 'skills need it' : undefined);
  yield await checkTool('bash', searchPath, script ? 'the script harness needs it' : undefined);
  yield* examineHarnesses(config, searchPath, asksModels);
  yield* checkVariables(config);
  yield* checkRepositories(config, searchPath);
  yield* checkGitHubSkills(config, searchPath);
}

async function* examineHarnesses(
  { harnesses: { script, commands, agents = {}, ...rest }, unreadVariables }: ServerConfig,
  searchPath: string,
  asksModels: boolean,
): AsyncGenerator<Finding> {
  const names = [...Object.keys(commands), ...Object.keys(agents)];
  if (names.length === 0 && !script)
    yield {
      subject: 'harnesses',
      status: 'fail',
      text: 'none is configured, so no run can start',
      remedy: 'add one to the configuration, such as `harnesses: { claude: { model: MODEL } }`',
    };
  try {
    createHarnesses({ script, commands, agents, ...rest });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    yield { subject: 'harnesses', status: 'fail', text: error.message, remedy: 'fix this setting' };
  }
  for (const [name, command] of Object.entries(commands))
    yield await checkCommand(`harness ${name}: program`, command, searchPath);
  for (const [name, { kind, ...settings }] of Object.entries(agents)) {
    const adapter = agentAdapters[kind];
    if (adapter === undefined) continue;
    yield await checkAgentProgram(`harness ${name}: program`, adapter, settings, searchPath);
    const { endpoint, model } = settings;
    const asked = { subject: `harness ${name}: model`, endpoint, model, title: adapter.title };
    for (const { harness, text, remedy } of unreadVariables)
      if (harness === name) yield { subject: `harness ${name}: endpoint`, status: 'warn', text, remedy };
    yield asksModels ? await checkCall(asked) : await checkReach(asked);
  }
}
