/**
 * Sends requests: attempts with their deadlines, repeated as retry.ts says. p-retry takes no delay for a single attempt, so the wait is in
 * `onFailedAttempt`, by the client's clock, and p-retry's own delay is nought.
 */
import pRetry from 'p-retry';
import type { Clock } from '../../base/clock.ts';
import { version } from '../../base/version.ts';
import {
  ConfigurationError,
  ConnectionError,
  ConnectionTimeoutError,
  headlineOf,
  RateLimitError,
  UnexpectedResponseError,
} from '../errors/errors.ts';
import type { Logger } from '../options/logger.ts';
import { checkCallOptions, type HeaderValues, type RequestOptions, type Settings } from '../options/options.ts';
import { joinAddress } from './address.ts';
import { type Answer, type Expectation, readAnswer, readBody } from './answer.ts';
import { describeConnectionFailure } from './connection.ts';
import { pause, throwIfAborted, withDeadline } from './deadline.ts';
import { judgeFailure, retryDelayMs, serverDelayMs } from './retry.ts';

/** One call of the service. */
export interface Call extends Expectation, RequestOptions {
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Carrying it out twice does no harm, so it is repeated after a failure of unknown outcome. */
  readonly isIdempotent: boolean;
  /** Attempts made before this call, counted on in `X-Retry-Count`. */
  readonly earlierAttempts?: number | undefined;
}

interface Prepared {
  readonly url: string;
  readonly host: string;
  readonly headers: Headers;
  readonly body: string | undefined;
}

export class Transport {
  readonly #settings: Settings;
  #hasAnswered = false;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  get clock(): Clock {
    return this.#settings.clock;
  }

  get logger(): Logger {
    return this.#settings.logger;
  }

  get host(): string {
    return new URL(this.#settings.baseUrl).host;
  }

  /** `own` over the client's. */
  limits(own: RequestOptions): { timeoutMs: number; totalTimeoutMs: number; maxRetries: number } {
    return {
      timeoutMs: own.timeoutMs ?? this.#settings.timeoutMs,
      totalTimeoutMs: own.totalTimeoutMs ?? this.#settings.totalTimeoutMs,
      maxRetries: own.maxRetries ?? this.#settings.maxRetries,
    };
  }

  /** Tells the listener of the call, else the client's. */
  noteRetry(own: RequestOptions, failure: unknown): void {
    (own.onRetry ?? this.#settings.onRetry)?.(failure);
  }

  /** Throws ConfigurationError, AbortedError, ConnectionError, ApiError or UnexpectedResponseError. */
  async send(call: Call): Promise<Answer> {
    checkCallOptions(call);
    throwIfAborted(call.signal);
    const { clock, logger } = this.#settings;
    const request = this.#prepare(call);
    const { totalTimeoutMs, maxRetries } = this.limits(call);
    const began = clock.monotonicMs();
    const leftMs = (): number => totalTimeoutMs - (clock.monotonicMs() - began);
    // A query may be private, so neither errors nor lines name it.
    const named = { ...call, path: call.path.replace(/\?.*$/, '') };
    return await pRetry(attempt => this.#attempt(named, request, attempt - 1, leftMs()), {
      retries: maxRetries,
      minTimeout: 0,
      // A limit that says when to come back is no fault of the connection; the total time bounds it.
      shouldConsumeRetry: ({ error }) =>
        !(error instanceof RateLimitError && (serverDelayMs(error, clock.now()) ?? 0) >= 1000),
      onFailedAttempt: async ({ error, attemptNumber, retriesLeft }) => {
        const verdict = judgeFailure(error);
        if (verdict === 'final' || (verdict === 'unknown' && !call.isIdempotent)) throw error;
        const delayMs = retryDelayMs(error, attemptNumber - 1, clock.now());
        if (retriesLeft === 0 || delayMs >= leftMs()) throw this.#isPerhapsTls(error) ? suspectTls(error) : error;
        logger.info(`${headlineOf(error)}; again in ${Math.round(delayMs)} ms`);
        this.noteRetry(call, error);
        await pause(clock, delayMs, call.signal);
      },
    });
  }

  async #attempt(call: Call, request: Prepared, retry: number, leftMs: number): Promise<Answer> {
    const { apiKey, fetch, clock, logger } = this.#settings;
    const { timeoutMs, totalTimeoutMs } = this.limits(call);
    const { host } = request;
    const began = clock.monotonicMs();
    const headers = new Headers(request.headers);
    headers.set('X-Retry-Count', String(retry + (call.earlierAttempts ?? 0)));
    const onTimeout = (): Error => {
      const bound = timeoutMs <= leftMs ? `${timeoutMs} ms` : `${totalTimeoutMs} ms in total`;
      return new ConnectionTimeoutError(`${call.method} ${call.path}: ${host}: no whole answer in ${bound}`, {
        host,
        fault: 'timeout',
        neverLeft: false,
      });
    };
    const { response, body } = await withDeadline(
      { ms: Math.min(timeoutMs, leftMs), signal: call.signal, onTimeout },
      async signal => {
        try {
          const response = await fetch(request.url, {
            method: call.method,
            headers,
            body: request.body ?? null,
            redirect: 'manual',
            signal,
          });
          // A fetch that does not know signals answers late, when nobody waits any more.
          if (signal.aborted) await response.body?.cancel();
          this.#hasAnswered = true;
          return { response, body: await readBody(call, response) };
        } catch (error) {
          if (error instanceof UnexpectedResponseError) throw error;
          throw describeConnectionFailure(error, { method: call.method, path: call.path, host });
        }
      },
    );
    const answer = readAnswer(call, response, body, apiKey);
    logger.debug(
      `${call.method} ${call.path}: ${answer.status} in ${Math.round(clock.monotonicMs() - began)} ms${
        answer.requestId === undefined ? '' : ` (request id ${answer.requestId})`
      }`,
    );
    return answer;
  }

  /** A TLS port hangs up on plain http; a server of runs that does so has answered before. */
  #isPerhapsTls(error: Error): error is ConnectionError {
    const isClosed = error instanceof ConnectionError && error.fault === 'closed';
    return isClosed && !this.#hasAnswered && this.#settings.baseUrl.startsWith('http:');
  }

  #prepare(call: Call): Prepared {
    const { baseUrl, apiKey, defaultHeaders } = this.#settings;
    const url = joinAddress(baseUrl, call.path, call.query);
    const body = call.body === undefined ? undefined : JSON.stringify(call.body);
    const headers = createHeaders({
      'User-Agent': `agent-run/${version}`,
      Accept: call.as === 'text' ? 'text/plain' : 'application/json',
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': body === undefined ? undefined : 'application/json',
      ...defaultHeaders,
      ...call.headers,
    });
    return { url, host: new URL(url).host, headers, body };
  }
}

function suspectTls(error: ConnectionError): ConnectionError {
  return new ConnectionError(`${error.message}; is it https instead of http?`, error);
}

/** By the rules of HTTP (RFC 9110, 9.2.2). */
export function isIdempotent(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'].includes(method);
}

/** A later name wins, whatever its case. Throws ConfigurationError, which does not show the value: it may be a secret. */
function createHeaders(values: HeaderValues): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(values)) {
    try {
      if (value === undefined) headers.delete(name);
      else headers.set(name, value);
    } catch {
      throw new ConfigurationError(`the header ${JSON.stringify(name)} has a name or value that cannot be sent`);
    }
  }
  return headers;
}
