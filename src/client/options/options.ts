/** The options of a client and of a call, their defaults and their checks. */
import type { Clock } from '../../base/clock.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import { ConfigurationError } from '../errors/errors.ts';
import type { Query } from '../http/request-url.ts';
import type { ApiKeyFunction } from './key-source.ts';
import type { Logger, LogLevel } from './logger.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Headers as an object, as pairs, or as `Headers`. Undefined and null omit one. */
export type HeaderValues = Readonly<Record<string, string | null | undefined>> | HeaderPairs | Headers;
export type HeaderPairs = readonly (readonly [name: string, value: string | null | undefined])[];

const ownedNames = ['method', 'headers', 'body', 'signal', 'redirect'] as const;
type OwnedName = (typeof ownedNames)[number];

/** Options of `fetch` that the client does not set itself, including those of a single runtime. */
export type FetchOptions = Readonly<Omit<RequestInit, OwnedName>> & {
  readonly [name in OwnedName]?: undefined;
} & Readonly<Record<string, unknown>>;

export const defaults = Object.freeze({
  timeoutMs: 60_000,
  totalTimeoutMs: 600_000,
  maxRetries: 4,
  logLevel: 'warn',
  allowHttp: false,
  allowBrowser: false,
  toleranceMs: 300_000,
  notFoundGraceMs: 10_000,
  eventsGraceMs: 5_000,
} as const);

/** Options of the client and of every call. */
export interface CallOptions {
  /** Limit for one attempt, including its whole body. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** Limit for all attempts of a call, including the waits between them. @default 600_000 */
  readonly totalTimeoutMs?: number | undefined;
  /** Retries after the first attempt. A 429 response with a delay counts only against the total time. @default 4 */
  readonly maxRetries?: number | undefined;
  /** Called with the failure before each retry. */
  readonly onRetry?: ((failure: unknown) => void) | undefined;
  /**
   * Passed to `fetch` unchanged, such as `cache` or undici's `dispatcher`. Options of a call override the client's.
   */
  readonly fetchOptions?: FetchOptions | undefined;
}

export interface ClientOptions extends CallOptions {
  /**
   * Address of the service. `/api/v1` is added if it is missing. @default AGENT_RUN_BASE_URL, otherwise
   * OZ_API_BASE_URL
   */
  readonly baseUrl?: string | URL | undefined;
  /**
   * The key, or a function that returns it. The function is called again before the key expires and once after a 401.
   * @default AGENT_RUN_API_KEY, otherwise WARP_API_KEY
   */
  readonly apiKey?: string | ApiKeyFunction | undefined;
  /** Sends the requests. @default global `fetch` */
  readonly fetch?: Fetch | undefined;
  /** Headers for every request. */
  readonly defaultHeaders?: HeaderValues | undefined;
  /** Query parameters for every request. Those of a call override them. */
  readonly defaultQuery?: Query | undefined;
  /** An object with the methods of `console`, such as a pino or winston logger. @default console */
  readonly logger?: Partial<Logger> | undefined;
  /**
   * `off`, `error`, `warn`, `info` or `debug`. No line contains a prompt, a body, a header, a query or a key.
   * @default AGENT_RUN_LOG, otherwise 'warn'
   */
  readonly logLevel?: LogLevel | undefined;
  /** Measures time and waits. @default the system clock */
  readonly clock?: Clock | undefined;
  /** Allows sending the key over plain HTTP to another machine. @default false */
  readonly allowHttp?: boolean | undefined;
  /** Allows a fixed key in a browser, where every visitor can read it. @default false */
  readonly allowBrowser?: boolean | undefined;
}

/** Options of one call. They override those of the client. */
export interface RequestOptions extends CallOptions {
  /** Aborts the call with AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** Overrides the client's headers. Undefined removes one. */
  readonly headers?: HeaderValues | undefined;
  /**
   * Overrides the client's query. Arrays repeat the key, members of objects become `key[member]`, undefined is
   * omitted, null is sent empty.
   */
  readonly query?: Query | undefined;
}

