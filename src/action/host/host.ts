import * as toolkit from '@actions/core';
import { logLine } from '../../border/log-text.ts';
import { budgets, keepHead } from '../text/budget.ts';
import { createAnnotations } from './annotations.ts';
import { createMasks } from './masks.ts';
import { openRunnerFiles } from './runner-files.ts';
import { listenForStop, type StopSignals } from './stop-signals.ts';

/**
 * What the action needs of the runner. The only file that reads the environment and sets the exit code, and the only way to the log: the runner
 * obeys nothing of what is printed, whoever wrote it.
 */
export interface ActionHost {
  /** An input exactly as it was given; '' when it was not. */
  readInput(name: string): string;
  readVariable(name: string): string | undefined;
  /** The whole environment as it is now, a copy. */
  variables(): Readonly<Record<string, string>>;
  /** Throws CommandFileError when the runner's file cannot be written. */
  setOutput(name: string, value: string): void;
  /** State for the post step of this same step. Throws CommandFileError. */
  saveState(name: string, value: string): void;
  readState(name: string): string;
  /** Masks a secret in the log from here on, with its lines and encoded forms. */
  mask(value: string): void;
  /** A text without what was masked, for a place that the runner does not mask. Takes time by the length of the text. */
  redact(text: string): string;
  /** One line in the log. */
  print(line: string): void;
  /** The lines until `endGroup` are folded away below the title. Groups do not nest. */
  group(title: string): void;
  endGroup(): void;
  /** An annotation; after nine of them a line in the log. The same holds for `fail`. */
  warn(message: string): void;
  /** What `warn` was given so far, each once. */
  warned(): readonly string[];
  /** Turns the step red, with the message. */
  fail(message: string): void;
  /** From here on what would be an annotation is a line in the log. */
  leaveOutAnnotations(): void;
  /** Appends Markdown to the job's summary. Throws CommandFileError when the file cannot be written. */
  appendSummary(markdown: string): Promise<void>;
  /** What fits in the summary of this step with what it holds already, in bytes. The runner drops a whole one that is too long. */
  summaryRoom(): number;
  /** Before an agent of the step's own user starts: what it writes to the runner's files, but those whose variables are among `granted`, `restoreFiles` takes out. */
  keepFiles(granted: readonly string[]): void;
  /** Returns the variables of the files that others had changed. Throws what the file system says of one that cannot be put back. */
  restoreFiles(): Promise<readonly string[]>;
  /** Called when the runner wants the step to stop; once, also when it wanted that before. Returns how to stop listening. */
  onCancel(listener: () => void): () => void;
}

/** The runner that started this process, through GitHub's toolkit. `stopSignals` of an entry that listens from its first line on. */
export function runnerHost(stopSignals?: StopSignals): ActionHost {
  const files = openRunnerFiles();
  const annotations = createAnnotations();
  const warned = new Set<string>();
  const masks = createMasks();
  // A log that nobody reads any more is no reason to leave a run behind.
  process.stdout.on('error', () => {});
  // What is left to say goes out before the process ends by itself; it never ends by process.exit, which would cut a log short.
  process.once('beforeExit', annotations.finish);
  return {
    readInput: name => toolkit.getInput(name, { trimWhitespace: false }),
    readVariable: name => process.env[name],
    variables: () => ({ ...process.env }) as Record<string, string>,
    setOutput: files.setOutput,
    saveState: files.saveState,
    readState: toolkit.getState,
    mask(value) {
      for (const form of masks.add(value)) toolkit.setSecret(form);
    },
    redact: masks.redact,
    print: line => toolkit.info(logLine(line)),
    group: title => toolkit.startGroup(logTitle(title)),
    endGroup: toolkit.endGroup,
    warn(message) {
      warned.add(annotations.add('warning', message));
    },
    warned: () => [...warned],
    fail(message) {
      process.exitCode = 1;
      annotations.add('error', message);
    },
    leaveOutAnnotations: annotations.leaveOut,
    appendSummary: files.appendSummary,
    summaryRoom: () => files.summaryRoom(budgets.summary.limit),
    keepFiles: files.keep,
    restoreFiles: files.restore,
    onCancel: listener => (stopSignals ?? listenForStop()).onStop(listener),
  };
}

function logTitle(text: string): string {
  return keepHead(logLine(text), { surface: 'logLine', room: 200 });
}
