/** What is asked of the inputs of a step without a server. */
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs, EmbeddedInputs } from './inputs.ts';
import { isGiven, readAll } from './values.ts';

const baseUrlVariables = ['AGENT_RUN_BASE_URL', 'OZ_API_BASE_URL'] as const;

/** The variable of the environment that names a server; undefined where there is none. */
export function findServerVariable(host: ActionHost): (typeof baseUrlVariables)[number] | undefined {
  return baseUrlVariables.find(name => (host.readVariable(name) ?? '').trim() !== '');
}

/** Names of `pass_env` that the step does not know. */
export function findUnknownNames(host: ActionHost, { passEnv }: Pick<EmbeddedInputs, 'passEnv'>): readonly string[] {
  const missing = passEnv.filter(name => host.readVariable(name) === undefined);
  return missing.length === 0
    ? []
    : [`\`pass_env\`: the step has no variable ${missing.join(', ')}; set it under \`env:\` of the step`];
}

/** What a step without a server would find only after the gate, once its inputs are right. */
export async function findLaterFaults(
  host: ActionHost,
  { embedded }: Partial<ActionInputs>,
): Promise<readonly string[]> {
  if (embedded === undefined || isGiven(host, 'base_url') || findServerVariable(host) !== undefined) return [];
  const { parseCommand } = await import('../embedded/parse-command.ts');
  const { command } = embedded;
  const faults = await readAll({ command: () => command && parseCommand(command) }).then(
    () => [],
    (error: Error) => [error.message],
  );
  return [...findUnknownNames(host, embedded), ...faults];
}
