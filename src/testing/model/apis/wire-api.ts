import type { JsonObject } from '../../../base/json.ts';
import type { ModelQuestion } from '../model-request.ts';
import type { Reply } from '../reply.ts';

/** Request facts from the address, for APIs whose body lacks them. */
export interface Target {
  readonly model?: string | undefined;
  readonly isStreamed?: boolean | undefined;
}

/** Frames of server-sent events. */
export interface Stream {
  /** The whole text, without an end. */
  readonly words: readonly string[];
  /** The whole text, with the end. */
  readonly whole: readonly string[];
}

export interface WireError {
  readonly status: number;
  readonly message: string;
  readonly code: string | undefined;
}

/** One model API: how to read its requests and write its answers. */
export interface WireApi {
  /** Throws RefusedRequest for a request that the API does not accept. */
  readonly readQuestion: (body: JsonObject, target: Target) => ModelQuestion;
  readonly writeWhole: (reply: Reply, asked: Asked) => JsonObject;
  readonly writeStream: (reply: Reply, asked: Asked) => Stream;
  readonly writeStreamError: (message: string, asked: Asked) => string;
  readonly writeError: (error: WireError) => JsonObject;
  readonly countTokens: (tokens: number) => JsonObject;
}

/** The parts of the request that an answer repeats. */
export interface Asked {
  readonly model: string;
  readonly body: JsonObject;
}

/** The API's own answer to an invalid request. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
