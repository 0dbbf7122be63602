/** How one input is read: what it may hold, and what is said when it holds something else. */
import { quoteText as quote } from '../../base/document.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import { plainLine } from '../../border/terminal-text.ts';
import type { ActionHost } from '../host/host.ts';

export { quoteText as quote } from '../../base/document.ts';

/** An input that cannot work. The message names the input, its value (never a key's) and what to do. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** Why a variable of the step is empty that should hold a secret. */
export const whyEmpty =
  'the secret is not set (Settings, Secrets and variables, Actions, Secrets), its name is misspelled, or this event gets no secrets (pull requests from forks and from Dependabot)';

/** A key that the agent needs is empty: wrong, or nothing to do for the step (`on_missing_credentials`). */
export class MissingCredentialError extends InputError {
  /** Begins a sentence with what is empty. Undefined if the variable is not set at all, which the event cannot explain. */
  readonly lack: string | undefined;

  /** `remedy` goes on after why it is. */
  constructor(lack: string, { remedy = '', isUnset = false } = {}) {
    super(`${lack}${isUnset ? '' : `: ${whyEmpty}`}${remedy}`);
    this.lack = isUnset ? undefined : lack;
  }
}

export type Readers<Values> = { readonly [Name in keyof Values]: () => Values[Name] | Promise<Values[Name]> };

/**
 * Reads each member for itself, in this order, so that one look at the log tells all that is wrong. `findMore`, asked only where something is wrong,
 * says what would be found later. Throws InputError with every fault.
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

/** Throws InputError where there is one. */
export function refuseFaults(faults: readonly string[]): void {
  if (faults.length === 0) return;
  const [first = '', ...more] = faults;
  const sentences = [first, ...more.map(text => text.charAt(0).toUpperCase() + text.slice(1))];
  throw new InputError(sentences.join('. ').replaceAll('?. ', '? '));
}

/** Longest wait, five days in minutes: no job is longer. */
const maxMinutes = 5 * 24 * 60;

/** Whether an input says anything, right or wrong. */
export function isGiven(host: ActionHost, name: string): boolean {
  return host.readInput(name).trim() !== '';
}

/** A text exactly as it was written; undefined when it is nothing but blanks. */
export function readText(host: ActionHost, name: string): string | undefined {
  const value = host.readInput(name);
  refuseExpression(name, value);
  return value.trim() === '' ? undefined : value;
}

/** A text without the spaces around it, of one line or several; undefined when empty. */
export function readTrimmed(host: ActionHost, name: string): string | undefined {
  return readText(host, name)?.trim();
}

/** An identifier of one line: spaces and line ends around it are a slip. Undefined when empty. */
export function readWord(host: ActionHost, name: string): string | undefined {
  const word = readTrimmed(host, name);
  if (word !== undefined && plainLine(word) !== word)
    throw new InputError(
      `\`${name}\`: ${quote(word)} contains a line break or another control character. Write it on one line`,
    );
  return word;
}

/** The words of YAML 1.2's core schema; `usual` when empty, as an unset variable makes it. */
export function readBoolean(host: ActionHost, name: string, usual: boolean): boolean {
  const value = readWord(host, name);
  if (value === undefined) return usual;
  if (['true', 'True', 'TRUE'].includes(value)) return true;
  if (['false', 'False', 'FALSE'].includes(value)) return false;
  throw new InputError(`\`${name}\` must be true or false, not ${quote(value)}`);
}

/** Minutes above 0 as milliseconds, fractions allowed; undefined when empty. */
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

/** One of the given words; the first one when empty. */
export function readChoice<const Word extends string>(
  host: ActionHost,
  name: string,
  words: readonly [Word, ...Word[]],
): Word {
  const value = readWord(host, name);
  return value === undefined ? words[0] : checkWord(name, value, words);
}

/** Words separated by blanks or commas; undefined when empty. */
export function readWords(host: ActionHost, name: string): readonly string[] | undefined {
  return readTrimmed(host, name)
    ?.split(/[\s,]+/)
    .filter(word => word !== '');
}

/** What other inputs call the same. */
const switchWords: ReadonlyMap<string, string> = new Map([
  ['true', 'on'],
  ['false', 'off'],
]);

/** Throws InputError for a word that is none of these. */
export function checkWord<const Word extends string>(name: string, value: string, words: readonly Word[]): Word {
  const word = words.find(known => known === value);
  if (word !== undefined) return word;
  const hint = didYouMean(switchWords.get(value) ?? value, words);
  throw new InputError(`\`${name}\`: ${quote(value)} is not one of ${words.join(', ')}${hint}`);
}

/** One `key=value` a line; blank lines do not count. Undefined when there is none. */
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

export function refuseExpression(name: string, value: string): void {
  if (value.trimStart().startsWith('${{'))
    throw new InputError(
      `\`${name}\` begins with \${{, an expression that was not evaluated: ${quote(value)}. Expressions work under \`with:\` of a workflow step`,
    );
}
