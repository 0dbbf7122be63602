/**
 * What there is to know of one agent program: how it is called, and what its output means. Both parts are pure, so that they are tested with
 * recorded output; files, processes, limits and the rule of success are shared (agent-harness.ts).
 */
import type { JsonObject } from '../../../base/json.ts';
import type { EventDraft } from '../../../contract/events.ts';
import type { HarnessTask } from '../harness.ts';
import type { AgentFault } from './agent-fault.ts';

export const modelApis = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
/** The language that an endpoint speaks. */
export type ModelApi = (typeof modelApis)[number];

/** Where a model is asked. */
export interface ModelEndpoint {
  readonly api: ModelApi;
  /** Address without `/v1` and without a slash at its end: each program adds what it wants. */
  readonly root: string;
  /** Undefined where the endpoint wants none. */
  readonly apiKey: string | undefined;
  /** Where the key was read, for the end of a sentence, as in OPENAI_API_KEY under `env:` of the step. */
  readonly keyOrigin?: string | undefined;
  /** Where its address can be set, as in OPENAI_BASE_URL under `env:` of the step. */
  readonly addressOrigin?: string | undefined;
}

/** A task for an agent program, with the model that it asks. Paths are absolute. */
export interface AgentSpec
  extends Omit<HarnessTask, 'prompt' | 'instructions' | 'modelId' | 'sessionId' | 'searchPath' | 'resultFile'> {
  readonly prompt: string;
  /** Base prompt and text of the skill; '' without any. */
  readonly instructions: string;
  readonly model: string;
  readonly endpoint: ModelEndpoint;
  /** A fresh UUID, for programs whose session can be named. */
  readonly newSessionId: string;
  /** The session to go on with; undefined for a new one. */
  readonly resume: string | undefined;
  readonly stepsMax: number;
}

/** How the program is called. Secrets stand in `env` and in files, never in `args`, which every user of the machine can read. */
export interface AgentLaunch {
  readonly args: readonly string[];
  /** Over what every agent has. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Written before the start, mode 600; paths are relative to `stateDir`. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /** Folder, relative to `stateDir`, that gets a link to the folder of each skill; undefined where skills are told in another way. */
  readonly skillsFolder?: string;
}

/** How the process ended. */
export interface AgentExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** The end of what it printed that was no event, standard error above all. */
  readonly outputTail: string;
}

/** What the program itself says of its end. The shared rule believes a success only with exit code 0, or with `exitCode`. */
export type AgentClaim =
  | { readonly kind: 'succeeded'; readonly text: string; readonly exitCode?: number }
  | ({ readonly kind: 'failed'; readonly text?: string | undefined } & AgentFault)
  /** It said nothing of its end. */
  | { readonly kind: 'none'; readonly text?: string | undefined };

/** Reads the events of one run in their order. */
export interface AgentReader {
  /** Of an event that it does not know it makes nothing; undefined for what is none of the program's. */
  read(event: JsonObject): readonly EventDraft[] | undefined;
  claim(exit: AgentExit): AgentClaim;
  readonly steps: number;
  readonly isToolRunning: boolean;
  readonly sessionId: string | undefined;
}

/** An agent program. */
export interface AgentAdapter {
  /** What people call it: `Claude Code`. */
  readonly title: string;
  readonly apis: readonly ModelApi[];
  /** Name of its program, looked up on PATH; or our own, a JavaScript file for the Node that the server runs on. */
  readonly program: string | { readonly file: string };
  /** What makes it print its version. */
  readonly versionArgs: readonly string[];
  launch(spec: AgentSpec): AgentLaunch;
  createReader(spec: AgentSpec): AgentReader;
}