const callNames = ['timeoutMs', 'totalTimeoutMs', 'maxRetries', 'onRetry', 'fetchOptions'] as const;
export const clientNames = [
  'baseUrl',
  'apiKey',
  'fetch',
  'defaultHeaders',
  'defaultQuery',
  'logger',
  'logLevel',
  'clock',
  'allowHttp',
  'allowBrowser',
  ...callNames,
] as const satisfies readonly (keyof ClientOptions)[];
export const requestNames = [
  'signal',
  'headers',
  'query',
  ...callNames,
] as const satisfies readonly (keyof RequestOptions)[];

/**
 * Throws ConfigurationError for an unknown name. A misspelled option would do nothing, and a misspelled filter would
 * list everything.
 */
export function checkNames(what: string, options: unknown, known: readonly string[], hint = ''): void {
  // Names the kind and not the value, which may be a key.
  if (!isPlain(options)) throw new ConfigurationError(`${what} must be an object, not ${nameKind(options)}`);
  const unknown = Object.keys(options).find(name => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(
      `${what}: unknown name ${JSON.stringify(unknown)}${didYouMean(unknown, known)}${hint}`,
    );
}

/**
 * Whether an object's own members hold all of its data. Serializing a Map, a Promise or a class instance would lose
 * some.
 */
export function isPlain(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  // Objects from other windows and contexts have another `Object`.
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameKind(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return `a ${value.constructor?.name ?? 'thing'}, which is not a plain object`;
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}

/** A test for a value, and words for what the value must be. */
type Kind = readonly [test: (value: unknown) => boolean, words: string];

const aNumber = (test: (value: number) => boolean, words: string): Kind => [
  value => typeof value === 'number' && test(value),
  words,
];
const aFunction: Kind = [value => typeof value === 'function', 'a function'];
const aText: Kind = [value => typeof value === 'string', 'a string'];
const aSwitch: Kind = [value => typeof value === 'boolean', 'a boolean'];
const anObject: Kind = [isPlain, 'an object'];
const aDuration = aNumber(ms => ms > 0, 'a number of milliseconds above 0');
const aCount = aNumber(count => Number.isSafeInteger(count) && count >= 0, 'a whole number, 0 or more');
const aSignal: Kind = [
  value => typeof (value as AbortSignal | null)?.addEventListener === 'function',
  'an AbortSignal, such as the `signal` of an AbortController',
];

/** Options of calls and of following. Other options are checked where they are read. */
const kinds: Readonly<Record<string, Kind>> = {
  fetch: aFunction,
  onRetry: aFunction,
  onRun: aFunction,
  onEvent: aFunction,
  onStatesOnly: aFunction,
  idempotencyKey: aText,
  source: aText,
  reason: aText,
  allowHttp: aSwitch,
  allowBrowser: aSwitch,
  defaultQuery: anObject,
  query: anObject,
  fetchOptions: anObject,
  signal: aSignal,
  maxRetries: aCount,
  after: aCount,
  timeoutMs: aDuration,
  totalTimeoutMs: aDuration,
  queueTimeoutMs: aDuration,
  runTimeoutMs: aDuration,
  stallTimeoutMs: aDuration,
  toleranceMs: aDuration,
  eventsGraceMs: aDuration,
  notFoundGraceMs: aNumber(ms => ms >= 0, 'a number of milliseconds, 0 or more'),
};

/** `checkNames`, plus the type of each value. Throws ConfigurationError, which shows numbers but no strings. */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  checkNames(what, options, known);
  for (const [name, value] of Object.entries(options)) {
    const [test, words] = kinds[name] ?? [];
    if (value === undefined || test === undefined || test(value)) continue;
    throw new ConfigurationError(
      `${name} must be ${words}, not ${typeof value === 'number' ? value : nameKind(value)}`,
    );
  }
  const { fetchOptions } = options as CallOptions;
  const owned = ownedNames.find(name => fetchOptions?.[name] !== undefined);
  if (owned !== undefined)
    throw new ConfigurationError(
      `fetchOptions must not contain "${owned}", which the client sets; pass signal and headers to a call, method and body to request`,
    );
}
