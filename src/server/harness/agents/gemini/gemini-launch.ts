import { addressAttemptMs } from '../../../../base/network/slow-addresses.ts';
import type { McpServer } from '../../mcp-servers.ts';
import type { AgentLaunch, AgentSpec } from '../adapter.ts';

/** Below the state folder: what Gemini CLI takes for the home of its user, with settings, skills and sessions in it. */
const home = 'gemini';
const folder = `${home}/.gemini`;
/** Its provider's own endpoint, which has all models that it asks beside the one of the run. */
const ownEndpoint = 'https://generativelanguage.googleapis.com';
/** Below the state folder: a file that every bash reads before its command. */
const bashFile = `${home}/variables.sh`;
/** Below the state folder: what Node runs before the program. */
const preloadFile = `${home}/preload.cjs`;
/** Of MCP servers, where a run has none: it then takes none from the workspace either. */
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
      // In one word: a name that begins with a dash is no option.
      `--model=${model}`,
      '--allowed-mcp-server-names',
      mcpServers.length === 0 ? noServers : mcpServers.map(({ name }) => name).join(','),
      ...(resume === undefined ? ['--session-id', newSessionId] : ['--resume', resume]),
      '--prompt',
      '',
    ],
    env: {
      // Without any key it looks for a person who has logged in.
      GEMINI_API_KEY: endpoint.apiKey ?? 'none',
      GOOGLE_GEMINI_BASE_URL: endpoint.root,
      GEMINI_CLI_HOME: `${stateDir}/${home}`,
      // It would start itself a second time, for a larger heap.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      // It warns of any lesser terminal, although there is none.
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
      // Also where there are none: a conversation that goes on may have had some.
      { path: `${folder}/GEMINI.md`, text: instructions },
      { path: `${folder}/commands/${newSessionId}.toml`, text: printPrompt(prompt) },
      { path: preloadFile, text: printPreload(variables.NODE_OPTIONS) },
      ...(passesOn ? [{ path: bashFile, text: printExports(variables) }] : []),
    ],
    skillsFolder: `${folder}/skills`,
  };
}

/**
 * The prompt as a command of the program, which nobody else can have named so. Of a prompt on standard input each word behind an `@` that is like the name of a
 * file of the workspace would become that name, with the text of the file behind it. In a command only braces mean something, and `!{}` stands for nothing.
 */
function printPrompt(prompt: string): string {
  const text = prompt.replace(/[!@](?=\{)|\{(?=\{args\}\})/g, '$&!{}').toWellFormed();
  return `prompt = ${JSON.stringify(text).replaceAll('\x7f', '\\u007f')}\n`;
}

/**
 * The program exits without waiting for what it has written: of a long answer the end would be lost in a full pipe, unless writing blocks. Its tools get
 * the options of Node that the run has. The time for slow addresses is set here, not by an option: Node before 20.13,
 * which an image may have, refuses that option in NODE_OPTIONS.
 */
function printPreload(nodeOptions: string | undefined): string {
  const restore =
    nodeOptions === undefined ? 'delete env.NODE_OPTIONS' : `env.NODE_OPTIONS = ${JSON.stringify(nodeOptions)}`;
  const wait = `require('node:net').setDefaultAutoSelectFamilyAttemptTimeout(${addressAttemptMs})`;
  return `const { env, stdout } = process;\nstdout._handle?.setBlocking?.(true);\n${wait};\n${restore};\n`;
}

/**
 * The commands of bash that set variables. Gemini CLI lets what it takes for a secret, such as GH_TOKEN, through to MCP servers where its settings allow the name;
 * on the way to the shell it drops the name all the same. Its shell is bash.
 */
function printExports(variables: AgentSpec['variables']): string {
  const named = Object.entries(variables).filter(([name]) => /^[A-Za-z_]\w*$/.test(name));
  return named.map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`).join('');
}

function createSettings({ endpoint, model, mcpServers, variables, stepsMax }: AgentSpec) {
  return {
    security: {
      // An endpoint of one's own makes it choose a way to log in that it then refuses.
      auth: { selectedType: 'gemini-api-key' },
      // The key of the model stays out of the shell that the model drives; so does whatever else is named as a secret.
      environmentVariableRedaction: {
        enabled: true,
        allowed: Object.keys(variables),
        blocked: ['GEMINI_API_KEY'],
      },
    },
    privacy: { usageStatisticsEnabled: false },
    telemetry: { enabled: false },
    general: { enableAutoUpdate: false, enableAutoUpdateNotification: false, maxAttempts: 3 },
    // It would end a run at the fifth equal call; the limit of steps is enough.
    model: { maxSessionTurns: stepsMax, disableLoopDetection: true },
    // Not what a `.env` of the workspace sets.
    advanced: { ignoreLocalEnv: true },
    context: {
      fileName: ['GEMINI.md', 'AGENTS.md'],
      // In the other form a word like @octocat in the instructions becomes a complaint about a missing file.
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

/** Settings name variables as `$NAME`; what stands behind `:-` is used where there is no such variable, and is not expanded again. */
function writeDollars(text: string, dollar: '$' | '\\$'): string {
  return text.replaceAll('$', () => `\${AGENT_RUN_NO_VARIABLE:-${dollar}}`);
}
