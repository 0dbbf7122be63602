/** The options of a client and of a call, their defaults, and what is no value for them. */
import type { Clock } from '../../base/clock.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/nearest.ts';
import { ConfigurationError } from '../errors/errors.ts';
import type { Query } from '../http/address.ts';
import type { ApiKeyFunction } from './key-source.ts';
import type { Logger, LogLevel } from './logger.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Headers by name, as pairs, or as `Headers`; undefined and null omit one. */
export type HeaderValues = Readonly<Record<string, string | null | undefined>> | HeaderPairs | Headers;
export type HeaderPairs = readonly (readonly [name: string, value: string | null | undefined])[];

const ownedNames = ['method', 'headers', 'body', 'signal', 'redirect'] as const;
type OwnedName = (typeof ownedNames)[number];

/** Options of `fetch` that the client does not set itself, including those of a single runtime. */
export type FetchOptions = Readonly<Omit<RequestInit, OwnedName>> & {
  readonly [name in OwnedName]?: undefined;
} & Readonly<Record<string, unknown>>;

/** Every default of the client. */
export const defaults = Object.freeze({
  timeoutMs: 60_000,
  totalTimeoutMs: 600_000,
  maxRetries: 4,
  logLevel: 'warn',
  allowHttp: false,
  allowBrowser: false,
  /** Of following: */
  toleranceMs: 300_000,
  notFoundGraceMs: 10_000,
  eventsGraceMs: 5_000,
} as const);

/** Options of the client and of every call. */
export interface CallOptions {
  /** One attempt, to the last byte of the body. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** All attempts of a call, including the waits between them. @default 600_000 */
  readonly totalTimeoutMs?: number | undefined;
  /** Retries after the first attempt. A response that says when to retry (429) counts only against the total time. @default 4 */
  readonly maxRetries?: number | undefined;
  /** Called with the failure before each retry. */
  readonly onRetry?: ((failure: unknown) => void) | undefined;
  /** Passed to `fetch` as they are, such as `cache` or undici's `dispatcher`. Those of a call override the client's. */
  readonly fetchOptions?: FetchOptions | undefined;
}

export interface ClientOptions extends CallOptions {
  /** Address of the service; `/api/v1` is added if it is missing. @default AGENT_RUN_BASE_URL, otherwise OZ_API_BASE_URL */
  readonly baseUrl?: string | URL | undefined;
  /** The key, or a function that returns it. The function is called again before the key expires, and once more after a 401. @default AGENT_RUN_API_KEY, otherwise WARP_API_KEY */
  readonly apiKey?: string | ApiKeyFunction | undefined;
  /** Sends the requests. @default global `fetch` */
  readonly fetch?: Fetch | undefined;
  /** Sent with every request. */
  readonly defaultHeaders?: HeaderValues | undefined;
  /** Sent with every request; the query of a call overrides it. */
  readonly defaultQuery?: Query | undefined;
  /** An object with the methods of console, such as pino or winston. @default console */
  readonly logger?: Partial<Logger> | undefined;
  /** `off`, `error`, `warn`, `info` or `debug`. No line contains a prompt, a body, a header, a query or a key. @default AGENT_RUN_LOG, otherwise 'warn' */
  readonly logLevel?: LogLevel | undefined;
  /** Measures time and waits. @default the machine's */
  readonly clock?: Clock | undefined;
  /** Allows sending the key over plain http to another machine. @default false */
  readonly allowHttp?: boolean | undefined;
  /** Allows a text key in a browser, where every visitor can read it. @default false */
  readonly allowBrowser?: boolean | undefined;
}

