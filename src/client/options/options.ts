/** What a client is made of: the options, their defaults, and what the environment adds. The client's only reader of the environment. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { didYouMean } from '../../base/nearest.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { type Credentials, resolveCredentials } from './credentials.ts';
import { createLogger, isLogLevel, type Logger, type LogLevel, logLevels } from './logger.ts';

export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** Headers by name; undefined leaves one out. */
export type HeaderValues = Readonly<Record<string, string | undefined>>;

/** Every default of the client. */
export const defaults = Object.freeze({
  timeoutMs: 60_000,
  totalTimeoutMs: 600_000,
  maxRetries: 4,
  logLevel: 'warn',
  allowHttp: false,
  /** Of following: */
  toleranceMs: 300_000,
  notFoundGraceMs: 10_000,
} as const);

/** What every call takes too. */
export interface CallOptions {
  /** One attempt, from the connection to the end of the body. @default 60_000 */
  readonly timeoutMs?: number | undefined;
  /** All attempts of one call with the waits between them. @default 600_000 */
  readonly totalTimeoutMs?: number | undefined;
  /** Repetitions after the first attempt. An answer that says when to come back (429) counts against the total time only. @default 4 */
  readonly maxRetries?: number | undefined;
  /** Told of a failure before the wait for the next attempt. */
  readonly onRetry?: ((failure: unknown) => void) | undefined;
}

export interface ClientOptions extends CallOptions {
  /** Address of the service. @default AGENT_RUN_BASE_URL, else OZ_API_BASE_URL; see credentials.ts */
  readonly baseUrl?: string | undefined;
  /** @default AGENT_RUN_API_KEY, else WARP_API_KEY; each only with its own address */
  readonly apiKey?: string | undefined;
  /** @default the platform's */
  readonly fetch?: Fetch | undefined;
  /** Sent with every request. */
  readonly defaultHeaders?: HeaderValues | undefined;
  /** @default console */
  readonly logger?: Logger | undefined;
  /** @default AGENT_RUN_LOG, else 'warn' */
  readonly logLevel?: LogLevel | undefined;
  /** Waits between attempts and polls go by it. @default the machine's */
  readonly clock?: Clock | undefined;
  /** Lets the key go over plain http to a host that is not this machine. @default false */
  readonly allowHttp?: boolean | undefined;
}

/** Options of one call; they go before those of the client. */
export interface RequestOptions extends CallOptions {
  /** Ends the call with AbortedError. */
  readonly signal?: AbortSignal | undefined;
  readonly headers?: HeaderValues | undefined;
}

/** The options with everything filled in. */
export interface Settings extends Credentials {
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  readonly onRetry: ClientOptions['onRetry'];
  readonly defaultHeaders: HeaderValues;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Throws ConfigurationError, naming the option and the variable. */
export function resolveOptions(options: ClientOptions): Settings {
  const environment = readEnvironment();
  checkCallOptions(options);
  return {
    ...resolveCredentials(options, environment),
    // Looked up at each call, so that a fetch put in its place later is used, and called as a function of its own.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    totalTimeoutMs: options.totalTimeoutMs ?? defaults.totalTimeoutMs,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    onRetry: options.onRetry,
    defaultHeaders: options.defaultHeaders ?? {},
    logger: createLogger(options.logger ?? console, readLogLevel(options.logLevel, environment)),
    clock: options.clock ?? systemClock,
  };
}

/** Throws ConfigurationError for a number that no timer or counter can take. */
export function checkCallOptions(options: CallOptions): void {
  for (const name of ['timeoutMs', 'totalTimeoutMs'] as const) checkDuration(name, options[name]);
  const { maxRetries } = options;
  if (maxRetries !== undefined && !(Number.isInteger(maxRetries) && maxRetries >= 0))
    throw new ConfigurationError(`maxRetries is ${maxRetries}; it takes a whole number from 0`);
}

/** Throws ConfigurationError unless `ms` is left out or a positive number of milliseconds. */
export function checkDuration(name: string, ms: number | undefined): void {
  if (ms !== undefined && !(ms > 0)) throw new ConfigurationError(`${name} is ${ms}; it takes milliseconds above 0`);
}

function readLogLevel(option: LogLevel | undefined, environment: Environment): LogLevel {
  const word = option ?? environment('AGENT_RUN_LOG') ?? defaults.logLevel;
  if (isLogLevel(word)) return word;
  const where = option === undefined ? 'AGENT_RUN_LOG' : 'logLevel';
  throw new ConfigurationError(
    `${where} takes one of ${logLevels.join(', ')}, not "${word}"${didYouMean(word, logLevels)}`,
  );
}

/** The value of a variable; a blank one counts as unset. */
export type Environment = (name: string) => string | undefined;

/** Nothing is set where there is no `process` (browsers, some workers) and where it may not be read (Deno without the permission). */
function readEnvironment(): Environment {
  return name => {
    try {
      const value = typeof process === 'undefined' ? undefined : process.env[name];
      return value === undefined || value.trim() === '' ? undefined : value;
    } catch {
      return undefined;
    }
  };
}
