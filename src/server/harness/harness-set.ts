import { createCommandHarness } from './command-harness.ts';
import type { Harness } from './harness.ts';
import { createScriptHarness } from './script-harness.ts';

export interface HarnessSetOptions {
  /** The harness of a run that names none; undefined on a server without any. */
  readonly default: string | undefined;
  readonly script: boolean;
  readonly commands: Readonly<
    Record<string, { readonly argv: readonly [string, ...string[]]; readonly env: Readonly<Record<string, string>> }>
  >;
}

/** The harnesses of a server. */
export interface HarnessSet {
  readonly names: readonly string[];
  readonly default: string | undefined;
  /** The harness of a type; `oz` and undefined mean the default. Undefined when there is none of that name. */
  get(type: string | undefined): Harness | undefined;
}

/** Throws RangeError for settings that contradict themselves; the text names the setting. */
export function createHarnesses({ default: usual, script, commands }: HarnessSetOptions): HarnessSet {
  const harnesses = new Map<string, Harness>();
  if (script) harnesses.set('script', createScriptHarness());
  for (const [name, command] of Object.entries(commands)) {
    if (harnesses.has(name) || name === 'oz') throw new RangeError(`harnesses.${name}: the name is taken`);
    harnesses.set(name, createCommandHarness({ name, ...command }));
  }
  if (usual !== undefined && !harnesses.has(usual))
    throw new RangeError(`harnesses.default: there is no harness ${JSON.stringify(usual)}`);
  return {
    names: [...harnesses.keys()],
    default: usual,
    get: type => harnesses.get(type === undefined || type === 'oz' ? (usual ?? '') : type),
  };
}
