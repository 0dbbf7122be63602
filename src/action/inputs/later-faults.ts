/** What is asked of the inputs of a step without a server. */
import { isUsualVariableName } from '../../base/variable-name.ts';
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs, EmbeddedInputs } from './inputs.ts';
import { isGiven, readAll } from './values.ts';

const baseUrlVariables = ['AGENT_RUN_BASE_URL', 'OZ_API_BASE_URL'] as const;

export interface ServerAddress {
  /** What it was given in, as a sentence names it: the input, or the variable. */
  readonly option: '`base_url`' | (typeof baseUrlVariables)[number];
  readonly address: string;
}

/** The server that the step is told of, by the input or else by the environment; undefined where there is none. */
export function findServer(host: ActionHost, baseUrl: string | undefined): ServerAddress | undefined {
  if (baseUrl !== undefined) return { option: '`base_url`', address: baseUrl };
  return baseUrlVariables
    .map(option => ({ option, address: (host.readVariable(option) ?? '').trim() }))
    .find(({ address }) => address !== '');
}

/** Names of `pass_env` that the step does not know. */
export function findUnknownNames(host: ActionHost, { passEnv }: Pick<EmbeddedInputs, 'passEnv'>): readonly string[] {
  const missing = passEnv.filter(name => host.readVariable(name) === undefined);
  const shown = missing.filter(isUsualVariableName);
  const named = shown.length === missing.length ? shown : [...shown, 'whose name may be a secret (not shown)'];
  return missing.length === 0
    ? []
    : [`\`pass_env\`: the step has no variable ${named.join(', ')}. Set it under \`env:\` of the step`];
}

/** Those that every program gets or that a shell or the runner sets for itself. */
const ownVariable =
  /^(?:PATH|HOME|TMPDIR|TERM|CI|NO_COLOR|USER|LOGNAME|LANG|LC_ALL|PWD|OLDPWD|SHLVL|SHELL|_|(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE|AGENT_RUN)_.*)$/;

/** What a program probably lacks whose output names variables of the step; '' where it names none. The end of a sentence, without any value. */
export function hintAtUnpassed(host: ActionHost, passEnv: readonly string[], output: readonly string[]): string {
  const said = new Set(output.flatMap(line => line.match(/\w+/g) ?? []));
  const [name] = Object.entries(host.variables()).flatMap(([known, value]) =>
    said.has(known) &&
    isUsualVariableName(known) &&
    value !== '' &&
    !passEnv.includes(known) &&
    !ownVariable.test(known)
      ? [known]
      : [],
  );
  return name === undefined ? '' : `. ${name} is set in the step but not passed to the program: add it to \`pass_env\``;
}

/** What a step without a server would find only after the gate, once its inputs are right. */
export async function findLaterFaults(
  host: ActionHost,
  { embedded }: Partial<ActionInputs>,
): Promise<readonly string[]> {
  if (embedded === undefined || isGiven(host, 'base_url') || findServer(host, undefined) !== undefined) return [];
  const { parseCommand } = await import('../embedded/parse-command.ts');
  const { command } = embedded;
  const faults = await readAll({ command: () => command && parseCommand(command) }).then(
    () => [],
    (error: Error) => [error.message],
  );
  return [...findUnknownNames(host, embedded), ...faults];
}
