/**
 * How long following tolerates a failing server. The measure is the time without a good answer, not the number of
 * failures.
 */
import { isObject } from '../../base/json.ts';
import { headlineOf, NotFoundError, UnexpectedResponseError } from '../errors/answer-errors.ts';
import { ConnectionError } from '../errors/errors.ts';
import { RunLostError } from '../errors/run-errors.ts';
import { isProxyAnswer, judgeFailure, retryDelayMs } from '../http/retry-rules.ts';
import type { Transport } from '../http/transport.ts';
import { defaults } from '../options/options.ts';

export interface PatienceOptions {
  /** How long polls may keep failing before following gives up. @default 300_000 */
  readonly toleranceMs?: number | undefined;
  /** How long a 404 at the start is treated as replication lag. @default 10_000 */
  readonly notFoundGraceMs?: number | undefined;
}

export const patienceNames = ['toleranceMs', 'notFoundGraceMs', 'signal'] as const;

export class Patience {
  readonly #runId: string;
  readonly #transport: Transport;
  readonly #toleranceMs: number;
  readonly #graceEndMs: number;
  #askedMs: number;
  #failingSinceMs = 0;
  #failures = 0;

  constructor(runId: string, transport: Transport, options: PatienceOptions) {
    this.#runId = runId;
    this.#transport = transport;
    this.#toleranceMs = options.toleranceMs ?? defaults.toleranceMs;
    this.#askedMs = transport.clock.monotonicMs();
    this.#graceEndMs = this.#askedMs + (options.notFoundGraceMs ?? defaults.notFoundGraceMs);
  }

  /**
   * Called before each poll. Time that the caller spent since the last one, perhaps hours, is not a failure of the
   * server.
   */
  noteAsked(): void {
    this.#askedMs = this.#transport.clock.monotonicMs();
  }

  noteGoodAnswer(): void {
    if (this.#failures > 0) this.#transport.logger.info(`run ${this.#runId}: the server is answering again`);
    this.#failures = 0;
  }

  /**
   * Returns the wait before the next poll, in ms. Throws the error itself if waiting cannot fix it, RunLostError for
   * a run that does not exist, and ConnectionError (`cause` is the last failure) when the tolerance is used up.
   */
  waitAfter(error: unknown, lastState: string | undefined): number {
    const { clock, logger } = this.#transport;
    const askedMs = this.#askedMs;
    if (this.#failures === 0) this.#failingSinceMs = askedMs;
    // Measured from the start of the poll. A machine that slept during a poll makes it fail late, which says nothing
    // about the server.
    const isTooLong = askedMs - this.#failingSinceMs >= this.#toleranceMs;
    if (isRunMissing(error)) {
      if (isTooLong || askedMs >= this.#graceEndMs)
        throw new RunLostError({ runId: this.#runId, state: lastState, cause: error });
    } else if (!isCurable(error)) {
      throw error;
    } else if (isTooLong) {
      throw this.#giveUp(error);
    }
    if (this.#failures === 0) logger.warn(`run ${this.#runId}: ${headlineOf(error)}; still following`);
    this.#failures += 1;
    return retryDelayMs(error, this.#failures - 1, clock.now());
  }

  #giveUp(error: Error): ConnectionError {
    const seconds = Math.round(this.#toleranceMs / 1000);
    return new ConnectionError(`run ${this.#runId}: no good answer for ${seconds} s; last failure: ${error.message}`, {
      host: this.#transport.host,
      fault: 'other',
      neverLeft: false,
      cause: error,
    });
  }
}

/**
 * Whether the service itself says that the run does not exist, in a problem document or its older form. A proxy that
 * lost its server does not count.
 */
function isRunMissing(error: unknown): error is NotFoundError {
  if (!(error instanceof NotFoundError)) return false;
  return error.code !== undefined || (isObject(error.body) && typeof error.body.error === 'string');
}

function isCurable(error: unknown): error is Error {
  if (error instanceof UnexpectedResponseError || error instanceof NotFoundError) return true;
  return isProxyAnswer(error) || judgeFailure(error) !== 'final';
}
