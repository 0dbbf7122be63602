import type { ActionMetadata } from './action-metadata.ts';
import { type ExpressionContexts, evaluateDefault } from './input-expression.ts';

/** Values under `with:`. */
export type StepInputs = Readonly<Record<string, string | number | boolean>>;

export interface ResolvedInputs {
  /** Given inputs first, then the defaults of the other declared ones. '' without a default. */
  readonly values: ReadonlyMap<string, string>;
  readonly warnings: readonly string[];
}

/**
 * The inputs of a step, like the real runner's: names ignore case, a given '' stays '', an undeclared input is passed
 * on with a warning, `required` is not enforced.
 */
export function resolveInputs(request: {
  readonly metadata: ActionMetadata;
  readonly given: StepInputs;
  readonly contexts: ExpressionContexts;
}): ResolvedInputs {
  const { inputs } = request.metadata;
  const declared = new Map([...inputs].map(([name, input]) => [name.toLowerCase(), input]));
  const values = new Map(Object.entries(request.given).map(([name, value]) => [name, String(value)]));
  const given = new Set([...values.keys()].map(name => name.toLowerCase()));
  const warnings: string[] = [];
  for (const name of values.keys()) {
    const message = declared.get(name.toLowerCase())?.deprecationMessage;
    if (message !== undefined) warnings.push(`Input '${name}' has been deprecated with message: ${message}`);
  }
  const unexpected = [...values.keys()].filter(name => !declared.has(name.toLowerCase()));
  if (unexpected.length > 0)
    warnings.push(`Unexpected input(s) ${quote(unexpected)}, valid inputs are [${quote([...inputs.keys()])}]`);
  for (const [name, input] of inputs)
    if (!given.has(name.toLowerCase())) values.set(name, evaluateDefault(input.default, request.contexts));
  return { values, warnings };
}

/** The variable that carries an input. */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

function quote(names: readonly string[]): string {
  return `'${names.join("', '")}'`;
}
