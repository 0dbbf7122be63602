import { resolve } from 'node:path';
import { version } from '../../base/process/version.ts';
import type { AgentRunServer, Listening, ServerConfig } from '../../server/index.ts';
import { isLocalOnly } from '../local-server.ts';

interface Opened {
  readonly config: ServerConfig;
  readonly server: AgentRunServer;
  readonly listening: Listening;
}

/** How to use the server that just started. */
export function describeServing({ config, server, listening }: Opened): string {
  const { harnessNames } = server;
  const place = config.behindProxy ? `${config.host}:${new URL(listening.url).port}, behind a proxy` : listening.url;
  return [
    `agent-run ${version} listens on ${place}`,
    `data folder: ${config.dataDir}`,
    `harnesses: ${harnessNames.length === 0 ? 'none' : harnessNames.join(', ')}`,
    describeKey({ config, server }),
    '',
    ...(harnessNames.length === 0 ? [howToAddHarness] : describeNextCommand(config)),
  ].join('\n');
}

const howToAddHarness = `Without a harness, this server cannot start runs. Add one to agent-run.yaml, for example:
  harnesses:
    builtin:
      endpoint: { api: anthropic }
      model: claude-haiku-4-5
Set ANTHROPIC_API_KEY, then start the server again.`;

/** Commands of this user find a local server through its data folder. */
function describeNextCommand(config: ServerConfig): readonly string[] {
  const { dataDir, harnesses, publicUrl } = config;
  const isDefault = dataDir === resolve('.agent-run');
  const prompt = harnesses.default === 'script' ? "$'```sh\\necho hello\\n```'" : '"Say hello"';
  if (!isLocalOnly(config))
    return [
      `To use it, set AGENT_RUN_BASE_URL${publicUrl === undefined ? '' : `=${publicUrl}`} and AGENT_RUN_API_KEY to the key.`,
    ];
  return [
    `In another terminal${isDefault ? ', in this folder' : ''}:`,
    ...(isDefault ? [] : [`  export AGENT_RUN_DATA='${dataDir.replaceAll("'", "'\\''")}'`]),
    `  npx agent-run run ${prompt}`,
  ];
}

function describeKey({ server: { madeKey, hasFirstKey }, config }: Pick<Opened, 'server' | 'config'>): string {
  if (madeKey !== undefined)
    return `API key${isLocalOnly(config) ? ' for other machines and CI (not shown again)' : ' (not shown again)'}: ${madeKey}`;
  if (config.apiKey !== undefined)
    return `API key: from AGENT_RUN_API_KEY${hasFirstKey ? '; the key of the first start also works' : ''}`;
  return 'API key: shown at the first start. If you lost it, start the server with a key of your choice in AGENT_RUN_API_KEY.';
}
