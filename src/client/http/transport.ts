/** Sends requests: attempts with deadlines, retried by retry-rules.ts. */
import type { Clock } from '../../base/clock.ts';
import { retry } from '../../base/network/retry.ts';
import { cancelBody } from '../../border/answers.ts';
import { headerNames } from '../../contract/tables/headers.ts';
import { AuthenticationError, headlineOf, RateLimitError, UnexpectedResponseError } from '../errors/answer-errors.ts';
import { ConnectionError, ConnectionTimeoutError } from '../errors/errors.ts';
import type { Logger } from '../options/logger.ts';
import type { CallOptions } from '../options/options.ts';
import type { Settings } from '../options/settings.ts';
import { type Answer, readAnswer, readBody } from './answer.ts';
import { describeConnectionFailure, hasAnswerBegun } from './connection-failure.ts';
import { pause, throwIfAborted, withDeadline } from './deadline.ts';
import { type Call, isIdempotent, keyGoesHere, type Limits, type Prepared, prepareRequest } from './request.ts';
import { isProxyAnswer, judgeFailure, mayBeDone, retryDelayMs, serverDelayMs, type Verdict } from './retry-rules.ts';

export class Transport {
  readonly #settings: Settings;
  readonly host: string;
  #hasAnswered = false;

  constructor(settings: Settings) {
    this.#settings = settings;
    this.host = new URL(settings.baseUrl).host;
  }

  get clock(): Clock {
    return this.#settings.clock;
  }

  get logger(): Logger {
    return this.#settings.logger;
  }

  redact(text: string): string {
    return this.#settings.keys.known.redact(text);
  }

  limits(own: CallOptions): Limits {
    return {
      timeoutMs: own.timeoutMs ?? this.#settings.timeoutMs,
      totalTimeoutMs: own.totalTimeoutMs ?? this.#settings.totalTimeoutMs,
      maxRetries: own.maxRetries ?? this.#settings.maxRetries,
    };
  }

