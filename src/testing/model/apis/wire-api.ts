import type { JsonObject } from '../../../base/json.ts';
import type { ModelQuestion } from '../model-request.ts';
import type { Reply } from '../reply.ts';

/** What the address says where the body does not. */
export interface Target {
  readonly model?: string | undefined;
  readonly isStreamed?: boolean | undefined;
}

/** Frames of server-sent events. */
export interface Stream {
  /** All that is said, without an end. */
  readonly words: readonly string[];
  /** All that is said, with the end. */
  readonly whole: readonly string[];
}

export interface WireError {
  readonly status: number;
  readonly message: string;
  readonly code: string | undefined;
}

/** One API of models: how it asks, and how it answers. */
export interface WireApi {
  /** Throws RefusedRequest for what the API does not take. */
  readonly readQuestion: (body: JsonObject, target: Target) => ModelQuestion;
  readonly writeWhole: (reply: Reply, asked: Asked) => JsonObject;
  readonly writeStream: (reply: Reply, asked: Asked) => Stream;
  readonly writeStreamError: (message: string, asked: Asked) => string;
  readonly writeError: (error: WireError) => JsonObject;
  readonly countTokens: (tokens: number) => JsonObject;
}

/** What of the request an answer repeats. */
export interface Asked {
  readonly model: string;
  readonly body: JsonObject;
}

/** The API's own answer to a request that it does not take. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
