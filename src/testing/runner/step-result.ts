import { type CommandFiles, readCommandFiles } from '../commands/command-files.ts';
import type { CommandInterpreter } from '../commands/command-interpreter.ts';
import type { Annotation, LogLine } from '../log/log-line.ts';
import type { EntryEnd } from './entry-process.ts';
import { exportToJob, type Job } from './job.ts';

/** The result of the main or post part of a step. */
export interface StepResult {
  /** `cancelled` only after `cancel()`. A program that was killed otherwise is a failure. */
  readonly outcome: 'success' | 'failure' | 'cancelled';
  /** Undefined if a signal ended the program, or it could not be started. */
  readonly exitCode: number | undefined;
  readonly signal: NodeJS.Signals | undefined;
  readonly outputs: Readonly<Record<string, string>>;
  /** Outputs that contain a secret: a later step sees them, but GitHub does not pass them on to other jobs. */
  readonly jobOutputsDropped: readonly string[];
  readonly state: Readonly<Record<string, string>>;
  /** Exports of this step for later steps. */
  readonly env: Readonly<Record<string, string>>;
  readonly path: readonly string[];
  /** Markdown with secrets masked. '' if there is none, or it was above 1 MiB and dropped. */
  readonly summary: string;
  readonly log: readonly LogLine[];
  /** At most ten of each level, as GitHub keeps them. */
  readonly annotations: readonly Annotation[];
  /** The raw values of `add-mask`. */
  readonly masks: readonly string[];
  /** The name of each `set-output` and `save-state` that was printed and, with a warning, obeyed. */
  readonly deprecatedCommands: readonly string[];
  /** The name of each `set-env` and `add-path` that was printed. Each fails the step. */
  readonly refusedCommands: readonly string[];
}

/** Reads the program's command files, applies them to the job, and decides the outcome. */
export function concludeStep(request: {
  readonly job: Job;
  readonly files: CommandFiles;
  readonly interpreter: CommandInterpreter;
  readonly end: EntryEnd;
  readonly isCancelled: boolean;
}): StepResult {
  const { job, interpreter, end } = request;
  const { log } = interpreter;
  if (end.startError !== undefined) log.fail(`The program could not be started: ${end.startError}`);
  const said = readCommandFiles(request.files, { log, masker: job.masker });
  exportToJob(job, said);
  if (request.isCancelled) log.annotate('error', 'The operation was canceled.');
  const outputs = [...new Map([...interpreter.outputs, ...said.outputs])];
  return {
    outcome: request.isCancelled ? 'cancelled' : end.exitCode === 0 && !log.failed ? 'success' : 'failure',
    exitCode: end.exitCode,
    signal: end.signal,
    outputs: Object.fromEntries(outputs),
    jobOutputsDropped: outputs.filter(([, value]) => job.masker.mask(value) !== value).map(([name]) => name),
    state: Object.fromEntries([...interpreter.state, ...said.state]),
    env: Object.fromEntries(said.env),
    path: said.path,
    summary: said.summary,
    log: log.lines,
    annotations: log.annotations,
    masks: interpreter.masks,
    deprecatedCommands: interpreter.deprecatedCommands,
    refusedCommands: interpreter.refusedCommands,
  };
}
