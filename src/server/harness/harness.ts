import type { Redactor } from '../../border/secrets.ts';
import type { EventDraft } from '../../contract/events.ts';
import type { ErrorCode } from '../../contract/tables/error-codes.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import type { McpServer } from './mcp-servers.ts';

/** Task for a harness: a run with everything resolved. */
export interface HarnessTask {
  /** Texts before the task, in order: the base prompt and the skill, if there are any. */
  readonly instructions: readonly TaskText[];
  /** The task. Its text is '' for a run that only names a skill. */
  readonly prompt: TaskText;
  readonly modelId: string | undefined;
  readonly mcpServers: readonly McpServer[];
  /** Servers that were tried and cannot be used. The run's log reports them. */
  readonly deadServers?: readonly string[] | undefined;
  /** Skills whose text is not part of the instructions. An agent reads their SKILL.md when it needs one. */
  readonly skills: readonly TaskSkill[];
  /** Session of the harness that the task continues. Undefined for a new one. */
  readonly sessionId: string | undefined;
  /** PATH of the program if it is a process of this machine. */
  readonly searchPath: string;
  /** Container image for the program. Undefined: it is a process of this machine. */
  readonly image?: string | undefined;
  /** Variables from environment and harness for the run's programs. Some programs must be told to keep them. */
  readonly variables: Readonly<Record<string, string>>;
  /** Working folder of the run. */
  readonly workspace: string;
  /**
   * Folder outside the workspace for the harness's own files. Exists, mode 700. The same one for all parts of a
   * conversation.
   */
  readonly stateDir: string;
  /** Folder for temporary files, next to `stateDir`. */
  readonly tempDir: string;
}

/** A text of a task and its source. */
export interface TaskText {
  /** Such as `the skill`. */
  readonly origin: string;
  readonly text: string;
  /** The line of the source where the text begins, from 1: a skill's text begins after its front matter. */
  readonly firstLine: number;
}

/** A skill that an agent may read. */
export interface TaskSkill {
  readonly name: string;
  readonly description: string;
  /** Absolute path of its folder, which contains a SKILL.md. */
  readonly folder: string;
}

/** Reads the standard output of a program that prints a line-based event format. */
export interface OutputReader {
  /**
   * The events of a line without its line end. Undefined if it is not an event, and then it is output like any other.
   * Never throws.
   */
  readLine(line: string): readonly EventDraft[] | undefined;
  /** Model answers so far. */
  readonly steps: number;
  /** Whether a tool is running. It may be silent for long. */
  readonly isToolRunning: boolean;
  /** Session id to continue this conversation, once the program has printed it. */
  readonly sessionId: string | undefined;
}

/**
 * The program of a run, and how to read its end. The worker adds the base environment, which `env` may override, and
 * AGENT_RUN_ID, AGENT_RUN_RESULT and the like, which it may not.
 */
export interface PreparedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Files and folders of this machine that the program needs to read, in addition to those of the run. */
  readonly readable?: readonly string[];
  /**
   * Marker that the program prints to both streams, each time in one write, where a new part of its work begins. It
   * is removed from the output, and `outputTail` begins after the last one. No other output may contain it.
   */
  readonly divider?: string;
  /** For a program that prints events. Its output is then not a result. */
  readonly reader?: OutputReader;
  /** Removes its files with secrets. Call it when the program has ended. */
  forget?(): Promise<void>;
  /** Redacts the output that is not events. */
  readonly redactor?: Redactor;
  /**
   * Decides success by the harness's own rule. Called at most once, when the program has ended by itself and
   * `stateDir` still exists.
   */
  conclude(end: CommandEnd): Promise<HarnessOutcome>;
}

/** Facts about a program that has ended by itself. */
export interface CommandEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Standard output as a result. Its text is '' if nothing visible was printed. */
  readonly stdout: RunText;
  /** The end of both streams in the order of arrival, from the last part only, at most 64 KiB. */
  readonly outputTail: string;
  /** Text of the result file. Undefined if it is missing or has nothing visible. */
  readonly result: RunText | undefined;
}

export type HarnessOutcome =
  | { readonly state: 'SUCCEEDED'; readonly result: RunText }
  | {
      readonly state: 'FAILED';
      readonly code: ErrorCode;
      readonly message: string;
      readonly result?: RunText | undefined;
    };

/** Parts of a run's configuration that a harness may not support. */
export interface HarnessRequest {
  readonly modelId: string | undefined;
  readonly mcpServers: readonly McpServer[];
  /** Skills after the first one, whose text every harness gets. */
  readonly moreSkills: boolean;
  /** For a run in a container. */
  readonly container?: { readonly network: string | undefined } | undefined;
}

/** Prepares the program for a task. `prepare` throws HarnessRefusal with the reason if the run cannot start. */
export interface Harness {
  readonly name: string;
  /**
   * Why it cannot carry out such a run, as the end of a sentence that begins with the member's path. Undefined if it
   * can.
   */
  refuse(request: HarnessRequest): string | undefined;
  prepare(task: HarnessTask): Promise<PreparedCommand>;
  /** Variables for its programs, which override those of the run's environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Model of a run that names none. */
  readonly defaultModel?: string | undefined;
  /** Limit on model answers in a run. Undefined: no limit. */
  readonly stepsMax?: number | undefined;
  /** How long it may be silent while no tool is running. Undefined: no limit. */
  readonly stallMs?: number | undefined;
  /** Whether it reports unusable MCP servers itself, and fails if a required one is unusable. */
  readonly checksMcpServers?: boolean;
  /** Whether it asks a model. Undefined if unknown, as for a configured program. */
  readonly asksModel?: boolean;
  /** Whether it executes code in a skill. If so, no prompt may be filled into the skill's text. */
  readonly executesSkills?: boolean;
  /** Whether it supports `task.sessionId`: conversations, and runs with a question, can continue. */
  readonly canResume?: boolean;
}

/** The run FAILS with this code and message before any program starts. */
export class HarnessRefusal extends Error {
  override readonly name = 'HarnessRefusal';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** `refuse` of a harness without an agent of ours, which cannot pass these on. */
export function refuseForAgents(name: string): Harness['refuse'] {
  return ({ mcpServers, moreSkills }) => {
    if (mcpServers.length > 0)
      return `config.mcp_servers: the harness ${name} has no agent that can use MCP servers; remove them, or choose a harness with an agent`;
    if (moreSkills)
      return `config.skills: the harness ${name} supports one skill, whose text comes before the prompt; remove the others, or choose a harness with an agent`;
    return undefined;
  };
}
