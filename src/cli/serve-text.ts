import { resolve } from 'node:path';
import { version } from '../base/version.ts';
import { apiPrefix } from '../contract/routes.ts';
import type { AgentRunServer, Listening, ServerConfig } from '../server/index.ts';
import type { Shell } from './shell.ts';

interface Opened {
  readonly config: ServerConfig;
  readonly server: AgentRunServer;
  readonly listening: Listening;
  readonly env: Shell['env'];
}

/** What a person needs to use the server that has just been opened. */
export function describeServing({ config, server, listening, env }: Opened): string {
  const { harnessNames } = server;
  return [
    `agent-run ${version} listens on ${listening.url}${apiPrefix}`,
    `data folder: ${config.dataDir}`,
    `harnesses: ${harnessNames.length === 0 ? 'none' : harnessNames.join(', ')}`,
    describeKey({ config, server }),
    '',
    ...(harnessNames.length === 0 ? [howToAddHarness] : describeNextCommand(config, env)),
  ].join('\n');
}

const howToAddHarness = `Without a harness, this server cannot start runs. Add one to agent-run.yaml, for example:
  harnesses:
    default: script
    script: {}`;

/** Runs as it is shown: commands of this user find the server through its data folder. */
function describeNextCommand({ dataDir, harnesses, tls }: ServerConfig, env: Shell['env']): readonly string[] {
  const isDefault = dataDir === resolve('.agent-run');
  const program = env.npm_command === 'exec' ? 'npx agent-run' : 'agent-run';
  const prompt = harnesses.default === 'script' ? "$'```sh\\necho hello\\n```'" : '"Say hello"';
  if (tls !== undefined) return ['To use it, set AGENT_RUN_BASE_URL and AGENT_RUN_API_KEY.'];
  return [
    `In another terminal${isDefault ? ', in this folder' : ''}:`,
    ...(isDefault ? [] : [`  export AGENT_RUN_DATA='${dataDir.replaceAll("'", "'\\''")}'`]),
    `  ${program} run ${prompt}`,
  ];
}

function describeKey({ server: { madeKey }, config: { apiKey } }: Pick<Opened, 'server' | 'config'>): string {
  if (madeKey !== undefined) return `API key for other machines and CI (shown only now): ${madeKey}`;
  if (apiKey !== undefined) return 'API key: from AGENT_RUN_API_KEY';
  return 'API key: shown at the first start. If you lost it, set AGENT_RUN_API_KEY.';
}
