import { didYouMean } from '../base/wording/nearest.ts';
import type { FlagName } from './command-table.ts';
import { type Command, type CommandName, commands, type Flag, findCommand, generalFlags } from './command-table.ts';

/** The command line is invalid. The message is a sentence with the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

export type Invocation =
  | { readonly kind: 'help'; readonly command: Command | undefined }
  | { readonly kind: 'version' }
  | { readonly kind: 'command'; readonly name: Exclude<CommandName, 'help'>; readonly args: Arguments };

/** The flags and words of one command, checked against the table. */
export class Arguments {
  /** The words in addition to the flags: at most one unless the table says otherwise. */
  readonly words: readonly string[];
  readonly #values: ReadonlyMap<string, readonly string[]>;

  constructor(words: readonly string[], values: ReadonlyMap<string, readonly string[]>) {
    this.words = words;
    this.#values = values;
  }

  /** The first word; undefined if there is none. */
  get word(): string | undefined {
    return this.words[0];
  }

  has(name: FlagName): boolean {
    return this.#values.has(name);
  }

  text(name: FlagName): string | undefined {
    return this.#values.get(name)?.[0];
  }

  all(name: FlagName): readonly string[] {
    return this.#values.get(name) ?? [];
  }

  /** Throws UsageError unless the flag is absent or a number that `fits`. `takes` describes the valid numbers. */
  number(name: FlagName, fits: (value: number) => boolean, takes: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = /^\d+(\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
    if (!fits(value)) throw new UsageError(`--${name} must be ${takes}, not ${JSON.stringify(text)}`);
    return value;
  }
}

/**
 * Parses the words after `agent-run`. Flags may appear anywhere; `--` ends them. A request for help overrides all
 * mistakes. Throws UsageError.
 */
export function parseCommandLine(argv: readonly string[]): Invocation {
  const { given, words } = splitWords(argv);
  const [name, ...rest] = words;
  const command = name === undefined ? undefined : findCommand(name);
  const stranger = given.find(flag => !allFlags.has(flag.name));
  if (given.some(flag => flag.name === 'help') && (name === undefined || command !== undefined))
    return { kind: 'help', command };
  if (stranger !== undefined) throw unknownFlag(stranger, command);
  if (name === undefined) {
    if (given.some(flag => flag.name === 'version')) return { kind: 'version' };
    throw new UsageError(`No command given. Commands: ${commandNames.join(', ')}`);
  }
  if (command === undefined) {
    if (name === 'version') return { kind: 'version' };
    throw unknownCommand(name);
  }
  const args = new Arguments(readWords(command, rest), readFlags(command, given));
  if (command.name === 'help')
    return { kind: 'help', command: args.word === undefined ? undefined : explained(args.word) };
  return { kind: 'command', name: command.name, args };
}

interface GivenFlag {
  readonly name: string;
  /** As typed. */
  readonly typed: string;
  readonly value: string | undefined;
}

const commandNames = commands.map(command => command.name);
const allFlags = new Map<string, Flag>(
  [...commands.flatMap(command => command.flags), ...generalFlags].map(flag => [flag.name, flag]),
);

/**
 * `-x`, `--name`, `--name=value`. Other words may begin with a dash, such as a prompt: `- do this`, `--fix all of
 * it`.
 */
const flagPattern = /^(--?[A-Za-z][\w-]*)(?:=([\s\S]*))?$/;

function splitWords(argv: readonly string[]): { given: readonly GivenFlag[]; words: readonly string[] } {
  const given: GivenFlag[] = [];
  const words: string[] = [];
  const left = [...argv];
  for (let typed = left.shift(); typed !== undefined; typed = left.shift()) {
    if (typed === '--') {
      words.push(...left);
      break;
    }
    const [, head, inline] = flagPattern.exec(typed) ?? [];
    if (head === undefined) {
      words.push(typed);
      continue;
    }
    const name = head === '-h' ? 'help' : head.startsWith('--') ? head.slice(2) : head;
    const takesNext = inline === undefined && allFlags.get(name)?.value !== undefined && isValue(left[0]);
    given.push({ name, typed: head, value: takesNext ? left.shift() : inline });
  }
  return { given, words };
}

function isValue(next: string | undefined): boolean {
  return next !== undefined && next !== '--' && !flagPattern.test(next);
}

function unknownFlag({ typed }: GivenFlag, command: Command | undefined): UsageError {
  const known = (command?.flags ?? [...allFlags.values()]).map(flag => `--${flag.name}`);
  return new UsageError(`Unknown flag ${typed}${didYouMean(typed, known) || seeHelp(command)}`);
}

function readWords(command: Command, rest: readonly string[]): readonly string[] {
  const { name, word } = command;
  const [first] = rest;
  if (word === undefined && first !== undefined)
    throw new UsageError(`${name} takes only flags, not ${JSON.stringify(first)}${seeHelp(command)}`);
  if (word !== undefined && word.isRepeatable === undefined && rest.length > 1)
    throw new UsageError(`${name} takes one ${word.name}, not ${rest.length} words; quote it if it has spaces`);
  if (word?.isRequired && first === undefined) throw new UsageError(`${name} needs a ${word.name}${seeHelp(command)}`);
  return rest;
}

function readFlags(command: Command, given: readonly GivenFlag[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, readonly string[]>();
  for (const { name, typed, value } of given) {
    const flag = command.flags.find(known => known.name === name);
    if (flag === undefined) throw new UsageError(`${command.name} has no flag ${typed}${seeHelp(command)}`);
    const earlier = values.get(name) ?? [];
    if (earlier.length > 0 && !flag.isRepeatable) throw new UsageError(`${typed} is given twice`);
    values.set(name, [...earlier, readValue(flag, typed, value)]);
  }
  return values;
}

function readValue(flag: Flag, typed: string, value: string | undefined): string {
  if (flag.value === undefined) {
    if (value !== undefined) throw new UsageError(`${typed} does not take a value`);
    return '';
  }
  if (value === undefined)
    throw new UsageError(`${typed} needs a value. If it starts with a dash, write ${typed}=${flag.value}`);
  if (value.trim() === '') throw new UsageError(`${typed} needs a value, but it is empty`);
  return value;
}

function explained(name: string): Command {
  const command = findCommand(name);
  if (command === undefined) throw unknownCommand(name);
  return command;
}

function unknownCommand(name: string): UsageError {
  return new UsageError(
    `Unknown command ${JSON.stringify(name)}${didYouMean(name, commandNames) || seeHelp(undefined)}`,
  );
}

function seeHelp(command: Command | undefined): string {
  return `; see npx agent-run ${command === undefined ? 'help' : `${command.name} --help`}`;
}
