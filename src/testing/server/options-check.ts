import { isObject } from '../../base/json.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import { serverFeatures } from '../../contract/tables/headers.ts';
import { checkFaultPlan } from './faults/plan-check.ts';
import { show } from './shown-value.ts';

type Check = (value: unknown) => void;

/** By option name. `limits` has its own check, because the server defines its names. */
const checks: Readonly<Record<string, Check>> = {
  faults: checkFaultPlan,
  features: checkFeatures,
  listen: value => refuseUnless(typeof value === 'boolean', 'listen', value, 'true or false'),
  harnesses: checkHarnesses,
  limits: value => refuseUnless(isObject(value), 'limits', value, 'an object'),
  log: value => refuseUnless(typeof value === 'function', 'log', value, 'a function'),
};

/**
 * Throws TypeError with a sentence that names the option. Tests are often JavaScript without a compiler, and ignoring
 * a typo would make a test that cannot fail.
 */
export function checkOptions(options: unknown): void {
  if (!isObject(options))
    throw new TypeError(`the options of createTestServer must be an object, not ${show(options)}`);
  for (const [name, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, name) ? checks[name] : undefined;
    if (check === undefined)
      throw new TypeError(
        `${name} is not an option of createTestServer. Options: ${Object.keys(checks).join(', ')}${didYouMean(name, Object.keys(checks))}`,
      );
    if (value !== undefined) check(value);
  }
}

/**
 * The given limits. Throws TypeError. Allows values that the configuration refuses, such as a queue without places.
 */
export function readLimits<Limits extends Readonly<Record<string, number | undefined>>>(
  given: { readonly [P in keyof Limits]?: Limits[P] | undefined },
  usual: Limits,
): Limits {
  const set = Object.entries(given).filter(([name, value]) => {
    if (!Object.hasOwn(usual, name))
      throw new TypeError(
        `limits.${name} is not a limit. Limits: ${Object.keys(usual).join(', ')}${didYouMean(name, Object.keys(usual))}`,
      );
    if (value === undefined) return false;
    refuseUnless(typeof value === 'number' && value >= 0, `limits.${name}`, value, 'a number from 0');
    return true;
  });
  return { ...usual, ...Object.fromEntries(set) };
}

function checkFeatures(value: unknown): void {
  if (value === 'none') return;
  const known: readonly unknown[] = serverFeatures;
  const words = ['none', ...serverFeatures];
  const guess = typeof value === 'string' ? didYouMean(value, words) : '';
  const takes = `"none", or a list of ${serverFeatures.join(', ')}`;
  if (!Array.isArray(value)) throw new TypeError(`features must be ${takes}, not ${show(value)}${guess}`);
  const slip = value.findIndex(word => !known.includes(word));
  if (slip === -1) return;
  const word: unknown = value[slip];
  throw new TypeError(
    `features[${slip}] must be one of ${serverFeatures.join(', ')}, not ${show(word)}${typeof word === 'string' ? didYouMean(word, serverFeatures) : ''}`,
  );
}

function checkHarnesses(value: unknown): void {
  const isWhole = isObject(value) && typeof value.script === 'boolean' && isObject(value.commands);
  refuseUnless(isWhole, 'harnesses', value, 'an object with default, script and commands');
  if (!isWhole || !isObject(value.commands)) return;
  for (const [name, command] of Object.entries(value.commands)) {
    const isCommand =
      isObject(command) &&
      Array.isArray(command.argv) &&
      command.argv.length > 0 &&
      command.argv.every(part => typeof part === 'string') &&
      isObject(command.env);
    refuseUnless(
      isCommand,
      `harnesses.commands.${name}`,
      command,
      'an object with argv, a list of strings, and env, an object',
    );
  }
}

function refuseUnless(isRight: boolean, name: string, value: unknown, takes: string): void {
  if (!isRight) throw new TypeError(`${name} must be ${takes}, not ${show(value)}`);
}
