import type { RequestHeaders } from '../../../../base/network/request-headers.ts';
import type { McpServer } from '../../mcp-servers.ts';
import type { AgentLaunch, AgentSpec } from '../adapter.ts';

/** Claude Code's configuration folder below the state folder, with its sessions. */
const home = 'claude';
const files = {
  settings: `${home}/settings.json`,
  key: `${home}/key`,
  mcp: `${home}/mcp.json`,
  instructions: `${home}/instructions.md`,
  memory: `${home}/CLAUDE.md`,
};

/** Disables traffic to hosts other than the endpoint, and updates. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
} as const;

const behaviour = {
  // As root it refuses to work without prompts unless it is told that this is a sandbox.
  IS_SANDBOX: '1',
  // Its own ten retries take minutes. A run can be started again.
  CLAUDE_CODE_MAX_RETRIES: '3',
  API_TIMEOUT_MS: '300000',
  // Sends the tools of MCP servers in every request, because other makers' endpoints do not support tool search.
  ENABLE_TOOL_SEARCH: 'false',
  // Waits for MCP servers before its first request. Otherwise the tools of a slow one are missing.
  MCP_CONNECTION_NONBLOCKING: 'false',
  MCP_TIMEOUT: '60000',
} as const;

export function launchClaude({
  endpoint,
  model,
  prompt,
  instructions,
  mcpServers,
  workspace,
  stateDir,
  tempDir,
  newSessionId,
  resume,
  stepsMax,
}: AgentSpec): AgentLaunch {
  const isOAuth = endpoint.keyType === 'oauth_token';
  return {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      // Shows that a long answer is in progress, and its tokens before it ends.
      '--include-partial-messages',
      '--dangerously-skip-permissions',
      '--model',
      model,
      '--max-turns',
      String(stepsMax),
      // Ignores the settings of the workspace: they could send the key to another host.
      '--setting-sources',
      'user',
      '--strict-mcp-config',
      '--mcp-config',
      `${stateDir}/${files.mcp}`,
      ...(instructions === '' ? [] : ['--append-system-prompt-file', `${stateDir}/${files.instructions}`]),
      ...(resume === undefined ? ['--session-id', newSessionId] : ['--resume', resume]),
    ],
    env: {
      ...quiet,
      ...behaviour,
      ANTHROPIC_BASE_URL: endpoint.root,
      // It keeps the token out of the environment of its tools.
      ...(isOAuth ? { CLAUDE_CODE_OAUTH_TOKEN: endpoint.apiKey ?? '' } : {}),
      ...(endpoint.headers && { ANTHROPIC_CUSTOM_HEADERS: printHeaders(endpoint.headers) }),
      CLAUDE_CONFIG_DIR: `${stateDir}/${home}`,
      CLAUDE_CODE_TMPDIR: tempDir,
    },
    // A prompt with a leading slash would be a command of the program, which runs without a model.
    stdin: prompt.startsWith('/') ? `\n${prompt}` : prompt,
    files: [
      // A helper would take precedence over the token.
      ...(isOAuth ? [{ path: files.settings, text: '{}' }] : printKeyFiles(stateDir, endpoint.apiKey)),
      { path: files.mcp, text: printMcpServers(mcpServers) },
      // Without the workspace's settings its instructions are missing too, so they are passed here.
      { path: files.memory, text: `@${`${workspace}/CLAUDE.md`.replaceAll(' ', '\\ ')}\n` },
      ...(instructions === '' ? [] : [{ path: files.instructions, text: instructions }]),
    ],
    skillsFolder: `${home}/skills`,
  };
}

function printKeyFiles(stateDir: string, apiKey: string | undefined): AgentLaunch['files'] {
  return [
    { path: files.settings, text: JSON.stringify({ apiKeyHelper: `cat ${quote(`${stateDir}/${files.key}`)}` }) },
    // Without a key it asks a person to log in.
    { path: files.key, text: apiKey ?? 'none' },
  ];
}

function printHeaders(headers: RequestHeaders): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
}

function printMcpServers(servers: readonly McpServer[]): string {
  const entries = servers.map(server => {
    const { name, type } = server;
    return type === 'stdio'
      ? ([name, { type, command: server.command, args: server.args, env: server.env }] as const)
      : ([name, { type, url: server.url, headers: server.headers }] as const);
  });
  return JSON.stringify({ mcpServers: Object.fromEntries(entries) }, (_name, value: unknown) =>
    typeof value === 'string' ? escapeDollars(value) : value,
  );
}

/** It replaces `${NAME}` with variables, and uses the text after `:-` if the variable is missing. */
function escapeDollars(text: string): string {
  return text.replaceAll('${', () => '${AGENT_RUN_NO_VARIABLE:-$}{');
}

/** Quotes for a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
