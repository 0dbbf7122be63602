/** Reads one input: its valid values, and the error for others. */
import { quoteText as quote } from '../../base/document.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import { plainLine } from '../../border/terminal-text.ts';
import type { ActionHost } from '../host/host.ts';

export { quoteText as quote } from '../../base/document.ts';

/** An invalid input. The message has the input, its value (never a key) and the remedy. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Explains why a variable that should hold a secret is empty. */
export const whyEmpty =
  'the secret is not set (Settings, Secrets and variables, Actions, Secrets), its name is misspelled, or this event gets no secrets (pull requests from forks and from Dependabot)';

/** A key that the agent needs is empty. Either an error or a reason to skip the step (`on_missing_credentials`). */
export class MissingCredentialError extends InputError {
  /** Starts a sentence. Undefined if the variable is not set at all, which the event cannot explain. */
  readonly lack: string | undefined;

  /** `remedy` follows the reason. */
  constructor(lack: string, { remedy = '', isUnset = false } = {}) {
    super(`${lack}${isUnset ? '' : `: ${whyEmpty}`}${remedy}`);
    this.lack = isUnset ? undefined : lack;
  }
}

export type Readers<Values> = { readonly [Name in keyof Values]: () => Values[Name] | Promise<Values[Name]> };

/**
 * Reads each member in order and collects all faults, so that one log shows them all. `findMore` returns faults that
 * would appear later. It is called only if there is a fault. Throws InputError with every fault.
 */
export async function readAll<Values extends object>(
  readers: Readers<Values>,
  findMore: (values: Partial<Values>) => Promise<readonly string[]> = async () => [],
): Promise<Values> {
  const values: (readonly [name: string, value: unknown])[] = [];
  const faults: string[] = [];
  for (const [name, read] of Object.entries<() => unknown>(readers))
    try {
      values.push([name, await read()]);
    } catch (error) {
      if (!(error instanceof InputError)) throw error;
      faults.push(error.message);
    }
  if (faults.length > 0) refuseFaults([...faults, ...(await findMore(Object.fromEntries(values) as Partial<Values>))]);
  return Object.fromEntries(values) as Values;
}

export function refuseFaults(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const [first = '', ...more] = faults;
  const sentences = [first, ...more.map(text => text.charAt(0).toUpperCase() + text.slice(1))];
  throw new InputError(sentences.join('. ').replaceAll('?. ', '? '));
}

/** Five days, the longest job. */
const maxMinutes = 5 * 24 * 60;

/** True if an input has a value, valid or not. */
export function isGiven(host: ActionHost, name: string): boolean {
  return host.readInput(name).trim() !== '';
}

/** Returns a text exactly as written. Undefined if it is only whitespace. */
export function readText(host: ActionHost, name: string): string | undefined {
  const value = host.readInput(name);
  refuseExpression(name, value);
  return value.trim() === '' ? undefined : value;
}

/** Returns a text of any number of lines, trimmed. Undefined when empty. */
export function readTrimmed(host: ActionHost, name: string): string | undefined {
  return readText(host, name)?.trim();
}

/**
 * Returns an identifier of one line. Spaces and line ends around it are trimmed as a mistake. Undefined when empty.
 */
export function readWord(host: ActionHost, name: string): string | undefined {
  const word = readTrimmed(host, name);
  if (word !== undefined && plainLine(word) !== word)
    throw new InputError(
      `\`${name}\`: ${quote(word)} contains a line break or another control character. Write it on one line`,
    );
  return word;
}

/** Reads YAML 1.2 core booleans. `usual` applies to an empty value, which an unset variable produces. */
export function readBoolean(host: ActionHost, name: string, usual: boolean): boolean {
  const value = readWord(host, name);
  if (value === undefined) return usual;
  if (['true', 'True', 'TRUE'].includes(value)) return true;
  if (['false', 'False', 'FALSE'].includes(value)) return false;
  throw new InputError(`\`${name}\` must be true or false, not ${quote(value)}`);
}

