/** Folders of the program itself. The model's shell uses those of its user. */
export const folderVariables = ['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'XDG_CACHE_HOME'] as const;

/**
 * Source of a plugin that opencode runs. By itself opencode prints a part of an answer only when it is complete, and
 * reports no running tool, retry, subagent, unusable MCP server, or which answer is only a summary that shortens the
 * conversation. The plugin prints `agent_run_session` for a session that begins or retries, `agent_run_mcp` for the
 * servers, `agent_run_summary` for the message of a summary, `agent_run_part` for a part of an answer that begins or
 * ends, and from time to time `agent_run_life` while one grows.
 */
export const pluginText = `
const print = line => process.stdout.write(JSON.stringify(line) + '\\n');
const told = new Set();
let lifeMs = 0;
let servers;

/** When the model begins to answer, they have been asked for their tools. */
async function printServers(client) {
  const { data } = await client.mcp.status();
  if (data) print({ type: 'agent_run_mcp', servers: data });
}

function printLife() {
  if (Date.now() - lifeMs < 10000) return;
  lifeMs = Date.now();
  print({ type: 'agent_run_life' });
}

function printPart(part) {
  if (!['step-start', 'step-finish', 'reasoning', 'text', 'tool'].includes(part.type)) return;
  // A text without a duration is the prompt.
  if (part.type === 'text' && part.time === undefined) return;
  const stage = part.type === 'tool' ? part.state.status : part.time?.end === undefined ? 'begun' : 'over';
  if (stage === 'pending') return;
  const news = part.id + ' ' + stage;
  if (told.has(news)) return printLife();
  told.add(news);
  print({ type: 'agent_run_part', part });
}

export const AgentRun = async ({ client }) => ({
  event: async ({ event: { type, properties } }) => {
    if (type === 'session.created') {
      const { id, parentID } = properties.info;
      print({ type: 'agent_run_session', sessionID: id, parentID });
    } else if (type === 'session.status' && properties.status.type === 'retry') {
      print({ type: 'agent_run_session', ...properties });
    } else if (type === 'message.updated') {
      const { id, role, summary } = properties.info;
      if (role !== 'assistant' || summary !== true || told.has(id)) return;
      told.add(id);
      print({ type: 'agent_run_summary', messageID: id });
    } else if (type === 'message.part.updated') {
      printPart(properties.part);
      if (properties.part.type === 'step-start') servers ??= printServers(client).catch(() => {});
    } else if (type === 'message.part.delta') printLife();
  },
  'shell.env': async (_input, { env }) => {
    for (const name of ${JSON.stringify(folderVariables)}) env[name] = '';
  },
});
`.trimStart();
