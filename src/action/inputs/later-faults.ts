import { isUsualVariableName } from '../../base/variable-name.ts';
import type { ActionHost } from '../host/host.ts';
import type { EmbeddedInputs } from './embedded-inputs.ts';
import type { ActionInputs } from './inputs.ts';
import { isGiven, readAll } from './values.ts';

const baseUrlVariables = ['AGENT_RUN_BASE_URL', 'OZ_API_BASE_URL'] as const;

export interface ServerAddress {
  /** The input or variable that set it, as shown in sentences. */
  readonly option: '`base_url`' | (typeof baseUrlVariables)[number];
  readonly address: string;
}

/** The server's address from the input, otherwise from the environment. Undefined if neither is set. */
export function findServer(host: ActionHost, baseUrl: string | undefined): ServerAddress | undefined {
  if (baseUrl !== undefined) return { option: '`base_url`', address: baseUrl };
  return baseUrlVariables
    .map(option => ({ option, address: (host.readVariable(option) ?? '').trim() }))
    .find(({ address }) => address !== '');
}

/** Finds names in `pass_env` that the step does not have. */
export function findUnknownNames(host: ActionHost, { passEnv }: Pick<EmbeddedInputs, 'passEnv'>): readonly string[] {
  const missing = passEnv.filter(name => host.readVariable(name) === undefined);
  const shown = missing.filter(isUsualVariableName);
  const named = shown.length === missing.length ? shown : [...shown, 'whose name may be a secret (not shown)'];
  return missing.length === 0
    ? []
    : [`\`pass_env\`: the step has no variable ${named.join(', ')}. Set it under \`env:\` of the step`];
}

/** Variables that every program gets, or that a shell or the runner sets. */
const ownVariable =
  /^(?:PATH|HOME|TMPDIR|TERM|CI|NO_COLOR|USER|LOGNAME|LANG|LC_ALL|PWD|OLDPWD|SHLVL|SHELL|_|(?:GITHUB|RUNNER|ACTIONS|INPUT|STATE|AGENT_RUN)_.*)$/;

/**
 * Tells which variables a failed program probably lacks, judging by the names in its output. '' if it names none.
 * Ends a sentence, and contains no value.
 */
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

/** Finds faults that a step without a server would otherwise report only after the gate. */
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
