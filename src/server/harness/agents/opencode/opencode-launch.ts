import type { McpServer } from '../../mcp-servers.ts';
import type { AgentLaunch, AgentSpec, ModelApi } from '../adapter.ts';
import { folderVariables, pluginText } from './opencode-plugin.ts';

/** Below the state folder. */
const home = 'opencode';
const settingsFolder = `${home}/config/opencode`;
const provider = 'run';

/** The package for an API, which the program includes, and the path that it expects after the endpoint's root. */
const packages: Readonly<Record<ModelApi, { readonly npm: string; readonly path: string }>> = {
  'openai-chat': { npm: '@ai-sdk/openai-compatible', path: '/v1' },
  'openai-responses': { npm: '@ai-sdk/openai', path: '/v1' },
  anthropic: { npm: '@ai-sdk/anthropic', path: '/v1' },
  gemini: { npm: '@ai-sdk/google', path: '/v1beta' },
};

/**
 * Disables traffic to hosts other than the endpoint, and settings of the workspace: they would run with the rights of
 * the server.
 */
const quiet = {
  OPENCODE_DISABLE_MODELS_FETCH: '1',
  OPENCODE_DISABLE_AUTOUPDATE: '1',
  OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
  OPENCODE_DISABLE_PROJECT_CONFIG: '1',
  OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
} as const;

export function launchOpencode(spec: AgentSpec): AgentLaunch {
  const { model, prompt, instructions, stateDir, resume } = spec;
  const folder = `${stateDir}/${home}`;
  const folders = folderVariables.map(name => [
    name,
    `${folder}/${name.slice('XDG_'.length, -'_HOME'.length).toLowerCase()}`,
  ]);
  return {
    args: [
      'run',
      '--format',
      'json',
      '--auto',
      '--model',
      `${provider}/${model}`,
      // Otherwise it asks the model for a title.
      '--title',
      'run',
      ...(resume === undefined ? [] : ['--session', resume]),
    ],
    env: { ...quiet, ...Object.fromEntries(folders), OPENCODE_CONFIG: `${folder}/opencode.json` },
    stdin: prompt,
    files: [
      { path: `${home}/opencode.json`, text: printSettings(createSettings(spec, folder)) },
      { path: `${home}/plugin.js`, text: pluginText },
      { path: `${home}/instructions.md`, text: instructions },
      ...pretendInstalled,
    ],
    skillsFolder: `${settingsFolder}/skills`,
  };
}

/** At its first start it downloads a package of plugin types from npm, unless it finds that it has done so. */
const pretendInstalled = [
  {
    path: `${settingsFolder}/package-lock.json`,
    text: JSON.stringify({ lockfileVersion: 3, packages: { '': { dependencies: { '@opencode-ai/plugin': '*' } } } }),
  },
  {
    path: `${settingsFolder}/node_modules/.package-lock.json`,
    text: JSON.stringify({ lockfileVersion: 3, packages: {} }),
  },
];

function createSettings({ endpoint, model, mcpServers, workspace }: AgentSpec, folder: string) {
  const { npm, path } = packages[endpoint.api];
  return {
    autoupdate: false,
    share: 'disabled',
    // Otherwise it copies the workspace after each step, for undo.
    snapshot: false,
    permission: 'allow',
    small_model: `${provider}/${model}`,
    provider: {
      [provider]: {
        npm,
        // In the file, so it is in no environment that a tool sees. Without a key a package looks for one itself.
        options: {
          baseURL: `${endpoint.root}${path}`,
          apiKey: endpoint.apiKey ?? 'none',
          ...(endpoint.headers && { headers: endpoint.headers }),
        },
        models: { [model]: {} },
      },
    },
    // The second one by its path: it is not read as a setting of the workspace.
    instructions: [`${folder}/instructions.md`, `${workspace}/AGENTS.md`],
    plugin: [`file://${folder}/plugin.js`],
    mcp: Object.fromEntries(mcpServers.map(server => [server.name, describeServer(server)])),
  };
}

function describeServer(server: McpServer) {
  if (server.type === 'stdio')
    return { type: 'local', command: [server.command, ...server.args], environment: server.env };
  return { type: 'remote', url: server.url, headers: server.headers, oauth: false };
}

/** `{env:…}` and `{file:…}` in the text of its settings are replaced before it is parsed as JSON. */
function printSettings(settings: object): string {
  return JSON.stringify(settings).replaceAll(/\{(?=env:|file:)/g, '\\u007b');
}
