import type { McpServer } from '../../mcp-servers.ts';
import type { AgentLaunch, AgentSpec } from '../adapter.ts';

/** Below the state folder: what Claude Code calls its configuration, with its sessions in it. */
const home = 'claude';
const files = {
  settings: `${home}/settings.json`,
  key: `${home}/key`,
  mcp: `${home}/mcp.json`,
  instructions: `${home}/instructions.md`,
  memory: `${home}/CLAUDE.md`,
};

/** Sends nothing anywhere but to the endpoint, and stays the version it is. */
const quiet = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_AUTOUPDATER: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
} as const;

const behaviour = {
  // As root it refuses to work without asking, unless it is told that this is no machine of a person.
  IS_SANDBOX: '1',
  // Its own ten tries take minutes; a run that can be started again need not.
  CLAUDE_CODE_MAX_RETRIES: '3',
  API_TIMEOUT_MS: '300000',
  // The tools of MCP servers stand in every request: other endpoints than its maker's know no search for tools.
  ENABLE_TOOL_SEARCH: 'false',
  // Waits for them before its first request. Else the tools of a slow one are missing there.
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
  return {
    args: [
      '-p',
      '--output-format',
      'stream-json',
      '--verbose',
      // A long answer is no silence, and its tokens are known before it ends.
      '--include-partial-messages',
      '--dangerously-skip-permissions',
      '--model',
      model,
      '--max-turns',
      String(stepsMax),
      // Not the settings of the workspace: whoever wrote them could send the key elsewhere.
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
      CLAUDE_CONFIG_DIR: `${stateDir}/${home}`,
      CLAUDE_CODE_TMPDIR: tempDir,
    },
    // A prompt that begins with a slash would be a command of the program, which it carries out without any model.
    stdin: prompt.startsWith('/') ? `\n${prompt}` : prompt,
    files: [
      { path: files.settings, text: JSON.stringify({ apiKeyHelper: `cat ${quote(`${stateDir}/${files.key}`)}` }) },
      // Without any key it looks for a person who has logged in.
      { path: files.key, text: endpoint.apiKey ?? 'none' },
      { path: files.mcp, text: printMcpServers(mcpServers) },
      // The instructions of the workspace are wanted, and would go with its settings.
      { path: files.memory, text: `@${`${workspace}/CLAUDE.md`.replaceAll(' ', '\\ ')}\n` },
      ...(instructions === '' ? [] : [{ path: files.instructions, text: instructions }]),
    ],
    skillsFolder: `${home}/skills`,
  };
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

/** It puts variables in place of `${NAME}`, and what comes after `:-` where there is no such variable. */
function escapeDollars(text: string): string {
  return text.replaceAll('${', () => '${AGENT_RUN_NO_VARIABLE:-$}{');
}

/** For a shell. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
