import { styleText } from 'node:util';
import { messageOf } from '../../base/cause.ts';
import { ellipsis } from '../../base/text.ts';
import { terminalJson, terminalLine, terminalText } from '../../border/terminal-text.ts';

/** How words look, where colors are seen. */
export type Tone = 'plain' | 'quiet' | 'good' | 'bad' | 'busy';

/**
 * What a command needs of the process that it runs in. The only file that knows `process`, and the only way to a terminal: nothing foreign
 * that a terminal would obey gets through.
 */
export interface Shell {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** How many characters a line of a table may have; infinite where stdout is no terminal. */
  readonly columns: number;
  /** Whether both outputs are a terminal, where a person sees them as one. */
  readonly isTerminal: boolean;
  readonly input: AsyncIterable<Uint8Array>;
  readonly isInputTyped: boolean;
  /** Aborted when nobody reads stdout any more (`| head`). */
  readonly outputClosed: AbortSignal;
  /** One line on stderr. */
  note(line: string, tone?: Tone): void;
  /** Replaces the last line on stderr while the command waits; '' removes it. False where no line can be replaced. */
  showStatus(line: string): boolean;
  /** Lines on stdout. `decorate` gets the text without anything that a terminal obeys. */
  print(text: string, decorate?: (clean: string) => string): void;
  paint(text: string, tone: Tone): string;
  /** One line of JSON on stdout. */
  printJson(value: unknown): void;
  /** Instead of the end of the process. */
  onSignal(signals: readonly NodeJS.Signals[], listener: () => void): void;
  /** Told of a fault that nobody caught, instead of the end of the process with status 1. */
  onCrash(listener: (error: unknown) => void): void;
  /** Ends the process at once. */
  exit(code: number): void;
}

const paints = { quiet: 'dim', good: 'green', bad: 'red', busy: 'yellow' } as const;

/** The shell of this process. */
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

function isClosed({ code }: NodeJS.ErrnoException): boolean {
  return code === 'EPIPE' || code === 'EIO' || code === 'ECONNRESET' || code === 'ERR_STREAM_DESTROYED';
}
