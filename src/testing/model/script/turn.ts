import type { ModelRequest } from '../model-request.ts';

/** Tokens of one answer. Each API words them its own way; Anthropic's `input_tokens`, for one, is without the cached ones. */
export interface ModelUsage {
  /** With the cached ones. */
  readonly input: number;
  /** With those of the reasoning. */
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
}

/**
 * A tool that the model calls. `shell`, `read`, `write` and `mcp` find the tool that fits among those that the request offers, for every
 * agent program names its own. A shell stands in for a missing one to read or write.
 */
export type ScriptedCall =
  | { readonly shell: string }
  | { readonly read: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly mcp: { readonly server: string; readonly tool: string; readonly input?: unknown } }
  | { readonly name: string | ((request: ModelRequest) => string); readonly input: unknown }
  /** The arguments as they are, for ones that are no JSON. Gemini has no such thing. */
  | { readonly name: string | ((request: ModelRequest) => string); readonly inputText: string };

/** Waits before the first byte. */
interface Delayed {
  /** @default 0 */
  readonly delayMs?: number | undefined;
}

/** What the model says, in this order. */
interface Words extends Delayed {
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  readonly tools?: readonly ScriptedCall[] | undefined;
  /** Between the chunks of a stream. @default 0 */
  readonly chunkDelayMs?: number | undefined;
  /** @default estimated, at four characters a token */
  readonly usage?: Partial<ModelUsage> | undefined;
}

/** Ends as the model wants it, or at its limit of tokens. */
export interface AnswerTurn extends Words {
  readonly stop?: 'length' | undefined;
}

/** The connection is lost in mid-stream; without a stream, in mid-body. */
export interface CutTurn extends Words {
  /** Chunks that arrive before; from 0, where only headers do. */
  readonly cutAfterChunks: number;
}

/** Headers and a first chunk, then silence until the client goes or the server closes. */
export interface StallTurn extends Words {
  readonly stall: true;
}

/** The words, then an error event in place of the end. Without a stream, an answer 500. */
export interface StreamErrorTurn extends Words {
  readonly streamError: string;
}

/** The model or a filter will not answer. */
export interface RefusalTurn extends Delayed {
  readonly refusal: string;
  readonly usage?: Partial<ModelUsage> | undefined;
}

/** An error answer in the API's own shape. */
export interface ErrorTurn extends Delayed {
  /** From 400 to 599. */
  readonly status: number;
  /** @default a sentence with the status */
  readonly error?: string | undefined;
  /** `error.code` of OpenAI's APIs, as `context_length_exceeded`. @default what goes with the status */
  readonly code?: string | undefined;
  /** As `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** No answer at all until the client goes or the server closes. */
export interface SilentTurn {
  readonly silent: true;
}

export type ModelTurn = AnswerTurn | CutTurn | StallTurn | StreamErrorTurn | RefusalTurn | ErrorTurn | SilentTurn;

/** A turn, or what chooses it when its time has come. `undefined` is no turn. */
export type TurnSource =
  | ModelTurn
  | ((request: ModelRequest) => ModelTurn | undefined | Promise<ModelTurn | undefined>);

/**
 * Turns are taken in the order of the requests, a retried request takes the next one. One function answers for all requests: for an error
 * that lasts, or an answer that depends on what was asked.
 */
export type ModelScript = readonly TurnSource[] | Extract<TurnSource, (request: ModelRequest) => unknown>;
