import type { Redactor } from '../../border/secrets.ts';
import type { EventDraft } from '../../contract/events.ts';
import type { ErrorCode } from '../../contract/tables/error-codes.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import type { McpServer } from './mcp-servers.ts';

/** What a harness gets: a run with everything resolved. */
export interface HarnessTask {
  readonly runId: string;
  /** What comes before the task, in order: the base prompt and the skill, as far as there are any. */
  readonly instructions: readonly TaskText[];
  /** The task; its text is '' for a run that only names a skill. */
  readonly prompt: TaskText;
  readonly modelId: string | undefined;
  readonly mcpServers: readonly McpServer[];
  /** Names of those that were tried and cannot be used, of which the run has told. */
  readonly deadServers?: readonly string[] | undefined;
  /** Skills whose text is not among the instructions: an agent reads their SKILL.md when it needs one. */
  readonly skills: readonly TaskSkill[];
  /** Session of the harness that the task goes on with; undefined for a new one. */
  readonly sessionId: string | undefined;
  /** PATH of the program, where it is a process of this machine. */
  readonly searchPath: string;
  /** Image of the container that the program runs in; undefined: it is a process of this machine. */
  readonly image?: string | undefined;
  /** What environment and harness pass on to the run's programs. A harness may have to tell a program to keep it. */
  readonly variables: Readonly<Record<string, string>>;
  /** Folder that the run works in. */
  readonly workspace: string;
  /** Folder of the run outside the workspace, for the harness's own files; exists, mode 700. The same one for all parts of a conversation. */
  readonly stateDir: string;
  /** Folder for temporary files, beside `stateDir`. */
  readonly tempDir: string;
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

/** A skill that an agent may read. */
export interface TaskSkill {
  readonly name: string;
  readonly description: string;
  /** Absolute path of its folder, which has a SKILL.md. */
  readonly folder: string;
}

/** Reads what a program prints to standard output where that is a language of its own, one line at a time. */
export interface OutputReader {
  /** The events that a line tells of, without its line end; undefined for a line that is none of the language, which then is output like any other. Never throws. */
  readLine(line: string): readonly EventDraft[] | undefined;
  /** Answers of the model so far. */
  readonly steps: number;
  /** Whether a tool works: it may be silent for long. */
  readonly isToolRunning: boolean;
  /** By which the program goes on with this conversation, as far as it said so. */
  readonly sessionId: string | undefined;
}

/**
 * What to start for a run, and how to read its end. The worker adds the clean base environment, which `env` may change, and
 * AGENT_RUN_ID, AGENT_RUN_RESULT and the like, which it may not.
 */
export interface PreparedCommand {
  readonly argv: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Files and folders of this machine, beside those of the run, that the program needs to read. */
  readonly readable?: readonly string[];
  /**
   * What the program prints to both streams, each time in one write, where a new part of its work begins. It is taken out of the output, and
   * `outputTail` begins after the last one. Nothing else that is ever printed may hold it.
   */
  readonly divider?: string;
  /** Of a program that prints events; what it prints is then no result. */
  readonly reader?: OutputReader;
  /** Removes what it was given in files, secrets among it. To be called when the program has ended. */
  forget?(): Promise<void>;
  /** For whatever it prints besides events. */
  readonly redactor?: Redactor;
  /** Decides success, by the harness's own rule. Called at most once, when the program has ended by itself and `stateDir` is still there. */
  conclude(end: CommandEnd): Promise<HarnessOutcome>;
}

/** What is known when the program has ended by itself. */
export interface CommandEnd {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** Standard output as a result. Its text is '' when nothing can be seen of it. */
  readonly stdout: RunText;
  /** The end of both streams in the order of arrival, of the last part only, at most 64 KiB. */
  readonly outputTail: string;
  /** What the program wrote to the result file; undefined when it did not, or nothing that can be seen. */
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

/** What of a run's configuration a harness may not be able to do. */
export interface HarnessRequest {
  readonly modelId: string | undefined;
  readonly mcpServers: readonly McpServer[];
  /** Skills beside the first one, whose text every harness is given. */
  readonly moreSkills: boolean;
  /** Of a run in a container. */
  readonly container?: { readonly network: string | undefined } | undefined;
}

/** What to run for a task. `prepare` throws HarnessRefusal when the run cannot be started and says why. */
export interface Harness {
  readonly name: string;
  /** Why it cannot carry out such a run, as the end of a sentence that begins with the member's path; undefined when it can. */
  refuse(request: HarnessRequest): string | undefined;
  prepare(task: HarnessTask): Promise<PreparedCommand>;
  /** Variables that it passes on to its programs, over those of the run's environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** Model of a run that names none. */
  readonly defaultModel?: string | undefined;
  /** Answers of the model that a run may take; undefined without a limit. */
  readonly stepsMax?: number | undefined;
  /** How long it may be silent while no tool works; undefined without a limit. */
  readonly stallMs?: number | undefined;
  /** Whether it tells itself which MCP servers cannot be used, and fails where one is required. */
  readonly checksMcpServers?: boolean;
  /** Whether it asks a model; undefined where that is not known, as of a program that the configuration names. */
  readonly asksModel?: boolean;
  /** Whether it executes what stands in a skill: nothing of a prompt may then be put into its text. */
  readonly executesSkills?: boolean;
  /** Whether `task.sessionId` can be given: conversations can go on, and so can a run whose question was answered. */
  readonly canResume?: boolean;
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

/** The `refuse` of a harness that is no agent of ours: it has no way to hand these on. */
export function refuseForAgents(name: string): Harness['refuse'] {
  return ({ mcpServers, moreSkills }) => {
    if (mcpServers.length > 0)
      return `config.mcp_servers: the harness ${name} has no agent that can use MCP servers; remove them, or choose a harness with an agent`;
    if (moreSkills)
      return `config.skills: the harness ${name} supports one skill, whose text comes before the prompt; remove the others, or choose a harness with an agent`;
    return undefined;
  };
}
