/** The agents of the demo's server, and how their model is described. */
import { randomBytes } from 'node:crypto';
import {
  agentPrograms,
  findAgentProgram,
  isAgentProgramName,
  locateAgentsFolder,
  readProgramVersion,
} from '../server/index.ts';
import type { ModelServer } from '../testing/index.ts';
import type { AskedModel } from './flags.ts';

type Variables = Readonly<Record<string, string | undefined>>;

/** An agent that can be started. */
export interface FoundAgent {
  readonly name: string;
  /** Includes the version of its program. */
  readonly title: string;
}

/** The agents whose programs start, and the names of the others. */
export async function findAgents(
  names: readonly string[],
  env: Variables,
): Promise<{ readonly found: readonly FoundAgent[]; readonly missing: readonly string[] }> {
  const found: FoundAgent[] = [];
  const missing: string[] = [];
  const [agentsFolder, searchPath] = [locateAgentsFolder(env, process.cwd()), env.PATH ?? ''];
  for (const name of names) {
    if (!isAgentProgramName(name)) {
      found.push({ name, title: 'the built-in agent' });
      continue;
    }
    const program = await findAgentProgram(name, { agentsFolder, searchPath });
    const version = program && (await readProgramVersion(program.command, { searchPath }).catch(() => undefined));
    if (version === undefined) missing.push(name);
    else found.push({ name, title: `${agentPrograms[name].title} ${version}` });
  }
  return { found, missing };
}

/** Entries of `harnesses` and the variables that they need. */
export interface AgentPlan {
  readonly agents: Readonly<Record<string, object>>;
  readonly env: Variables;
}

const keyVariable = 'DEMO_MODEL_KEY';
export const scriptedKey = randomBytes(16).toString('hex');

/** Each agent asks the scripted model. */
export function planScripted(names: readonly string[], model: ModelServer, env: Variables): AgentPlan {
  const entries = names.map(name => {
    const api = name === 'builtin' || name === 'opencode' ? { api: 'openai-chat' } : {};
    return [name, { endpoint: { url: model.url, key: keyVariable, ...api }, model: 'scripted-model' }] as const;
  });
  return { agents: Object.fromEntries(entries), env: { ...placeOf(env), [keyVariable]: scriptedKey } };
}

/** The agent asks a real model. */
export function planAsked(names: readonly string[], model: AskedModel, env: Variables): AgentPlan {
  const { name: modelName, url, api, keyVariable: key } = model;
  const endpoint = { api, ...(url === undefined ? {} : { url }), ...(key === undefined ? {} : { key }) };
  const entries = names.map(name => [name, { endpoint, model: modelName }] as const);
  return {
    agents: Object.fromEntries(entries),
    env: { ...placeOf(env), ...(key === undefined ? {} : { [key]: env[key] }) },
  };
}

/** The demo's server has another working folder. */
function placeOf(env: Variables): Variables {
  return { AGENT_RUN_AGENTS: locateAgentsFolder(env, process.cwd()) };
}
