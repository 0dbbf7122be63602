import { terminalJson, terminalLine, terminalText } from '../base/terminal-text.ts';

/** How a line on stderr looks, where colours are seen. */
type Tone = 'plain' | 'quiet' | 'good' | 'bad';

/**
 * What a command needs of the process that it runs in. The only file that knows `process`, and the only way to a terminal: nothing foreign
 * that a terminal would obey gets through.
 */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How many characters a line of a table may have; infinite where stdout is no terminal. */
  readonly columns: number;
  readonly input: AsyncIterable<Uint8Array>;
  readonly isInputTyped: boolean;
  /** Aborted when nobody reads stdout any more (`| head`). */
  readonly outputClosed: AbortSignal;
  /** One line on stderr. */
  note(line: string, tone?: Tone): void;
  /** Lines on stdout. */
  print(text: string): void;
  /** One line of JSON on stdout. */
  printJson(value: unknown): void;
  /** Instead of the end of the process. */
  onSignal(signals: readonly NodeJS.Signals[], listener: () => void): void;
  /** Told of a fault that nobody caught, instead of the end of the process with status 1. */
  onCrash(listener: (error: unknown) => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
}

const paints: Readonly<Record<Tone, number | undefined>> = { plain: undefined, quiet: 2, good: 32, bad: 31 };

/** The shell of this process. */
export function openShell(): Shell {
  const { env, stdin, stdout, stderr } = process;
  const isPainted = stderr.isTTY === true && (env.NO_COLOR ?? '') === '';
  const outputClosed = new AbortController();
  let tellCrash: ((error: unknown) => void) | undefined;
  const shell: Shell = {
    env,
    cwd: process.cwd(),
    columns: stdout.isTTY === true ? Math.max(stdout.columns || 80, 40) : Number.POSITIVE_INFINITY,
    input: stdin,
    isInputTyped: stdin.isTTY === true,
    outputClosed: outputClosed.signal,
    note(line, tone = 'plain') {
      const text = terminalLine(line);
      const paint = paints[tone];
      stderr.write(isPainted && paint !== undefined ? `\x1b[${paint}m${text}\x1b[0m\n` : `${text}\n`);
    },
    print: text => void stdout.write(`${terminalText(text).replace(/\n$/, '')}\n`),
    printJson: value => void stdout.write(`${terminalJson(value)}\n`),
    onSignal(signals, listener) {
      for (const signal of signals) process.on(signal, listener);
    },
    onCrash(listener) {
      tellCrash = listener;
    },
    exit: code => process.exit(code),
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosed(error)) return outputClosed.abort();
    shell.note(`agent-run: standard output cannot be written: ${error.message}`, 'bad');
    process.exit(1);
  });
  // Whoever closes stderr does not want to hear more; the exit code still says it.
  stderr.on('error', () => {});
  process.on('uncaughtException', error => {
    if (tellCrash !== undefined) return tellCrash(error);
    noteError(shell, error);
    process.exit(1);
  });
  return shell;
}

/** An error as a person should see it: its lines, and the stack only with AGENT_RUN_LOG=debug. */
export function noteError(shell: Pick<Shell, 'note' | 'env'>, error: unknown, sentence = messageOf(error)): void {
  for (const line of sentence.split('\n')) shell.note(`agent-run: ${line}`, 'bad');
  if (shell.env.AGENT_RUN_LOG !== 'debug' || !(error instanceof Error)) return;
  for (const line of (error.stack ?? '').split('\n').slice(1)) shell.note(line, 'quiet');
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED';
}
