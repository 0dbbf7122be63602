import { type ErrorCode, errorCodeEntry } from '../contract/tables/error-codes.ts';
import type { RunText } from '../contract/tables/run-text.ts';
import type { RunEnding } from './store/store.ts';

/** Ends the run with this code. The message is for the person who started it. */
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
  /** The server stops, and the drain time is over. */
  | { readonly kind: 'stopping' }
  /** The run is over or belongs to another worker. Nothing may be written. */
  | { readonly kind: 'lost' }
  /** The agent exceeded a limit. */
  | { readonly kind: 'limit'; readonly failure: RunFailure }
  | { readonly kind: 'fault'; readonly error: unknown };

/** Thrown by interrupted work when a run is given up. */
export class RunStopped extends Error {
  override readonly name = 'RunStopped';
  readonly stop: Stop;

  constructor(stop: Stop) {
    super(`the run was given up: ${stop.kind}`);
    this.stop = stop;
  }
}

/** Converts an error to a stop. Any error except RunStopped is a fault of the server. */
export function readStop(error: unknown): Stop {
  return error instanceof RunStopped ? error.stop : { kind: 'fault', error };
}

/** Looks up the state and retry flag of an error code. */
export function endWithCode(code: ErrorCode, message: string, result?: RunText): RunEnding {
  const { endsRunAs, retryable } = errorCodeEntry(code);
  return {
    state: endsRunAs ?? 'ERROR',
    statusMessage: { message, error_code: code, retryable },
    result,
  };
}
