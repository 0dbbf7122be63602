import type { ErrorCode } from '../../contract/error-codes.ts';

/** What a harness gets: a run with everything resolved. */
export interface HarnessTask {
  readonly runId: string;
  /** What comes before the task, in order: the base prompt and the skill, as far as there are any. */
  readonly instructions: readonly TaskText[];
  /** The task; its text is '' for a run that only names a skill. */
  readonly prompt: TaskText;
  readonly modelId: string | undefined;
  /** PATH of the program. */
  readonly searchPath: string;
  /** Folder that the run works in. */
  readonly workspace: string;
  /** Folder of the run outside the workspace, for the harness's own files; exists, mode 700. */
  readonly stateDir: string;
  /** The file whose text becomes the result when the program wrote to it. Also in the environment, as AGENT_RUN_RESULT. */
  readonly resultFile: string;
}

/** A text of a task and where a person finds it. */
export interface TaskText {
  /** Such as `the skill`. */
  readonly origin: string;
  readonly text: string;
  /** The line of the origin that the text begins on, from 1: a skill's text begins after its front matter. */
  readonly firstLine: number;
}

/**
 * What to start for a run, and how to read its end. The worker adds the clean base environment, which `env` may change, and
 * AGENT_RUN_ID, AGENT_RUN_RESULT, AGENT_RUN_MODEL and AGENT_RUN_SKILL_DIR, which it may not.
 */
export interface PreparedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /**
   * What the program prints to both streams, each time in one write, where a new part of its work begins. It is taken out of the output, and
   * `outputTail` begins after the last one. Nothing else that is ever printed may hold it.
   */
  readonly divider?: string;
  /** Decides success, by the harness's own rule. Called at most once, when the program has ended by itself and `stateDir` is still there. */
  conclude(end: CommandEnd): Promise<HarnessOutcome>;
}

/** What is known when the program has ended by itself. */
export interface CommandEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Standard output as a result: what is longer than one may be is cut at its start and says so. '' when it was only blanks. */
  readonly stdoutText: string;
  /** The end of both streams in the order of arrival, of the last part only, at most 64 KiB. */
  readonly outputTail: string;
  /** What the program wrote to the result file; undefined when it did not, or only blanks. */
  readonly resultText: string | undefined;
}

export type HarnessOutcome =
  | { readonly state: 'SUCCEEDED'; readonly resultText: string }
  | {
      readonly state: 'FAILED';
      readonly code: ErrorCode;
      readonly message: string;
      readonly resultText?: string | undefined;
    };

/** What to run for a task. `prepare` throws HarnessRefusal when the run cannot be started and says why. */
export interface Harness {
  readonly name: string;
  prepare(task: HarnessTask): Promise<PreparedCommand>;
}

/** The run FAILS with this code and message before anything is started. */
export class HarnessRefusal extends Error {
  override readonly name = 'HarnessRefusal';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
