import { randomUUID } from 'node:crypto';
import { findShortage } from '../../base/shortage.ts';
import { type ErrorCode, errorCodeEntry } from '../../contract/error-codes.ts';
import { traceError } from '../error-text.ts';
import type { Log } from '../log.ts';
import type { RunEnding } from '../store/store.ts';

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
export function endWithCode(code: ErrorCode, message: string, resultText?: string): RunEnding {
  const { endsRunAs, retryable } = errorCodeEntry(code);
  return {
    state: endsRunAs ?? 'ERROR',
    statusMessage: { message, error_code: code, retryable },
    resultText,
  };
}

/** The ending of a run that was given up; undefined when there is nothing to write. The cause of a fault goes to the log only. */
export function endByStop(
  stop: Stop,
  {
    runId,
    log,
    resultText,
    hasBegun = true,
  }: {
    readonly runId: string;
    readonly log: Log;
    readonly resultText?: string | undefined;
    /** Whether the agent did. @default true */
    readonly hasBegun?: boolean;
  },
): RunEnding | undefined {
  switch (stop.kind) {
    case 'lost':
      return undefined;
    case 'cancel':
      return { state: 'CANCELLED', statusMessage: { message: stop.reason }, resultText };
    case 'limit':
      return endWithCode(stop.failure.code, stop.failure.message, resultText);
    case 'stopping':
      return endWithCode(
        'resource_unavailable',
        'the server stopped before the run ended. Part of its work may be done',
        resultText,
      );
    case 'fault': {
      const shortage = hasBegun ? undefined : findShortage(stop.error);
      if (shortage !== undefined) return putBack(shortage);
      const trace = randomUUID();
      log('error', 'internal error during a run', { run: runId, trace, error: traceError(stop.error) });
      return endWithCode(
        'internal_error',
        `the server failed during the run. Its log has the cause under ${trace}`,
        resultText,
      );
    }
  }
}

/** Nothing is wrong with the run, and nothing of it has happened. */
function putBack(shortage: string): RunEnding {
  const message = `the server is short of open files, processes or memory (${shortage}) and could not start the agent. It will try again`;
  return { state: 'QUEUED', statusMessage: { message } };
}

/** `1 minute 30 seconds`. */
export function describeDuration(ms: number): string {
  const tenths = Math.max(1, Math.round(ms / 100));
  const [minutes, seconds] = [Math.floor(tenths / 600), (tenths % 600) / 10];
  const parts = [minutes > 0 && countUnit(minutes, 'minute'), seconds > 0 && countUnit(seconds, 'second')];
  return parts.filter(part => part !== false).join(' ');
}

function countUnit(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
