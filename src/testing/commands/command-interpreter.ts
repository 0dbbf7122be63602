import { isAbsolute, relative, sep } from 'node:path';
import type { Annotation, AnnotationLevel, LogLine } from '../log/log-line.ts';
import type { SecretMasker } from '../log/secret-masker.ts';
import type { StepLog } from '../log/step-log.ts';
import { type LogCommand, parseLogCommand } from './log-command.ts';

/** All commands of a program except stop-commands. An echoed one is also shown as printed while `::echo::on` holds. */
const commands: Readonly<Record<string, { readonly echoed: boolean; readonly obey: Obey }>> = {
  'add-mask': { echoed: false, obey: (by, { data }) => by.addMask(data) },
  debug: { echoed: false, obey: (by, { data }) => by.log.debug(data) },
  notice: { echoed: false, obey: (by, command) => by.annotate('notice', command) },
  warning: { echoed: false, obey: (by, command) => by.annotate('warning', command) },
  error: { echoed: false, obey: (by, command) => by.annotate('error', command) },
  group: { echoed: true, obey: (by, { data }) => by.log.openGroup(data) },
  endgroup: { echoed: true, obey: by => by.log.closeGroup() },
  echo: { echoed: true, obey: (by, { data }) => by.switchEcho(data) },
  'set-output': { echoed: true, obey: (by, command) => by.keep(by.outputs, command) },
  'save-state': { echoed: true, obey: (by, command) => by.keep(by.state, command) },
  'set-env': { echoed: true, obey: (by, { name }) => by.refuse(name) },
  'add-path': { echoed: true, obey: (by, { name }) => by.refuse(name) },
  'add-matcher': { echoed: true, obey: () => undefined },
  'remove-matcher': { echoed: true, obey: () => undefined },
};
type Obey = (by: CommandInterpreter, command: LogCommand) => void;

/** A longer stop token is masked. */
const shownTokenLength = 6;

const deprecationAdvice =
  'is deprecated and will be disabled soon. Please upgrade to using Environment Files. For more information see: https://github.blog/changelog/2022-10-11-github-actions-deprecating-save-state-and-set-output-commands/';
const disabledAdvice =
  'is disabled. Please upgrade to using Environment Files or opt into unsecure command execution by setting the `ACTIONS_ALLOW_UNSECURE_COMMANDS` environment variable to `true`. For more information see: https://github.blog/changelog/2020-10-01-github-actions-deprecating-set-env-and-add-path-commands/';
const badTokenAdvice =
  "You cannot use a endToken that is an empty string, the string 'pause-logging', or another workflow command.";

/**
 * Obeys the log commands of one process, on both of its output streams, and shows all other lines. From
 * `::stop-commands::TOKEN` until `::TOKEN::` no command is obeyed, including masks. Problem matchers are accepted and
 * do nothing.
 */
export class CommandInterpreter {
  readonly log: StepLog;
  /** Values from `set-output` and `save-state`, which GitHub still obeys, with a warning. */
  readonly outputs = new Map<string, string>();
  readonly state = new Map<string, string>();
  readonly masks: string[] = [];
  readonly deprecatedCommands: string[] = [];
  readonly refusedCommands: string[] = [];
  readonly #masker: SecretMasker;
  readonly #workspace: string;
  #stopToken: string | undefined;
  #echo: boolean;

  constructor(options: {
    readonly log: StepLog;
    readonly masker: SecretMasker;
    readonly workspace: string;
    readonly echo: boolean;
  }) {
    this.log = options.log;
    this.#masker = options.masker;
    this.#workspace = options.workspace;
    this.#echo = options.echo;
  }

  /** Handles a line of the program's output. */
  take(text: string, source: 'stdout' | 'stderr'): void {
    const line: LogLine = { kind: 'text', text, source };
    const command = parseLogCommand(text, name => this.#isRegistered(name));
    if (command === undefined) this.log.show(line);
    else if (this.#stopToken !== undefined) this.#resumeAt(command.name, line);
    else if (command.name === 'stop-commands') this.#stop(command.data, line);
    else this.#obey(command, line);
  }

  annotate(level: AnnotationLevel, { data, properties }: LogCommand): void {
    const file = properties.get('file');
    const title = properties.get('title');
    this.log.annotate(level, data, {
      ...(title === undefined ? {} : { title }),
      ...(file === undefined ? {} : { file: this.#shorten(file) }),
      ...numberFrom('line', properties.get('line')),
      ...numberFrom('endLine', properties.get('endline')),
      ...numberFrom('column', properties.get('col')),
      ...numberFrom('endColumn', properties.get('endcolumn')),
    });
  }

  addMask(value: string): void {
    if (value.trim() === '') {
      this.log.annotate('warning', "Can't add secret mask for empty string in ##[add-mask] command.");
      return;
    }
    if (this.#echo) this.log.say('::add-mask::***');
    this.#masker.add(value);
    this.masks.push(value);
  }

  switchEcho(data: string): void {
    const word = data.trim().toLowerCase();
    if (word !== 'on' && word !== 'off')
      throw new CommandRefusal(
        `Invalid echo command value. Possible values can be: 'on', 'off'. Current value is: '${data}'.`,
      );
    this.#echo = word === 'on';
  }

  keep(values: Map<string, string>, { name, properties, data }: LogCommand): void {
    this.deprecatedCommands.push(name);
    this.log.annotate('warning', `The \`${name}\` command ${deprecationAdvice}`);
    const key = properties.get('name');
    if (key === undefined) throw new CommandRefusal(`Required field 'name' is missing in ##[${name}] command.`);
    values.set(key, data);
  }

  refuse(name: string): never {
    this.refusedCommands.push(name);
    throw new CommandRefusal(`The \`${name}\` command ${disabledAdvice}`);
  }

  #isRegistered(name: string): boolean {
    return name === 'stop-commands' || name === this.#stopToken || Object.hasOwn(commands, name);
  }

  #stop(token: string, line: LogLine): void {
    const name = token.toLowerCase();
    if (name === '' || name === 'pause-logging' || this.#isRegistered(name)) {
      this.log.fail(badTokenAdvice);
      return;
    }
    this.#stopToken = name;
    if (token.length > shownTokenLength) this.#masker.add(token);
    this.log.show(line);
  }

  #resumeAt(name: string, line: LogLine): void {
    this.log.show(line);
    if (name === this.#stopToken) this.#stopToken = undefined;
  }

  #obey(command: LogCommand, line: LogLine): void {
    const known = commands[command.name];
    if (known === undefined) return;
    if (known.echoed && this.#echo) this.log.show(line);
    try {
      known.obey(this, command);
    } catch (error) {
      if (!(error instanceof CommandRefusal)) throw error;
      this.log.fail(`Unable to process command '${line.text}' successfully.`);
      this.log.fail(error.message);
    }
  }

  #shorten(file: string): string {
    const inside = relative(this.#workspace, file);
    const isInside = isAbsolute(file) && !isAbsolute(inside) && inside.split(sep)[0] !== '..';
    return isInside ? inside.replaceAll(sep, '/') : file;
  }
}

/** A known command that cannot be obeyed. It fails the step. */
class CommandRefusal extends Error {
  override readonly name = 'CommandRefusal';
}

function numberFrom<Key extends keyof Annotation>(
  key: Key,
  text: string | undefined,
): { readonly [K in Key]?: number } {
  const value = Number(text);
  return text === undefined || !Number.isInteger(value) ? {} : ({ [key]: value } as { readonly [K in Key]: number });
}
