/**
 * Adapter of one agent program: how to call it, and what its output means. Both parts are pure, so recorded output
 * can test them. Files, processes, limits and the rule for success are shared (agent-harness.ts).
 */
import type { JsonObject } from '../../../base/json.ts';
import type { RequestHeaders } from '../../../base/network/request-headers.ts';
import type { EventDraft } from '../../../contract/events.ts';
import type { HarnessTask } from '../harness.ts';
import type { AgentFault } from './agent-fault.ts';

export const modelApis = ['openai-chat', 'openai-responses', 'anthropic', 'gemini'] as const;
/** API of an endpoint. */
export type ModelApi = (typeof modelApis)[number];

export interface ModelEndpoint {
  readonly api: ModelApi;
  /** Address without `/v1` and a trailing slash. Each program adds its own path. */
  readonly root: string;
  /** Undefined if the endpoint needs none. */
  readonly apiKey: string | undefined;
  /** An OAuth token is one of Claude Code's own, which no other program can use. @default 'api_key' */
  readonly keyType?: 'api_key' | 'oauth_token' | undefined;
  /** Added to every request. */
  readonly headers?: RequestHeaders | undefined;
  /** Where the key was configured, for the end of a sentence, as in OPENAI_API_KEY under `env:` of the step. */
  readonly keyOrigin?: string | undefined;
  /** Where its address can be configured, as in OPENAI_BASE_URL under `env:` of the step. */
  readonly addressOrigin?: string | undefined;
}

/** A task for an agent program, with its model. Paths are absolute. */
export interface AgentSpec
  extends Omit<HarnessTask, 'prompt' | 'instructions' | 'modelId' | 'sessionId' | 'searchPath'> {
  readonly prompt: string;
  /** Base prompt and text of the skill. '' if there are none. */
  readonly instructions: string;
  readonly model: string;
  readonly endpoint: ModelEndpoint;
  /** A new UUID, for programs whose session can be named. */
  readonly newSessionId: string;
  /** The session to continue. Undefined for a new one. */
  readonly resume: string | undefined;
  readonly stepsMax: number;
}

/**
 * How to call the program. Secrets are in `env` and in files, never in `args`, which every user of the machine can
 * read.
 */
export interface AgentLaunch {
  readonly args: readonly string[];
  /** Overrides the variables of every agent. */
  readonly env: Readonly<Record<string, string>>;
  readonly stdin: string;
  /** Written before the start, mode 600. Paths are relative to `stateDir`. */
  readonly files: readonly { readonly path: string; readonly text: string }[];
  /**
   * Folder, relative to `stateDir`, for a link to each skill's folder. Undefined if the program learns of skills in
   * another way.
   */
  readonly skillsFolder?: string;
}

export interface AgentExit {
  readonly exitCode: number | undefined;
  readonly signal: string | undefined;
  /** The end of its output without events, mainly standard error. */
  readonly outputTail: string;
}

/**
 * The program's own report of its end. The shared rule accepts a success only with exit code 0, or with `exitCode`.
 */
export type AgentClaim =
  | { readonly kind: 'succeeded'; readonly text: string; readonly exitCode?: number }
  | ({ readonly kind: 'failed'; readonly text?: string | undefined } & AgentFault)
  /** The program reported no end. */
  | { readonly kind: 'none'; readonly text?: string | undefined };

/** Reads the events of one run in order. */
export interface AgentReader {
  /** Returns no events for an unknown event, and undefined for a line that is not the program's. */
  read(event: JsonObject): readonly EventDraft[] | undefined;
  claim(exit: AgentExit): AgentClaim;
  readonly steps: number;
  readonly isToolRunning: boolean;
  readonly sessionId: string | undefined;
}

export interface AgentAdapter {
  /** Display name, such as `Claude Code`. */
  readonly title: string;
  readonly apis: readonly ModelApi[];
  /** Name of its program on PATH; or our own, a JavaScript file for the server's Node. */
  readonly program: string | { readonly file: string };
  /** Arguments that make it print its version. */
  readonly versionArgs: readonly string[];
  launch(spec: AgentSpec): AgentLaunch;
  createReader(spec: AgentSpec): AgentReader;
}