/** Returns minutes above 0 as milliseconds. Fractions are allowed. Undefined when empty. */
export function readMinutes(host: ActionHost, name: string): number | undefined {
  const value = readWord(host, name);
  if (value === undefined) return undefined;
  const minutes = /^\d+(\.\d+)?$/.test(value) ? Number(value) : Number.NaN;
  if (!(minutes > 0 && minutes <= maxMinutes))
    throw new InputError(
      `\`${name}\` must be a number of minutes above 0 and at most ${maxMinutes}, such as 90 or 0.5, not ${quote(value)}`,
    );
  return minutes * 60_000;
}

/** Returns one of the given words, the first one when empty. */
export function readChoice<const Word extends string>(
  host: ActionHost,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = readWord(host, name);
  return value === undefined ? words[0] : checkWord(name, value, words);
}

/** Returns words separated by spaces or commas. Undefined when empty. */
export function readWords(host: ActionHost, name: string): readonly string[] | undefined {
  return readTrimmed(host, name)
    ?.split(/[\s,]+/)
    .filter(word => word !== '');
}

const switchWords: ReadonlyMap<string, string> = new Map([
  ['true', 'on'],
  ['false', 'off'],
]);

/** Throws InputError for any other word. */
export function checkWord<const Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find(known => known === value);
  if (word !== undefined) return word;
  const hint = didYouMean(switchWords.get(value) ?? value, words);
  throw new InputError(`\`${name}\`: ${quote(value)} is not one of ${words.join(', ')}${hint}`);
}

/** Returns one `key=value` pair per line and skips empty lines. Undefined if there is none. */
export function readPairs(
  host: ActionHost,
  name: string,
  maxPairs: number,
): Readonly<Record<string, string>> | undefined {
  const lines = (readText(host, name) ?? '').split(/\r?\n/).filter(line => line.trim() !== '');
  const pairs = new Map<string, string>();
  for (const line of lines) {
    const [key = '', ...rest] = line.split('=');
    if (rest.length === 0 || key.trim() === '')
      throw new InputError(`\`${name}\`: the line ${quote(line)} is not a pair. Write one key=value per line`);
    if (pairs.has(key.trim())) throw new InputError(`\`${name}\`: ${quote(key.trim())} is set twice. Set it once`);
    pairs.set(key.trim(), rest.join('=').trim());
  }
  if (pairs.size > maxPairs)
    throw new InputError(`\`${name}\` has ${pairs.size} pairs. At most ${maxPairs} are allowed`);
  return pairs.size === 0 ? undefined : Object.fromEntries(pairs);
}

function refuseExpression(name: string, value: string): void {
  if (value.trimStart().startsWith('${{'))
    throw new InputError(
      `\`${name}\` begins with \${{, an expression that was not evaluated: ${quote(value)}. Expressions work under \`with:\` of a workflow step`,
    );
}

/** Reads a key or token and masks it from now on. */
export function readSecret(host: ActionHost, name: 'api_key' | 'github_token'): string | undefined {
  const value = host.readInput(name).trim();
  if (value === '') return undefined;
  if (value.startsWith('${{'))
    throw new InputError(`\`${name}\` is an expression that was not evaluated. Write it under \`with:\` of the step`);
  host.mask(value);
  if (!/^[\x21-\x7e]+$/.test(value))
    throw new InputError(
      `\`${name}\` contains ${describeInvalidCharacters(value)}, so it is not a key (not shown). Save only the key in the secret, without quotes, \`Bearer\` or a second line`,
    );
  if (value.length < 8)
    host.warn(`\`${name}\` is shorter than 8 characters. Masking it also masks other text in the log`);
  return value;
}

/** Describes the characters of a key that a header cannot contain. */
function describeInvalidCharacters(key: string): string {
  if (/[\r\n]/.test(key)) return 'a line break';
  return /\s/.test(key) ? 'a space' : 'a character that is not ASCII';
}
