import { type HarnessType, harnessTypes } from '../../contract/config.ts';
import type { AgentAdapter } from './agents/adapter.ts';
import { type AgentSettings, createAgentHarness } from './agents/agent-harness.ts';
import { agentAdapters } from './agents/agent-table.ts';
import { createCommandHarness } from './command-harness.ts';
import type { Harness } from './harness.ts';
import { adviseAgent, createScriptHarness } from './script-harness.ts';

export interface HarnessSetOptions {
  /** Harness of runs that name none. Undefined on a server without harnesses. */
  readonly default: string | undefined;
  readonly script: boolean;
  /** Variables for the blocks, which override those of every agent. */
  readonly scriptEnv?: Readonly<Record<string, string>> | undefined;
  /** Advice for a prompt without blocks, instead of naming the server's other harnesses. */
  readonly scriptAdvice?: string | undefined;
  readonly commands: Readonly<
    Record<string, { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }>
  >;
  /** Agent programs by the name of their harness. `kind` names the adapter. */
  readonly agents?: Readonly<Record<string, AgentSettings & { readonly kind: string }>>;
}

export interface HarnessSet {
  readonly names: readonly string[];
  readonly default: string | undefined;
  /** How to classify answers of a harness with that name, which the server may no longer have. */
  publishedType(name: string): HarnessType;
  /** Whether conversations of the harness can continue. */
  canResume(type: string | undefined): boolean;
  /** The harness of a type; `oz` and undefined mean the default. Undefined if there is none with that name. */
  get(type: string | undefined): Harness | undefined;
}

/** Throws RangeError for contradictory settings. The message names the setting. */
export function createHarnesses(
  { default: usual, script, scriptEnv, scriptAdvice, commands, agents = {} }: HarnessSetOptions,
  adapters: Readonly<Record<string, AgentAdapter>> = agentAdapters,
): HarnessSet {
  const harnesses = new Map<string, Harness>();
  const add = (name: string, harness: Harness): void => {
    if (harnesses.has(name) || name === 'oz') throw new RangeError(`harnesses.${name}: this name is already in use`);
    harnesses.set(name, harness);
  };
  const others = [...Object.keys(commands), ...Object.keys(agents)];
  if (script) add('script', createScriptHarness(scriptEnv, scriptAdvice ?? adviseAgent(others)));
  for (const [name, command] of Object.entries(commands)) add(name, createCommandHarness({ name, ...command }));
  for (const [name, { kind, ...settings }] of Object.entries(agents)) {
    const adapter = adapters[kind];
    if (adapter === undefined)
      throw new RangeError(`harnesses.${name}.agent: there is no agent ${JSON.stringify(kind)}`);
    add(name, createAgentHarness(name, adapter, settings));
  }
  if (usual !== undefined && !harnesses.has(usual))
    throw new RangeError(`harnesses.default: there is no harness ${JSON.stringify(usual)}`);
  const get = (type: string | undefined): Harness | undefined =>
    harnesses.get(type === undefined || type === 'oz' ? (usual ?? '') : type);
  return {
    names: [...harnesses.keys()],
    default: usual,
    publishedType(name) {
      const kind = agents[name]?.kind ?? (harnesses.has(name) ? 'oz' : name);
      return harnessTypes.find(type => type === kind) ?? 'oz';
    },
    canResume: type => get(type)?.canResume === true,
    get,
  };
}
