import type { ActionMetadata } from '../action/action-metadata.ts';
import { inputVariable, type ResolvedInputs, resolveInputs, type StepInputs } from '../action/step-inputs.ts';
import { createCommandFiles } from '../commands/command-files.ts';
import { CommandInterpreter } from '../commands/command-interpreter.ts';
import type { LogLine } from '../log/log-line.ts';
import { StepLog } from '../log/step-log.ts';
import { startEntryProcess } from './entry-process.ts';
import { type Job, programEnvironment } from './job.ts';
import { type CancelTimes, stopProcess } from './job-cancellation.ts';
import { concludeStep, type StepResult } from './step-result.ts';

/** The main or post part of a step while it runs. */
export interface RunningStep {
  /** Undefined if the program could not be started. */
  readonly pid: number | undefined;
  /** The log so far. */
  readonly lines: readonly LogLine[];
  /** Resolves after the program ended in any way and its command files were read. */
  readonly done: Promise<StepResult>;
  /** Sends a signal to the program alone, not to its children. On Windows every signal ends it at once. */
  signal(signal: NodeJS.Signals): void;
  /** SIGKILL to the program alone: its children live on, as when the system runs out of memory. */
  kill(): void;
  /** Cancels like GitHub: SIGINT, a wait, SIGTERM, a wait, then the end of the process tree. */
  cancel(times?: CancelTimes): Promise<StepResult>;
}

/** A step of a job. Main and post are two phases of it. */
export interface StepDefinition {
  readonly id: string;
  readonly metadata: ActionMetadata;
  readonly inputs: StepInputs;
  readonly env: Readonly<Record<string, string>>;
}

export interface StepPhase {
  readonly kind: 'main' | 'post';
  readonly script: string;
  /** State that earlier phases of the step saved. */
  readonly state: Readonly<Record<string, string>>;
  readonly onLine: ((line: LogLine) => void) | undefined;
}

/** Starts a phase of a step. Throws ActionMetadataError when an input's default cannot be evaluated. */
export function startPhase(job: Job, step: StepDefinition, phase: StepPhase): RunningStep {
  const inputs = resolveInputs({ metadata: step.metadata, given: step.inputs, contexts: job.expressions });
  const log = new StepLog({ masker: job.masker, debug: job.debug, onLine: phase.onLine });
  const interpreter = new CommandInterpreter({
    log,
    masker: job.masker,
    workspace: job.folders.workspace,
    echo: job.debug,
  });
  printHeader({ log, job, step, phase, inputs });
  const files = createCommandFiles(job.folders.temp);
  const process = startEntryProcess({
    nodePath: job.nodePath,
    script: phase.script,
    cwd: job.folders.workspace,
    env: programEnvironment(job, {
      env: step.env,
      variables: {
        ...renameKeys(phase.state, name => `STATE_${name}`),
        ...renameKeys(Object.fromEntries(inputs.values), inputVariable),
      },
      github: { ...files, action: step.id },
    }),
    onLine: (line, source) => interpreter.take(line, source),
  });
  let stopped: Promise<void> | undefined;
  const done = process.ended.then(end =>
    concludeStep({ job, files, interpreter, end, isCancelled: stopped !== undefined }),
  );
  return {
    pid: process.pid,
    lines: log.lines,
    done,
    signal: signal => process.signal(signal),
    kill: () => process.signal('SIGKILL'),
    async cancel(times = {}) {
      stopped ??= stopProcess(process, times);
      await stopped;
      return done;
    },
  };
}

/** GitHub's output before the action's own first line. */
function printHeader(request: {
  readonly log: StepLog;
  readonly job: Job;
  readonly step: StepDefinition;
  readonly phase: StepPhase;
  readonly inputs: ResolvedInputs;
}): void {
  const { log, inputs } = request;
  if (request.phase.kind === 'main' && request.step.metadata.hasPre)
    log.annotate('warning', "`pre` execution is not supported for local action from './'");
  for (const warning of inputs.warnings) log.annotate('warning', warning);
  if (request.phase.kind === 'post') {
    log.say('Post job cleanup.');
    return;
  }
  log.openGroup('Run ./');
  logMapping(
    log,
    'with:',
    [...inputs.values].filter(([, value]) => value !== ''),
  );
  logMapping(log, 'env:', Object.entries({ ...Object.fromEntries(request.job.env), ...request.step.env }));
  log.closeGroup();
}

function logMapping(log: StepLog, title: string, entries: readonly (readonly [string, string])[]): void {
  if (entries.length > 0) log.say(title);
  for (const [name, value] of entries) log.say(`  ${name}: ${value}`);
}

function renameKeys(values: Readonly<Record<string, string>>, rename: (name: string) => string) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [rename(name), value]));
}
