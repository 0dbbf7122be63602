import { version } from '../base/version.ts';
import { apiPrefix } from '../contract/routes.ts';
import type { AgentRunServer, Listening, ServerConfig } from '../server/index.ts';

interface Opened {
  readonly config: ServerConfig;
  readonly server: AgentRunServer;
  readonly listening: Listening;
}

/** What a person needs to use the server that has just been opened. */
export function describeServing({ config, server, listening }: Opened): string {
  const harnesses =
    server.harnessNames.length > 0
      ? [`harnesses: ${server.harnessNames.join(', ')}`]
      : [
          'harnesses: none, so no run can be started; add to agent-run.yaml, for example:',
          '  harnesses:',
          '    default: script',
          '    script: {}',
        ];
  return [
    `agent-run ${version} listens on ${listening.url}${apiPrefix}`,
    `data: ${config.dataDir}`,
    ...harnesses,
    describeKey({ config, server }),
  ].join('\n');
}

function describeKey({ server: { madeKey }, config: { apiKey, dataDir } }: Omit<Opened, 'listening'>): string {
  if (madeKey !== undefined) return `API key (shown only now): ${madeKey}`;
  if (apiKey !== undefined) return 'API key: from AGENT_RUN_API_KEY';
  return `API key: the one shown at the first start in ${dataDir} (lost it? set AGENT_RUN_API_KEY)`;
}
