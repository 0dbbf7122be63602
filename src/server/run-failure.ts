import { type ErrorCode, errorCodeEntry } from '../contract/tables/error-codes.ts';
import type { RunText } from '../contract/tables/run-text.ts';
import type { RunEnding } from './store/store.ts';

/** The run ends with this code; the message is for the person who started it. */
export class RunFailure extends Error {
  override readonly name = 'RunFailure';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

/** Why a worker gives up a run before its program has ended. */
export type Stop =
  | { readonly kind: 'cancel'; readonly reason: string }
  /** The server stops, and the time that it lets runs go on is over. */
  | { readonly kind: 'stopping' }
  /** The run is over, or another worker's by now: nothing is to be written any more. */
  | { readonly kind: 'lost' }
  /** The agent did not stop by itself. */
  | { readonly kind: 'limit'; readonly failure: RunFailure }
  | { readonly kind: 'fault'; readonly error: unknown };

/** Thrown by whatever is interrupted when a run is given up. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly stop: Stop;

  constructor(stop: Stop) {
    super(`the run was given up: ${stop.kind}`);
    this.stop = stop;
  }
}

/** The stop that an error stands for; any error but RunStopped is a fault of the server. */
export function readStop(error: unknown): Stop {
  return error instanceof RunStopped ? error.stop : { kind: 'fault', error };
}

/** An ending with the state, the code and whether it is worth another try, as the table of error codes has them. */
export function endWithCode(code: ErrorCode, message: string, result?: RunText): RunEnding {
  const { endsRunAs, retryable } = errorCodeEntry(code);
  return {
    state: endsRunAs ?? 'ERROR',
    statusMessage: { message, error_code: code, retryable },
    result,
  };
}
