import * as toolkit from '@actions/core';
import { logLine } from '../../border/log-text.ts';
import { budgets, keepHead } from '../text/budget.ts';
import { createAnnotations } from './annotations.ts';
import { createMasks } from './masks.ts';
import { openRunnerFiles } from './runner-files.ts';
import { listenForStop, type StopSignals } from './stop-signals.ts';

/**
 * The action's interface to the runner. Only this file reads the environment, sets the exit code and writes to the
 * log. The runner executes no command in what it prints.
 */
export interface ActionHost {
  /** Returns an input exactly as given, '' if it is missing. */
  readInput(name: string): string;
  readVariable(name: string): string | undefined;
  /** Returns a copy of the current environment. */
  variables(): Readonly<Record<string, string>>;
  /** Throws CommandFileError if the runner's file cannot be written. */
  setOutput(name: string, value: string): void;
  /** Saves state for this step's post step. Throws CommandFileError. */
  saveState(name: string, value: string): void;
  readState(name: string): string;
  /** Masks a secret in the log from now on, including its lines and encoded forms. */
  mask(value: string): void;
  /** Redacts masked values for a place that the runner does not mask. Its time grows with the length of the text. */
  redact(text: string): string;
  print(line: string): void;
  /** Folds the lines until `endGroup` below the title. Groups do not nest. */
  group(title: string): void;
  endGroup(): void;
  /** Adds an annotation, or a log line after nine of them. The same limit applies to `fail`. */
  warn(message: string): void;
  /** Messages given to `warn` so far, without repetitions. */
  warned(): readonly string[];
  /** Fails the step with the message. */
  fail(message: string): void;
  /** Prints later annotations as log lines. */
  leaveOutAnnotations(): void;
  /** Appends Markdown to the job's summary. Throws CommandFileError if the file cannot be written. */
  appendSummary(markdown: string): Promise<void>;
  /** Bytes still free in this step's summary. The runner drops a summary that is too long. */
  summaryRoom(): number;
  /**
   * Called before an agent starts as the step's own user. `restoreFiles` then removes what it writes to the runner's
   * files, except to those whose variables are in `granted`.
   */
  keepFiles(granted: readonly string[]): void;
  /**
   * Returns the variables of the files that others changed. Throws the file system's error if one cannot be restored.
   */
  restoreFiles(): Promise<readonly string[]>;
  /** Calls the listener once, even if the signal came earlier. Returns a function that removes it. */
  onCancel(listener: () => void): () => void;
}

/** The runner that started this process. `stopSignals` comes from an entry that listened from the start. */
export function runnerHost(stopSignals?: StopSignals): ActionHost {
  const files = openRunnerFiles();
  const annotations = createAnnotations();
  const warned = new Set<string>();
  const masks = createMasks();
  // A closed log is not a reason to abandon a run.
  process.stdout.on('error', () => {});
  // Prints the rest before the process ends by itself. It never calls process.exit, which would cut the log.
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
