/** What someone who follows a run bears from a server: failing polls for a time without a good answer, not for a number of failures. */
import { isObject } from '../../base/json.ts';
import { headlineOf, NotFoundError, UnexpectedResponseError } from '../errors/answer-errors.ts';
import { ConnectionError } from '../errors/errors.ts';
import { RunLostError } from '../errors/run-errors.ts';
import { isWordOfAnother, judgeFailure, retryDelayMs } from '../http/retry-rules.ts';
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

  /** Before each poll. What the caller did since the last one, perhaps for hours, is no failure of the server. */
  noteAsked(): void {
    this.#askedMs = this.#transport.clock.monotonicMs();
  }

  noteGoodAnswer(): void {
    if (this.#failures > 0) this.#transport.logger.info(`run ${this.#runId}: the server is answering again`);
    this.#failures = 0;
  }

  /**
   * How long to wait, in ms, before the next poll. Throws when it is enough: what no waiting cures as it is, RunLostError for a run that is
   * not there, and ConnectionError (`cause` is the last failure) when the tolerance is used up.
   */
  bear(error: unknown, lastState: string | undefined): number {
    const { clock, logger } = this.#transport;
    const askedMs = this.#askedMs;
    if (this.#failures === 0) this.#failingSinceMs = askedMs;
    // By when the poll began: a machine that sleeps within one makes it fail late, and says nothing of the server.
    const isTooLong = askedMs - this.#failingSinceMs >= this.#toleranceMs;
    if (saysNoSuchRun(error)) {
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

/** The service itself says that there is no such run, in a problem document or its older form. What a proxy says that has lost its server is none of its words. */
function saysNoSuchRun(error: unknown): error is NotFoundError {
  if (!(error instanceof NotFoundError)) return false;
  return error.code !== undefined || (isObject(error.body) && typeof error.body.error === 'string');
}

function isCurable(error: unknown): error is Error {
  if (error instanceof UnexpectedResponseError || error instanceof NotFoundError) return true;
  return isWordOfAnother(error) || judgeFailure(error) !== 'final';
}
