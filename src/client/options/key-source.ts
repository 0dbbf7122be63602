/**
 * The source of a request's key: a string, or a function. Concurrent requests share one call of the function. Its key
 * is kept until shortly before it expires by the monotonic clock.
 */
import { messageOf } from '../../base/cause.ts';
import type { Clock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { ApiKeyError } from '../errors/errors.ts';
import { KnownKeys } from './known-keys.ts';

export interface ApiKeyAnswer {
  readonly key: string;
  /**
   * How long the key is valid from now. A duration, because the clocks of two machines differ. @default until the
   * server refuses it
   */
  readonly expiresInMs?: number | undefined;
}

/**
 * Returns the key to send. Called for the first request, before the key expires, and after a 401. It must not use the
 * client it belongs to: that request would wait for this key until it times out.
 */
export type ApiKeyFunction = () => string | ApiKeyAnswer | Promise<string | ApiKeyAnswer>;

/** A key is renewed after nine tenths of its life, and at most this long before it expires. */
const longestMarginMs = 60_000;

export class KeySource {
  readonly known = new KnownKeys();
  readonly #ask: ApiKeyFunction | undefined;
  readonly #clock: Clock;
  #key: string | undefined;
  #dueMs = Number.POSITIVE_INFINITY;
  #expiresAtMs = Number.POSITIVE_INFINITY;
  #asking: Promise<string> | undefined;

  constructor(given: string | ApiKeyFunction, clock: Clock) {
    this.#clock = clock;
    if (typeof given === 'function') this.#ask = given;
    else this.#keep(given);
  }

  /** Throws ApiKeyError. */
  current(): string | Promise<string> {
    const key = this.#key;
    if (key === undefined) return this.#renew();
    const now = this.#clock.monotonicMs();
    if (now < this.#dueMs) return key;
    const next = this.#renew();
    // The key is still valid during the margin, so requests neither wait for the function nor fail with it.
    return now < this.#expiresAtMs ? key : next;
  }

  /** A key to replace the refused one; undefined if there is no other. Throws ApiKeyError. */
  async replace(refused: string): Promise<string | undefined> {
    if (this.#ask === undefined) return undefined;
    if (this.#key === refused) this.#key = undefined;
    const key = this.#key ?? (await this.#renew());
    return key === refused ? undefined : key;
  }

  /** Lets the next request call the function again after one timed out waiting for it. */
  forget(): void {
    this.#asking = undefined;
  }

  #renew(): Promise<string> {
    if (this.#asking !== undefined) return this.#asking;
    const beganMs = this.#clock.monotonicMs();
    const asking = this.#askFunction().then(
      ({ key, expiresInMs = Number.POSITIVE_INFINITY }) => {
        this.known.add(key);
        if (this.#asking !== asking) return key;
        this.#asking = undefined;
        this.#keep(key);
        this.#expiresAtMs = beganMs + expiresInMs;
        this.#dueMs = this.#expiresAtMs - Math.min(longestMarginMs, expiresInMs / 10);
        return key;
      },
      error => {
        if (this.#asking === asking) this.#asking = undefined;
        throw error;
      },
    );
    // Callers handle the rejection. This handler covers the case that none is left.
    asking.catch(() => {});
    this.#asking = asking;
    return asking;
  }

  async #askFunction(): Promise<ApiKeyAnswer> {
    // Wait until `#asking` is set: the function may call this same client.
    await undefined;
    let given: unknown;
    try {
      given = await this.#ask?.();
    } catch (error) {
      throw new ApiKeyError(`the apiKey function failed: ${this.known.redact(messageOf(error))}`, {
        retryable: true,
        cause: this.known.redactCause(error),
      });
    }
    const answer = isObject(given) ? given : { key: given };
    if (isKey(answer.key) && isLife(answer.expiresInMs)) return { key: answer.key, expiresInMs: answer.expiresInMs };
    throw new ApiKeyError(
      `the apiKey function failed: it must return a key of visible ASCII characters or { key, expiresInMs }, not ${
        isKey(answer.key) ? 'another expiresInMs' : 'another value'
      }`,
      { retryable: false },
    );
  }

  #keep(key: string): void {
    this.#key = key;
    this.known.add(key);
  }
}

/** Whether a header can carry the text. */
export function isKey(text: unknown): text is string {
  return typeof text === 'string' && /^[\x21-\x7e]+$/.test(text);
}

function isLife(ms: unknown): ms is number | undefined {
  return ms === undefined || (typeof ms === 'number' && ms > 0);
}