  /** Calls the listener of the call, otherwise the client's. Errors thrown by the listener are ignored. */
  noteRetry(own: CallOptions, failure: unknown): void {
    const tell = async () => (own.onRetry ?? this.#settings.onRetry)?.(failure);
    tell().catch(() => {});
  }

  /** Throws ConfigurationError, and what `carryOut` throws. */
  async send(call: Call): Promise<Answer> {
    throwIfAborted(call.signal);
    return await this.carryOut(this.prepare(call));
  }

  /** Throws ConfigurationError. */
  prepare(call: Call): Prepared {
    return prepareRequest(call, this.#settings, this.limits(call));
  }

  /**
   * Throws ApiKeyError, AbortedError, ConnectionError, ApiError or UnexpectedResponseError. A prepared request can be
   * sent again.
   */
  async carryOut(request: Prepared): Promise<Answer> {
    const { call } = request;
    const { clock, logger } = this.#settings;
    const began = clock.monotonicMs();
    const leftMs = (): number => request.totalTimeoutMs - (clock.monotonicMs() - began);
    try {
      const attempt = async (): Promise<Answer> => {
        try {
          return await this.#attemptWithGoodKey(request, leftMs);
        } catch (error) {
          if (!isIdempotent(call.method) && mayBeDone(error)) {
            request.pinnedKey ??= request.key;
            request.isPerhapsDone = true;
          }
          throw error;
        }
      };
      return await retry(attempt, {
        retriesMax: request.maxRetries,
        // A rate limit with a delay is not a connection fault. Only the total time bounds it.
        countsAsRetry: error => !(error instanceof RateLimitError && (serverDelayMs(error, clock.now()) ?? 0) >= 1000),
        wait: async (error, attemptsBefore) => {
          const verdict = verdictOn(error, call);
          if (verdict === 'final') return false;
          const delayMs = retryDelayMs(error, attemptsBefore, clock.now());
          if (delayMs >= leftMs()) return false;
          const tookMs = Math.round(clock.monotonicMs() - request.attemptBeganMs);
          logger.info(`${headlineOf(error)} after ${tookMs} ms; retrying in ${Math.round(delayMs)} ms`);
          if (verdict === 'not-done') request.hasLeft = false;
          this.noteRetry(call, error);
          await pause(clock, delayMs, call.signal);
          return true;
        },
      });
    } catch (error) {
      throw this.#isPerhapsTls(error) && verdictOn(error, call) !== 'final' ? suspectTls(error) : error;
    }
  }

  /**
   * A request answered with 401 was not carried out. It is sent again once per call if the apiKey function returns
   * another key.
   */
  async #attemptWithGoodKey(request: Prepared, leftMs: () => number): Promise<Answer> {
    try {
      return await this.#attempt(request, leftMs());
    } catch (error) {
      const isFirst = error instanceof AuthenticationError && request.refusal === undefined;
      if (!isFirst || request.key === undefined || request.pinnedKey !== undefined) throw error;
      request.refusal = error;
      return await this.#attempt(request, leftMs(), error);
    }
  }

  /** `refusal` is the 401 for the previous key. It is thrown again if there is no other key. */
  async #attempt(request: Prepared, leftMs: number, refusal?: AuthenticationError): Promise<Answer> {
    const { keys, fetch, clock, logger, fetchOptions } = this.#settings;
    const { call, timeoutMs, totalTimeoutMs } = request;
    const { host } = this;
    const began = clock.monotonicMs();
    request.attemptBeganMs = began;
    request.hasLeft = false;
    const onTimeout = (): Error => {
      const bound = timeoutMs <= leftMs ? `${Math.ceil(timeoutMs)} ms` : `${Math.ceil(totalTimeoutMs)} ms in total`;
      const { hasLeft } = request;
      const lack = hasLeft ? 'no complete answer' : 'no key from the apiKey function (which must not call this client)';
      if (!hasLeft) keys.forget();
      return new ConnectionTimeoutError(`${call.method} ${call.path}: ${host}: ${lack} within ${bound}`, {
        host,
        fault: 'timeout',
        neverLeft: !hasLeft,
      });
    };
    const { response, body } = await withDeadline(
      { ms: Math.min(timeoutMs, leftMs), signal: call.signal, onTimeout },
      async signal => {
        const headers = { ...request.headers };
        if (headers.authorization === keyGoesHere) {
          const key = request.pinnedKey ?? (refusal === undefined ? keys.current() : keys.replace(request.key ?? ''));
          request.key = typeof key === 'string' ? key : await key;
          if (request.key === undefined) throw refusal;
          signal.throwIfAborted();
          keys.known.add(request.key);
          headers.authorization = `Bearer ${request.key}`;
        }
        headers['x-retry-count'] = String(request.count);
        request.count += 1;
        request.hasLeft = true;
        try {
          const response = await fetch(request.url, {
            ...fetchOptions,
            ...call.fetchOptions,
            method: call.method,
            headers,
            body: request.body,
            redirect: 'manual',
            signal,
          });
          if (typeof response?.arrayBuffer !== 'function')
            throw new ConnectionError(
              `${call.method} ${call.path}: the fetch option returned no Response, so the outcome of the request is unknown`,
              { host, fault: 'fetch', neverLeft: false },
            );
          // A fetch that ignores signals may respond after the deadline.
          if (signal.aborted) await cancelBody(response);
          this.#hasAnswered = true;
          return { response, body: await readBody(call, response, keys.known) };
        } catch (error) {
          if (error instanceof UnexpectedResponseError || error instanceof ConnectionError) throw error;
          const { method, path } = call;
          throw describeConnectionFailure(error, { method, path, host, keys: keys.known });
        }
      },
    );
    const requestId = response.headers.get(headerNames.requestId);
    const closing = requestId === null ? '' : ` (request id ${requestId})`;
    logger.debug(
      `${call.method} ${call.path}: ${response.status} in ${Math.round(clock.monotonicMs() - began)} ms${closing}`,
    );
    return readAnswer(call, response, body, keys.known);
  }

  /** A TLS port hangs up on plain HTTP. A server that has answered before is not one. */
  #isPerhapsTls(error: unknown): error is ConnectionError {
    const isClosed = error instanceof ConnectionError && error.fault === 'closed' && !hasAnswerBegun(error);
    return isClosed && !this.#hasAnswered && this.#settings.baseUrl.startsWith('http:');
  }
}

/** Also `final` if the request may have been carried out and is not idempotent. */
function verdictOn(error: unknown, call: Call): Verdict {
  const verdict = call.retriesProxyPages === true && isProxyAnswer(error) ? 'unknown' : judgeFailure(error);
  return verdict === 'unknown' && !call.isIdempotent ? 'final' : verdict;
}

function suspectTls(error: ConnectionError): ConnectionError {
  return new ConnectionError(`${error.message}; use https instead of http?`, error);
}
