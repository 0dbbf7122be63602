import type { RequestHeaders } from '../../../../base/network/request-headers.ts';
import { addressAttemptMs } from '../../../../base/network/slow-addresses.ts';
import type { McpServer } from '../../mcp-servers.ts';
import type { AgentLaunch, AgentSpec } from '../adapter.ts';

/** Home of Gemini CLI's user below the state folder, with settings, skills and sessions. */
const home = 'gemini';
const folder = `${home}/.gemini`;
/** Its provider's own endpoint, which has every model that the program asks in addition to the run's. */
const ownEndpoint = 'https://generativelanguage.googleapis.com';
/** File below the state folder that every bash reads before its command. */
const bashFile = `${home}/variables.sh`;
/** Below the state folder: code that Node runs before the program. */
const preloadFile = `${home}/preload.cjs`;
/** Name for no MCP servers: otherwise it would take those of the workspace. */
const noServers = 'none-of-this-run';

export function launchGemini(spec: AgentSpec): AgentLaunch {
  const { endpoint, model, prompt, instructions, mcpServers, stateDir, variables, newSessionId, resume } = spec;
  const passesOn = Object.keys(variables).length > 0;
  return {
    args: [
      '--output-format',
      'stream-json',
      '--yolo',
      '--skip-trust',
      // One argument, so that a name with a leading dash is not an option.
      `--model=${model}`,
      '--allowed-mcp-server-names',
      mcpServers.length === 0 ? noServers : mcpServers.map(({ name }) => name).join(','),
      ...(resume === undefined ? ['--session-id', newSessionId] : ['--resume', resume]),
      '--prompt',
      '',
    ],
    env: {
      // Without a key it asks a person to log in.
      GEMINI_API_KEY: endpoint.apiKey ?? 'none',
      GOOGLE_GEMINI_BASE_URL: endpoint.root,
      ...(endpoint.headers && { GEMINI_CLI_CUSTOM_HEADERS: printHeaders(endpoint.headers) }),
      GEMINI_CLI_HOME: `${stateDir}/${home}`,
      // Otherwise it restarts itself for a larger heap.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // It warns about any lesser terminal, although there is none.
      TERM: 'xterm-256color',
      COLORTERM: 'truecolor',
      NODE_OPTIONS: [variables.NODE_OPTIONS, `--require=${JSON.stringify(`${stateDir}/${preloadFile}`)}`]
        .filter(Boolean)
        .join(' '),
      ...(passesOn ? { BASH_ENV: `${stateDir}/${bashFile}` } : {}),
    },
    stdin: `/${newSessionId}`,
    files: [
      { path: `${folder}/settings.json`, text: JSON.stringify(createSettings(spec)) },
      // Also without servers: the conversation's last run may have had some.
      { path: `${folder}/GEMINI.md`, text: instructions },
      { path: `${folder}/commands/${newSessionId}.toml`, text: printPrompt(prompt) },
      { path: preloadFile, text: printPreload(variables.NODE_OPTIONS) },
      ...(passesOn ? [{ path: bashFile, text: printExports(variables) }] : []),
    ],
    skillsFolder: `${folder}/skills`,
  };
}

function printHeaders(headers: RequestHeaders): string {
  return Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join(', ');
}

/**
 * The prompt as a command of the program, under a name that is not in use. In a prompt on standard input, a word
 * after `@` that resembles a file name of the workspace would be replaced with the file's name and text. In a command
 * only braces have a meaning, and `!{}` stands for nothing.
 */
function printPrompt(prompt: string): string {
  const text = prompt.replace(/[!@](?=\{)|\{(?=\{args\}\})/g, '$&!{}').toWellFormed();
  return `prompt = ${JSON.stringify(text).replaceAll('\x7f', '\\u007f')}\n`;
}

/**
 * The program exits before its output is written, so a full pipe would lose the end of a long answer unless writes
 * block. Its tools get the run's own NODE_OPTIONS. The timeout for slow addresses is set here, because Node before
 * 20.13, which an image may have, refuses that option in NODE_OPTIONS.
 */
function printPreload(nodeOptions: string | undefined): string {
  const restore =
    nodeOptions === undefined ? 'delete env.NODE_OPTIONS' : `env.NODE_OPTIONS = ${JSON.stringify(nodeOptions)}`;
  const wait = `require('node:net').setDefaultAutoSelectFamilyAttemptTimeout(${addressAttemptMs})`;
  return `const { env, stdout } = process;\nstdout._handle?.setBlocking?.(true);\n${wait};\n${restore};\n`;
}

/**
 * Bash commands that set variables. For names that it takes for secrets, such as GH_TOKEN, Gemini CLI passes a
 * variable on to MCP servers if its settings allow the name, but never to its shell, which is bash.
 */
function printExports(variables: AgentSpec['variables']): string {
  const named = Object.entries(variables).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  return named.map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`).join('');
}

function createSettings({ endpoint, model, mcpServers, variables, stepsMax }: AgentSpec) {
  return {
    security: {
      // With another endpoint it would choose a way to log in that it then refuses.
      auth: { selectedType: 'gemini-api-key' },
      // Keeps the key of the model, and other secrets, out of the shell that the model uses.
      environmentVariableRedaction: {
        enabled: true,
        allowed: Object.keys(variables),
        blocked: ['GEMINI_API_KEY'],
      },
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
    // It would end a run at the fifth equal call. The step limit is enough.
    model: { maxSessionTurns: stepsMax, disableLoopDetection: true },
    // Ignores a `.env` of the workspace.
    advanced: { ignoreLocalEnv: true },
    context: {
      fileName: ['GEMINI.md', 'AGENTS.md'],
      // In the other form, a word like @octocat in the instructions causes an error about a missing file.
      importFormat: 'flat',
    },
    ...(endpoint.root === ownEndpoint ? {} : { modelConfigs: { customOverrides: askOneModel(model) } }),
    mcpServers: Object.fromEntries(mcpServers.map(server => [server.name, describeServer(server)])),
  };
}

/** For a summary or a correction it asks other models of its provider, which another endpoint may not have. */
function askOneModel(model: string) {
  return ['base', 'chat-compression-default'].map(name => ({ match: { model: name }, modelConfig: { model } }));
}

function describeServer(server: McpServer) {
  if (server.type === 'stdio')
    return {
      command: writeDollars(server.command, '$'),
      args: server.args.map(arg => writeDollars(arg, '$')),
      env: writeEach(server.env),
      trust: true,
    };
  return { httpUrl: writeDollars(server.url, '$'), headers: writeEach(server.headers), trust: true };
}

/** Variables and headers are expanded twice. */
function writeEach(texts: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(texts).map(([name, text]) => [name, writeDollars(text, '\\$')]));
}

/**
 * Settings name variables as `$NAME`. The text after `:-` is used if the variable is missing, and is not expanded
 * again.
 */
function writeDollars(text: string, dollar: '$' | '\\$'): string {
  return text.replaceAll('$', () => `\${AGENT_RUN_NO_VARIABLE:-${dollar}}`);
}
