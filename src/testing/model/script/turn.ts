import type { ModelRequest } from '../model-request.ts';

/**
 * Tokens of one answer. Each API reports them its own way. For example, Anthropic's `input_tokens` does not include
 * cached ones.
 */
export interface ModelUsage {
  /** Includes cached tokens. */
  readonly input: number;
  /** Includes tokens of reasoning. */
  readonly output: number;
  readonly cached: number;
  readonly reasoning: number;
}

/**
 * A tool that the model calls. `shell`, `read`, `write` and `mcp` find a matching tool among those in the request,
 * because every agent program names its own. A shell replaces a missing tool to read or write.
 */
export type ScriptedCall =
  | { readonly shell: string }
  | { readonly read: string }
  | { readonly write: { readonly path: string; readonly content: string } }
  | { readonly mcp: { readonly server: string; readonly tool: string; readonly input?: unknown } }
  | { readonly name: string | ((request: ModelRequest) => string); readonly input: unknown }
  /** The raw arguments, for invalid JSON. Not supported by Gemini. */
  | { readonly name: string | ((request: ModelRequest) => string); readonly inputText: string };

/** Delay before the first byte. */
interface Delayed {
  /** @default 0 */
  readonly delayMs?: number | undefined;
}

/** The model's output, in this order. */
interface Words extends Delayed {
  readonly reasoning?: string | undefined;
  readonly text?: string | undefined;
  readonly tools?: readonly ScriptedCall[] | undefined;
  /** Delay between the chunks of a stream. @default 0 */
  readonly chunkDelayMs?: number | undefined;
  /** @default estimated, at four characters a token */
  readonly usage?: Partial<ModelUsage> | undefined;
}

/** The model ends its answer, or reaches its token limit. */
export interface AnswerTurn extends Words {
  readonly stop?: 'length' | undefined;
}

/** The connection breaks in mid-stream; without a stream, within the body. */
export interface CutTurn extends Words {
  /** Chunks that arrive before. 0: only the headers. */
  readonly cutAfterChunks: number;
}

/** Headers and a first chunk, then silence until the client disconnects or the server closes. */
export interface StallTurn extends Words {
  readonly stall: true;
}

/** The output, then an error event instead of the end. Without a stream, a 500 response. */
export interface StreamErrorTurn extends Words {
  readonly streamError: string;
}

/** The model or a filter refuses to answer. */
export interface RefusalTurn extends Delayed {
  readonly refusal: string;
  readonly usage?: Partial<ModelUsage> | undefined;
}

/** An error response in the API's own shape. */
export interface ErrorTurn extends Delayed {
  /** From 400 to 599. */
  readonly status: number;
  /** @default a sentence with the status */
  readonly error?: string | undefined;
  /** `error.code` of OpenAI's APIs, such as `context_length_exceeded`. @default the code for the status */
  readonly code?: string | undefined;
  /** Sent as `retry-after`. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** No response until the client disconnects or the server closes. */
export interface SilentTurn {
  readonly silent: true;
}

export type ModelTurn = AnswerTurn | CutTurn | StallTurn | StreamErrorTurn | RefusalTurn | ErrorTurn | SilentTurn;

/** A turn, or a function that chooses it when it is due. `undefined` means no turn. */
export type TurnSource =
  | ModelTurn
  | ((request: ModelRequest) => ModelTurn | undefined | Promise<ModelTurn | undefined>);

/**
 * Turns are taken in the order of the requests; a retry takes the next one. A single function answers all requests,
 * for a lasting error or an answer that depends on the request.
 */
export type ModelScript = readonly TurnSource[] | Extract<TurnSource, (request: ModelRequest) => unknown>;