/** Options of one call. They override those of the client. */
export interface RequestOptions extends CallOptions {
  /** Aborts the call with AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** Override the client's headers; undefined removes one. */
  readonly headers?: HeaderValues | undefined;
  /** Overrides the client's query. Arrays repeat the key, members of objects become `key[member]`, undefined is omitted, null is sent empty. */
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
/** What every call takes; single ones take more. */
export const requestNames = [
  'signal',
  'headers',
  'query',
  ...callNames,
] as const satisfies readonly (keyof RequestOptions)[];

/**
 * JavaScript lets everything through, and an option with a slip in its name would be passed over: a key would go elsewhere, a time-out would be none, a filter
 * would list everything. Throws ConfigurationError.
 */
export function checkNames(what: string, options: unknown, known: readonly string[], hint = ''): void {
  if (!isPlain(options))
    // What it is, not what it says: a key alone may stand there.
    throw new ConfigurationError(`${what} must be an object, not ${nameKind(options)}`);
  const unknown = Object.keys(options).find(name => !known.includes(name));
  if (unknown !== undefined)
    throw new ConfigurationError(
      `${what}: unknown name ${JSON.stringify(unknown)}${didYouMean(unknown, known)}${hint}`,
    );
}

/**
 * Whether all that an object says stands in members of its own. Those of maps, promises, patterns and classes stand elsewhere, and would be lost
 * without a word; the objects of other windows and contexts have another `Object`.
 */
export function isPlain(value: unknown): value is JsonObject {
  if (!isObject(value)) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === null || Object.getPrototypeOf(prototype) === null;
}

function nameKind(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  if (isObject(value)) return `a ${value.constructor?.name ?? 'thing'}, which is not a plain object`;
  return value === null || value === undefined ? String(value) : `a ${typeof value}`;
}

/** What the options are that take no number, and no text of a kind of its own. */
const kinds: Readonly<Record<string, 'function' | 'boolean' | 'object' | 'string'>> = {
  fetch: 'function',
  onRetry: 'function',
  onRun: 'function',
  onEvent: 'function',
  onStatesOnly: 'function',
  idempotencyKey: 'string',
  source: 'string',
  reason: 'string',
  allowHttp: 'boolean',
  allowBrowser: 'boolean',
  defaultQuery: 'object',
  query: 'object',
  fetchOptions: 'object',
};

/**
 * `checkNames`, and what the values are: the text 'false' of a variable would open what it is to keep shut, a query of another kind would be lost, and
 * null for a key would make two runs of one. Throws ConfigurationError.
 */
export function checkOptions(what: string, options: object, known: readonly string[]): void {
  checkNames(what, options, known);
  for (const [name, value] of Object.entries(options)) {
    const kind = kinds[name];
    if (kind === undefined || value === undefined) continue;
    if (kind === 'object' ? !isPlain(value) : typeof value !== kind)
      throw new ConfigurationError(`${name} must be ${kind === 'object' ? 'an' : 'a'} ${kind}, not ${nameKind(value)}`);
  }
}

/** Throws ConfigurationError for a number that no timer or counter can take, and for a signal that is none. */
export function checkCallOptions(options: CallOptions & { readonly signal?: AbortSignal | undefined }): void {
  for (const name of ['timeoutMs', 'totalTimeoutMs'] as const) checkDuration(name, options[name]);
  checkSignal(options.signal);
  const { maxRetries, fetchOptions } = options;
  const owned = ownedNames.find(name => fetchOptions?.[name] !== undefined);
  if (owned !== undefined)
    throw new ConfigurationError(
      `fetchOptions must not contain "${owned}", which the client sets; pass signal and headers to a call, method and body to request`,
    );
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new ConfigurationError(`maxRetries must be a whole number, 0 or more, not ${show(maxRetries)}`);
}

/** Throws ConfigurationError; an AbortController in its place is a common slip. */
export function checkSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined && typeof signal?.addEventListener !== 'function')
    throw new ConfigurationError('signal must be an AbortSignal, such as the `signal` of an AbortController');
}

/** Throws ConfigurationError unless `ms` is left out or a positive number of milliseconds. */
export function checkDuration(name: string, ms: number | undefined): void {
  if (ms !== undefined && !(typeof ms === 'number' && ms > 0))
    throw new ConfigurationError(`${name} must be a number of milliseconds above 0, not ${show(ms)}`);
}

/** A text is seen to be one; NaN is no null. */
function show(value: unknown): string {
  return typeof value === 'string' ? JSON.stringify(value) : String(value);
}
