/**
 * The programs of one run: setup commands, the agent, and git before and after it. They share the rest of the run's
 * time.
 */
import type { Clock } from '../../base/clock.ts';
import { describeSpan } from '../../base/wording/tool-text.ts';
import type { Limits } from '../config/config-schema.ts';
import type { ContainerPlace, Executor, ExecutorCommand, ExecutorEnd, ExecutorRequest } from '../executor/executor.ts';
import type { Log } from '../log.ts';
import type { EventWriter } from '../output/event-writer.ts';
import { RunFailure, RunStopped, readStop, type Stop } from '../run-failure.ts';
import type { StoredRun } from '../store/store.ts';
import type { RunFolder } from '../workspace/run-folder.ts';
import type { GitParts } from '../workspace/run-git.ts';
import { type Lateness, lateMs } from './late-work.ts';
import { describeDuration } from './run-ending.ts';

interface ProgramParts {
  readonly executor: Executor;
  readonly clock: Clock;
  readonly limits: Pick<Limits, 'run_minutes' | 'grace_seconds'>;
  readonly log: Log;
  readonly run: Pick<StoredRun, 'runId'>;
  readonly folder: RunFolder;
  readonly events: EventWriter;
  /** Aborted with a RunStopped when the run must be given up. */
  readonly signal: AbortSignal;
  readonly stopping: AbortSignal;
}

/** Bounds instead of those of the run and its machine. */
type ExecuteMore = Partial<Pick<ExecutorRequest, 'timeLimitMs' | 'graceMs' | 'signal' | 'container' | 'onStarted'>>;

export class RunPrograms {
  readonly startMs: number;
  readonly #parts: ProgramParts;
  #hasSurvivors = false;

  constructor(parts: ProgramParts) {
    this.#parts = parts;
    this.startMs = parts.clock.monotonicMs();
  }

  /** Whether a process of the run could not be killed. */
  get hasSurvivors(): boolean {
    return this.#hasSurvivors;
  }

  /** Executes a program as a process of the run, within the rest of its time. */
  async execute(
    command: ExecutorCommand,
    onOutput: ExecutorRequest['onOutput'],
    { container, ...bounds }: ExecuteMore = {},
  ): Promise<ExecutorEnd> {
    const { executor, limits, run, folder, signal } = this.#parts;
    return await executor.execute({
      command,
      container,
      runId: run.runId,
      runDir: folder.root,
      scratchDir: folder.state,
      onOutput,
      timeLimitMs: this.#timeLeftMs,
      graceMs: limits.grace_seconds * 1000,
      signal,
      ...bounds,
    });
  }

  get #timeLeftMs(): number {
    const { clock, limits } = this.#parts;
    return Math.max(1, limits.run_minutes * 60_000 - (clock.monotonicMs() - this.startMs));
  }

  /** Throws ContainerFault, and when the run is given up or has no time left. */
  async prepareImage(image: string): Promise<void> {
    const { executor, clock, events, signal } = this.#parts;
    const over = new AbortController();
    const late = new AbortController();
    clock.sleep(this.#timeLeftMs, over.signal).then(
      () => late.abort(new RunFailure('time_limit', `${this.describeTimeLimit()}. It was pulling the image ${image}`)),
      () => {},
    );
    try {
      await executor.prepareImage(image, {
        signal: AbortSignal.any([signal, late.signal]),
        onPull: () => events.writeSystem(`pulling the image ${image}`),
      });
    } finally {
      over.abort();
    }
    await events.writeSystem(`container: ${image}`);
  }

  /** Executes one of the server's own programs. Throws when it was stopped. */
  async executeFully(
    command: ExecutorCommand,
    onOutput: ExecutorRequest['onOutput'],
    container?: ContainerPlace,
  ): Promise<ExecutorEnd> {
    const end = await this.execute(command, onOutput, { container });
    if (end.kind === 'ended' && end.stopped === 'time_limit')
      throw new RunFailure('time_limit', this.describeTimeLimit());
    if (end.kind === 'ended' && end.stopped === 'signal') throw new RunStopped(this.findStop());
    return end;
  }

  /**
   * For git after the agent, which may have used up the run's time or left files that git waits for. All programs
   * together have `ms`, or the limit of `lateness`. Throws when one was stopped.
   */
  executeWithin(
    ms: number,
    {
      lateness,
      container,
    }: { readonly lateness?: Lateness | undefined; readonly container?: ContainerPlace | undefined } = {},
  ): GitParts['execute'] {
    const { clock, stopping } = this.#parts;
    const lateBounds = lateness === undefined ? {} : { graceMs: 0, signal: stopping };
    const allMs = lateness === undefined ? ms : lateMs[lateness];
    const deadline = clock.monotonicMs() + allMs;
    return async (command, onOutput) => {
      const timeLimitMs = Math.max(1, deadline - clock.monotonicMs());
      const end = await this.execute(command, onOutput, { container, timeLimitMs, ...lateBounds });
      if (end.kind !== 'ended' || end.stopped === undefined) return end;
      if (end.stopped === 'signal' && lateness === undefined) throw new RunStopped(this.findStop());
      const limit = describeDuration(allMs);
      throw new RunFailure(
        'time_limit',
        lateness === undefined
          ? `it took longer than its limit of ${limit}`
          : `it took longer than the ${limit} that it has after a run was ${lateness}`,
      );
    };
  }

  /** Reports a program that could not be killed, and processes that one left running. */
  async reportLeftovers(
    { stopped, signal, leftovers, survivors, survivorPids, notes = [] }: Extract<ExecutorEnd, { kind: 'ended' }>,
    who: string,
  ): Promise<void> {
    const { events, log, run } = this.#parts;
    for (const note of notes) await events.writeSystem(note);
    if (stopped !== undefined && signal === 'SIGKILL')
      await events.writeSystem(`${who} did not exit after SIGTERM and was killed`);
    if (leftovers > 0)
      await events.writeSystem(`${countProcesses(leftovers)} still running after ${who} ended and had to be killed`);
    if (survivors === 0) return;
    this.#hasSurvivors = true;
    const pids = survivorPids.join(', ');
    log('warn', 'could not kill processes of a run', {
      run: run.runId,
      count: survivors,
      pids: pids === '' ? undefined : pids,
    });
    const which = pids === '' ? 'pids unknown' : `pid ${pids}`;
    await events.writeWarning(`${countProcesses(survivors)} still running after the kill (${which})`);
  }

  describeTimeLimit(): string {
    const { limits, events } = this.#parts;
    const allMs = limits.run_minutes * 60_000;
    const where = events.describeOpenCall(allMs);
    const other = where === '' ? '' : ', or give the agent a smaller task';
    return `the run timed out after ${describeSpan(allMs)}${where}. Raise \`limits.run_minutes\` of the server${other}`;
  }

  /** Why the program was stopped. If the run did not stop it, the executor was closed. */
  findStop(): Stop {
    const { signal } = this.#parts;
    return signal.aborted ? readStop(signal.reason) : { kind: 'stopping' };
  }
}

/** In a container, PATH is that of the image. */
export function withoutPath(command: ExecutorCommand): ExecutorCommand {
  const { PATH: _ofTheServer, ...env } = command.env;
  return { ...command, env };
}

function countProcesses(count: number): string {
  return count === 1 ? '1 process was' : `${count} processes were`;
}
