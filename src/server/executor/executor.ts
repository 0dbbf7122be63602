/** What to start. The environment is exactly `env` plus the run's marker. Nothing is inherited from the server. */
export interface ExecutorCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** The whole standard input. */
  readonly stdin: string;
}

/** A container for one program. It shares these folders with the machine, at the same paths. */
export interface ContainerPlace {
  readonly image: string;
  /** Existing folders. The working folder is in one of them. */
  readonly writable: readonly string[];
  /** Existing files and folders. */
  readonly readable: readonly string[];
}

export interface ExecutorRequest {
  readonly command: ExecutorCommand;
  /** Undefined runs the program as a process of this machine. `prepareImage` must have fetched the image. */
  readonly container?: ContainerPlace | undefined;
  readonly runId: string;
  /** The run's existing folder. A process that still works in it after the program has ended counts as the run's. */
  readonly runDir: string;
  /**
   * An existing folder outside the program's. It holds names of the streams during the start, and nothing afterwards.
   */
  readonly scratchDir: string;
  /**
   * Awaited before the stream is read further, so that a slow reader slows the program. If it rejects, the program is
   * killed and `execute` rejects with the same error.
   */
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => Promise<void>;
  /** Called as soon as the program's process exists. If `execute` rejects earlier, the program has done nothing. */
  readonly onStarted?: (() => void) | undefined;
  /** Wall clock of the program. */
  readonly timeLimitMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
  /** Stops the program (SIGTERM, then SIGKILL). If already aborted, nothing is started. */
  readonly signal: AbortSignal;
}

/** How a program ended. `stopped` is set if the executor ended it. */
export type ExecutorEnd =
  | { readonly kind: 'not_started'; readonly message: string }
  | {
      readonly kind: 'ended';
      /** Undefined after a signal, or a stop before the start. In a container a signal is a code above 128. */
      readonly exitCode: number | undefined;
      readonly signal: NodeJS.Signals | undefined;
      readonly stopped: 'time_limit' | 'signal' | undefined;
      /**
       * Processes of the run that were alive after the program had ended by itself, and were killed. In a container
       * all end with the program and are not counted.
       */
      readonly leftovers: number;
      /** Processes that outlived SIGKILL, because of a stuck disk, a fork bomb or another user's program. */
      readonly survivors: number;
      /** Pids of the survivors that are known. A process that only its open pipe reveals has none. */
      readonly survivorPids: readonly number[];
      /** Further facts about this end for people, as clauses without capital and period. */
      readonly notes?: readonly string[];
    };

/** The end of a program that was stopped before its start. */
export const stoppedBefore: Extract<ExecutorEnd, { kind: 'ended' }> = {
  kind: 'ended',
  exitCode: undefined,
  signal: undefined,
  stopped: 'signal',
  leftovers: 0,
  survivors: 0,
  survivorPids: [],
};

/**
 * Executes a run's programs. When `execute` returns, no process of the run is left except `survivors`, and all output
 * was passed to `onOutput`.
 */
export interface Executor {
  /** Throws ContainerFault if containers are unavailable. */
  execute(request: ExecutorRequest): Promise<ExecutorEnd>;
  /**
   * Makes sure that a container's image exists. Calls `onPull` before fetching it. Throws ContainerFault, or the
   * signal's reason if aborted.
   */
  prepareImage(
    image: string,
    options: { readonly signal: AbortSignal; readonly onPull: () => Promise<void> },
  ): Promise<void>;
  /** Kills what an earlier server on this data folder left. Returns the number of processes and containers. */
  sweepAll(): Promise<number>;
  /** Kills what is still running. Nothing can be executed afterwards. */
  close(): Promise<void>;
}
