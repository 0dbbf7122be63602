import { parseArgs } from 'node:util';
import { describeUnsetVariable } from '../base/variable-name.ts';
import { parseSkillSpec } from '../contract/tables/skill-spec.ts';
import { agentPrograms, isAgentProgramName } from '../server/index.ts';
import type { ModelApi } from '../testing/index.ts';
import { demoRepository } from './demo-server.ts';
import { modelApis, usualKeyVariable } from './endpoints.ts';

/** The real model that an agent asks. */
export interface AskedModel {
  readonly name: string;
  /** Undefined: the provider's own. */
  readonly url: string | undefined;
  readonly api: ModelApi;
  /** Undefined: the endpoint needs none. */
  readonly keyVariable: string | undefined;
}

export interface Flags {
  readonly prompt: string | undefined;
  readonly skill: string | undefined;
  /** Agents to show. Empty: the default scenes. */
  readonly agents: readonly string[];
  /** Undefined: the script's. */
  readonly model: AskedModel | undefined;
  readonly keep: boolean;
  readonly help: boolean;
}

const agentNames = ['builtin', ...Object.keys(agentPrograms)];
/** Agents that support only one API. */
const ownApis: Readonly<Record<string, ModelApi>> = {
  claude: 'anthropic',
  codex: 'openai-responses',
  gemini: 'gemini',
};

export const help = `npm start -- [flags]

  --prompt TEXT   run the fenced sh or bash blocks of this text instead of the example skill;
                  with --agent, the agent's task
  --skill SPEC    run another skill of this clone, as ${demoRepository}:NAME or ${demoRepository}:path/SKILL.md
  --agent NAME    only this agent: ${agentNames.join(', ')}; can be repeated
  --keep          keep the server running and print its address and key; Ctrl-C ends it

Use a real model instead of the simulated one (it may cost money):

  --model NAME                  the model
  --model-api API               ${modelApis.join(', ')} (default: the agent's own, or the first)
  --model-url URL               URL of the endpoint, without /v1 (default: the provider's)
  --model-key-variable NAME     variable with the key (default without --model-url: the provider's usual one)
`;

/** Throws Error with a sentence for invalid flags. */
export function readFlags(args: readonly string[], env: Readonly<Record<string, string | undefined>>): Flags {
  const { values } = parseArgs({
    args: [...args],
    options: {
      prompt: { type: 'string' },
      skill: { type: 'string' },
      agent: { type: 'string', multiple: true, default: [] },
      model: { type: 'string' },
      'model-api': { type: 'string' },
      'model-url': { type: 'string' },
      'model-key-variable': { type: 'string' },
      keep: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const { prompt, skill, agent: named, keep, help: wantsHelp } = values;
  const agents = [...new Set(values.model === undefined || named.length > 0 ? named : ['builtin'])];
  const unknown = agents.find(name => name !== 'builtin' && !isAgentProgramName(name));
  if (unknown !== undefined)
    throw new Error(`--agent must be one of ${agentNames.join(', ')}, not ${JSON.stringify(unknown)}`);
  if (prompt !== undefined && skill !== undefined)
    throw new Error('--prompt and --skill cannot be combined; give only one of the two');
  if (prompt?.trim() === '')
    throw new Error('--prompt is empty; give it a text with a fenced sh or bash block, or a task for an agent');
  if (skill !== undefined && agents.length > 0)
    throw new Error('--skill cannot be combined with --agent; give the agent its task with --prompt');
  if (prompt !== undefined && agents.length > 0 && values.model === undefined)
    throw new Error('--prompt with --agent needs --model: the simulated model knows only one task');
  if (skill !== undefined) parseSkillSpec(skill);
  const model = readModel(values, agents, env);
  return { prompt, skill, agents, model, keep, help: wantsHelp };
}

type ModelFlags = Readonly<Partial<Record<'model' | 'model-api' | 'model-url' | 'model-key-variable', string>>>;

function readModel(
  { model: name, 'model-api': api, 'model-url': url, 'model-key-variable': variable }: ModelFlags,
  agents: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): AskedModel | undefined {
  if (name === undefined) {
    const [flag] = Object.entries({ 'model-api': api, 'model-url': url, 'model-key-variable': variable })
      .filter(([, value]) => value !== undefined)
      .map(([flag]) => flag);
    if (flag !== undefined) throw new Error(`--${flag} needs --model; name the model`);
    return undefined;
  }
  const [agent = 'builtin', ...others] = agents;
  if (others.length > 0)
    throw new Error('--model works with only one --agent, because each agent needs its own endpoint');
  const known = api === undefined ? (ownApis[agent] ?? modelApis[0]) : modelApis.find(one => one === api);
  if (known === undefined)
    throw new Error(`--model-api must be one of ${modelApis.join(', ')}, not ${JSON.stringify(api)}`);
  const own = ownApis[agent];
  if (own !== undefined && known !== own)
    throw new Error(`--model-api: ${agent} supports only ${own}; remove the flag`);
  if (url !== undefined && !/^https?:$/.test(URL.parse(url)?.protocol ?? ''))
    throw new Error(`--model-url must be an http or https URL, not ${JSON.stringify(url)}`);
  const keyVariable = variable ?? (url === undefined ? usualKeyVariable(known) : undefined);
  if (keyVariable !== undefined && (env[keyVariable] ?? '').trim() === '')
    throw new Error(
      `${keyVariable === variable ? '--model-key-variable: ' : ''}${describeUnsetVariable(keyVariable)}; set it to the key of the model`,
    );
  return { name, url, api: known, keyVariable };
}
