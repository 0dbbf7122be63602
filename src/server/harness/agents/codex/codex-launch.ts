import type { McpServer } from '../../mcp-servers.ts';
import type { AgentLaunch, AgentSpec } from '../adapter.ts';
import { printToml, type TomlTable } from './toml.ts';

/** Below the state folder: CODEX_HOME, with its settings and sessions. */
export const codexHome = 'codex';
const keyVariable = 'AGENT_MODEL_KEY';

export function launchCodex(spec: AgentSpec): AgentLaunch {
  const { endpoint, prompt, stateDir, resume } = spec;
  const options = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  return {
    args: resume === undefined ? ['exec', ...options, '-'] : ['exec', 'resume', ...options, resume, '-'],
    env: {
      CODEX_HOME: `${stateDir}/${codexHome}`,
      // It wants one where a variable is named.
      [keyVariable]: endpoint.apiKey ?? 'none',
    },
    stdin: prompt,
    files: [{ path: `${codexHome}/config.toml`, text: printToml(createSettings(spec)) }],
    skillsFolder: `${codexHome}/skills`,
  };
}

function createSettings({ endpoint, model, instructions, mcpServers }: AgentSpec): TomlTable {
  return {
    model,
    model_provider: 'run',
    ...(instructions === '' ? {} : { developer_instructions: instructions }),
    approval_policy: 'never',
    sandbox_mode: 'danger-full-access',
    check_for_update_on_startup: false,
    // Without these it looks up hosts of its maker, and waits for a network for ever.
    features: { plugins: false, apps: false, remote_plugin: false, unbounded_connection_retries: false },
    analytics: { enabled: false },
    // The key is not in the environment of what it starts. A shell of the same user still reads it from /proc.
    shell_environment_policy: { exclude: [keyVariable] },
    model_providers: {
      run: {
        name: 'run',
        base_url: `${endpoint.root}/v1`,
        env_key: keyVariable,
        wire_api: 'responses',
        request_max_retries: 3,
        stream_max_retries: 3,
        stream_idle_timeout_ms: 300_000,
      },
    },
    // Waits for servers of tools before its first request. Else the tools of a slow one are missing there.
    mcp_optional_startup_grace_ms: 60_000,
    mcp_servers: Object.fromEntries(mcpServers.map(server => [server.name, createMcpServer(server)])),
  };
}

function createMcpServer(server: McpServer): TomlTable {
  // Without these a server has 10 seconds to start, and a tool one minute.
  const times = { startup_timeout_sec: 60, tool_timeout_sec: 3600 };
  const { type, required } = server;
  return type === 'stdio'
    ? { command: server.command, args: server.args, env: server.env, required, ...times }
    : { url: server.url, http_headers: server.headers, required, ...times };
}
