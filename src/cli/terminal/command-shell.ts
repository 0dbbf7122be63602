import { styleText } from 'node:util';
import { messageOf } from '../../base/cause.ts';
import { ellipsis } from '../../base/text.ts';
import { terminalJson, terminalLine, terminalText } from '../../border/terminal-text.ts';

/** Text styles, used where colors are supported. */
export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'busy';

/**
 * The command's access to its process. Only this file uses `process`, and all output passes through it, so no foreign
 * control characters reach the terminal.
 */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The width of a table line in characters; infinite if stdout is not a terminal. */
  readonly columns: number;
  /** Whether stdout and stderr are both terminals, so a person sees them together. */
  readonly isTerminal: boolean;
  readonly input: AsyncIterable<Uint8Array>;
  readonly isInputTyped: boolean;
  /** Aborts when the reader of stdout is gone (`| head`). */
  readonly outputClosed: AbortSignal;
  /** One line on stderr. */
  note(line: string, tone?: Tone): void;
  /**
   * Replaces the last line on stderr while the command waits; '' removes it. Returns false if lines cannot be
   * replaced.
   */
  showStatus(line: string): boolean;
  /** Lines on stdout. `decorate` gets text without control characters. */
  print(text: string, decorate?: (clean: string) => string): void;
  paint(text: string, tone: Tone): string;
  /** One line of JSON on stdout. */
  printJson(value: unknown): void;
  /** Replaces the default of ending the process. */
  onSignal(signals: readonly NodeJS.Signals[], listener: () => void): void;
  /** Handles uncaught errors. The default is to end the process with status 1. */
  onCrash(listener: (error: unknown) => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
}

const paints = { quiet: 'dim', good: 'green', bad: 'red', busy: 'yellow' } as const;

export function openShell(): Shell {
  const { env, stdin, stdout, stderr } = process;
  const isPlain = process.argv.includes('--no-color');
  const paintFor = (stream: NodeJS.WriteStream, text: string, tone: Tone) =>
    isPlain || tone === 'plain' ? text : styleText(paints[tone], text, { stream });
  let hasStatus = false;
  const clearStatus = () => {
    if (hasStatus) stderr.write('\r\x1b[2K');
    hasStatus = false;
  };
  const outputClosed = new AbortController();
  let tellCrash: ((error: unknown) => void) | undefined;
  const shell: Shell = {
    env,
    cwd: process.cwd(),
    columns: stdout.isTTY === true ? stdout.columns || 80 : Number.POSITIVE_INFINITY,
    isTerminal: stdout.isTTY === true && stderr.isTTY === true,
    input: stdin,
    isInputTyped: stdin.isTTY === true,
    outputClosed: outputClosed.signal,
    note(line, tone = 'plain') {
      clearStatus();
      stderr.write(`${paintFor(stderr, terminalLine(line), tone)}\n`);
    },
    showStatus(line) {
      clearStatus();
      if (stderr.isTTY !== true || line === '') return stderr.isTTY === true;
      stderr.write(paintFor(stderr, ellipsis(terminalLine(line), (stderr.columns || 80) - 1), 'quiet'));
      hasStatus = true;
      return true;
    },
    print(text, decorate = clean => clean) {
      clearStatus();
      stdout.write(`${decorate(terminalText(text).replace(/\n$/, ''))}\n`);
    },
    paint: (text, tone) => paintFor(stdout, text, tone),
    printJson: value => void stdout.write(`${terminalJson(value)}\n`),
    onSignal(signals, listener) {
      for (const signal of signals) process.on(signal, listener);
    },
    onCrash(listener) {
      tellCrash = listener;
    },
    exit(code) {
      clearStatus();
      process.exit(code);
    },
  };
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (isClosed(error)) return outputClosed.abort();
    shell.note(`agent-run: Cannot write to standard output: ${error.message}`, 'bad');
    process.exit(1);
  });
  // Closing stderr only stops the messages. The exit code still reports the result.
  stderr.on('error', () => {});
  process.on('uncaughtException', error => {
    if (tellCrash !== undefined) return tellCrash(error);
    noteError(shell, error);
    process.exit(1);
  });
  return shell;
}

/** An error for people: its lines, and the stack only with AGENT_RUN_LOG=debug. */
export function noteError(shell: Pick<Shell, 'note' | 'env'>, error: unknown, sentence = messageOf(error)): void {
  for (const line of sentence.split('\n')) shell.note(`agent-run: ${line}`, 'bad');
  if (shell.env.AGENT_RUN_LOG !== 'debug' || !(error instanceof Error)) return;
  for (const line of (error.stack ?? '').split('\n').slice(1)) shell.note(line, 'quiet');
}

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED';
}
