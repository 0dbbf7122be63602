/** What to start. The environment is exactly `env` plus the run's marker: nothing of the server's own. */
export interface ExecutorCommand {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  /** What standard input holds, to its end. */
  readonly stdin: string;
}

/** A container for one program, with the folders that it shares with the machine, at the same paths inside. */
export interface ContainerPlace {
  readonly image: string;
  /** Folders that exist; the working folder lies in one of them. */
  readonly writable: readonly string[];
  /** Files and folders that exist. */
  readonly readable: readonly string[];
}

export interface ExecutorRequest {
  readonly command: ExecutorCommand;
  /** Undefined: the program is a process of this machine. Its image was made sure of by `prepareImage`. */
  readonly container?: ContainerPlace | undefined;
  readonly runId: string;
  /** The run's folder, which exists. Whatever works in it when the program has ended is taken for a process of the run. */
  readonly runDir: string;
  /** An existing folder that the program does not work in. It holds names of its streams while it starts, and nothing afterwards. */
  readonly scratchDir: string;
  /**
   * Awaited before more is read of that stream, so that a slow reader slows the program and nothing piles up.
   * When it rejects, the program is killed and `execute` rejects with the same error.
   */
  readonly onOutput: (stream: 'stdout' | 'stderr', chunk: Uint8Array) => Promise<void>;
  /** Called as soon as a process exists that runs the program. If `execute` rejects before that, the program has done nothing. */
  readonly onStarted?: (() => void) | undefined;
  /** Wall clock of the program. */
  readonly timeLimitMs: number;
  /** From SIGTERM to SIGKILL. */
  readonly graceMs: number;
  /** Stops the program (SIGTERM, then SIGKILL). Aborted already: nothing is started. */
  readonly signal: AbortSignal;
}

/** How a program ended. `stopped` says that it was us, and why. */
export type ExecutorEnd =
  | { readonly kind: 'not_started'; readonly message: string }
  | {
      readonly kind: 'ended';
      /** Undefined when a signal ended the program, or when it was stopped before it had begun. In a container a signal is a code above 128. */
      readonly exitCode: number | undefined;
      readonly signal: NodeJS.Signals | undefined;
      readonly stopped: 'time_limit' | 'signal' | undefined;
      /**
       * How many processes of the run were still there after the program itself had ended unasked, and were killed. In a container all end with
       * the program, and nobody counts them.
       */
      readonly leftovers: number;
      /** How many processes are known to have outlived SIGKILL: 0 but for a stuck disk, a fork bomb or another user's program. */
      readonly survivors: number;
      /** Those of the survivors whose number is known; a process that only the pipe it holds tells of has none. */
      readonly survivorPids: readonly number[];
      /** What a person should know of this end beside, as sentences without their beginning and end. */
      readonly notes?: readonly string[];
    };

/** The end of a program that was stopped before it was started. */
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
 * Where a program of a run is executed. When `execute` returns, no process of the run is left (but for `survivors`) and all of its
 * output was handed to `onOutput`.
 */
export interface Executor {
  /** Throws ContainerFault where containers cannot be had. */
  execute(request: ExecutorRequest): Promise<ExecutorEnd>;
  /**
   * Sees to it that the image of a container is there; `onPull` is called before it is fetched. Throws ContainerFault, and the signal's reason
   * when that is aborted.
   */
  prepareImage(
    image: string,
    options: { readonly signal: AbortSignal; readonly onPull: () => Promise<void> },
  ): Promise<void>;
  /** Kills whatever an earlier server on the same data folder left running; the number of processes and containers. */
  sweepAll(): Promise<number>;
  /** Kills what is still running. Nothing can be executed afterwards. */
  close(): Promise<void>;
}
