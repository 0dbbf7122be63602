import type { McpServer } from '../../mcp-servers.ts';
import type { AgentLaunch, AgentSpec } from '../adapter.ts';
import { printToml, type TomlTable } from './toml.ts';

/** CODEX_HOME below the state folder, with settings and sessions. */
export const codexHome = 'codex';
const keyVariable = 'AGENT_MODEL_KEY';

export function launchCodex(spec: AgentSpec): AgentLaunch {
  const { endpoint, prompt, stateDir, resume } = spec;
  const options = ['--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox'];
  return {
    args: resume === undefined ? ['exec', ...options, '-'] : ['exec', 'resume', ...options, resume, '-'],
    env: {
      CODEX_HOME: `${stateDir}/${codexHome}`,
      // A named variable must have a value.
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
    // Otherwise it looks up hosts of its maker, and without a network waits forever.
    features: { plugins: false, apps: false, remote_plugin: false, unbounded_connection_retries: false },
    analytics: { enabled: false },
    // Keeps the key out of the environment of its tools. A shell of the same user can still read it from /proc.
    shell_environment_policy: { exclude: [keyVariable] },
    model_providers: {
      run: {
        name: 'run',
        base_url: `${endpoint.root}/v1`,
        env_key: keyVariable,
        ...(endpoint.headers && { http_headers: endpoint.headers }),
        wire_api: 'responses',
        request_max_retries: 3,
        stream_max_retries: 3,
        stream_idle_timeout_ms: 300_000,
      },
    },
    // Waits for MCP servers before its first request. Otherwise the tools of a slow one are missing.
    mcp_optional_startup_grace_ms: 60_000,
    mcp_servers: Object.fromEntries(mcpServers.map(server => [server.name, createMcpServer(server)])),
  };
}

function createMcpServer(server: McpServer): TomlTable {
  // Otherwise a server has 10 seconds to start, and a tool one minute.
  const times = { startup_timeout_sec: 60, tool_timeout_sec: 3600 };
  const { type, required } = server;
  return type === 'stdio'
    ? { command: server.command, args: server.args, env: server.env, required, ...times }
    : { url: server.url, http_headers: server.headers, required, ...times };
}
