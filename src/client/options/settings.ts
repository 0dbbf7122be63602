/** What a client works with: its options, what the environment adds, and the defaults. The client's only reader of the environment. */
import { type Clock, systemClock } from '../../base/clock.ts';
import { didYouMean } from '../../base/wording/nearest.ts';
import { ConfigurationError } from '../errors/errors.ts';
import type { Query } from '../http/request-url.ts';
import { type Credentials, type Environment, type GivenOptions, resolveCredentials } from './credentials.ts';
import { KeySource } from './key-source.ts';
import { createLogger, isLogLevel, type Logger, type LogLevel, logLevels } from './logger.ts';
import {
  type ClientOptions,
  checkOptions,
  clientNames,
  defaults,
  type Fetch,
  type FetchOptions,
  type HeaderValues,
} from './options.ts';

/** The options with everything filled in. */
export interface Settings extends Pick<Credentials, 'baseUrl' | 'baseUrlNote'> {
  readonly keys: KeySource;
  readonly fetch: Fetch;
  readonly timeoutMs: number;
  readonly totalTimeoutMs: number;
  readonly maxRetries: number;
  readonly onRetry: ClientOptions['onRetry'];
  readonly defaultHeaders: HeaderValues;
  readonly defaultQuery: Query;
  readonly fetchOptions: FetchOptions;
  readonly logger: Logger;
  readonly clock: Clock;
}

/** Throws ConfigurationError, naming the option and the variable. */
export function resolveOptions(options: GivenOptions): Settings {
  const environment = readEnvironment();
  checkOptions('the options of a client', options, clientNames);
  const { baseUrl, baseUrlNote, apiKey } = resolveCredentials(options, environment);
  if (typeof apiKey === 'string' && !(options.allowBrowser ?? defaults.allowBrowser)) refuseBrowser();
  const { clock = systemClock } = options;
  checkClock(clock);
  const keys = apiKey instanceof KeySource ? apiKey : new KeySource(apiKey, clock);
  const logLevel = readLogLevel(options.logLevel, environment);
  return {
    baseUrl,
    baseUrlNote,
    keys,
    // Looked up at each call, so that a fetch put in its place later is used, and called as a function of its own.
    fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
    timeoutMs: options.timeoutMs ?? defaults.timeoutMs,
    totalTimeoutMs: options.totalTimeoutMs ?? defaults.totalTimeoutMs,
    maxRetries: options.maxRetries ?? defaults.maxRetries,
    onRetry: options.onRetry,
    defaultHeaders: options.defaultHeaders ?? {},
    defaultQuery: options.defaultQuery ?? {},
    fetchOptions: options.fetchOptions ?? {},
    logger: createLogger(options.logger ?? console, logLevel, text => keys.known.redact(text)),
    clock,
  };
}

/** Throws ConfigurationError. */
function checkClock(clock: Clock): void {
  for (const name of ['now', 'monotonicMs', 'sleep'] as const)
    if (typeof clock?.[name] !== 'function') throw new ConfigurationError(`clock must have a method ${name}`);
}

/** Pages and their workers call themselves Mozilla; Node, Deno, Bun and the workers of a cloud do not. */
function refuseBrowser(): void {
  if (typeof navigator === 'undefined' || !navigator.userAgent?.startsWith('Mozilla/')) return;
  throw new ConfigurationError(
    'this is a browser, where every visitor can read the API key; send requests from your server, or set apiKey to a function that gets a short-lived key from it; allowBrowser uses the key anyway',
    { option: 'apiKey' },
  );
}

function readLogLevel(option: LogLevel | undefined, environment: Environment): LogLevel {
  const word = option ?? environment('AGENT_RUN_LOG') ?? defaults.logLevel;
  if (isLogLevel(word)) return word;
  const where = option === undefined ? 'AGENT_RUN_LOG' : 'logLevel';
  throw new ConfigurationError(
    `${where} must be one of ${logLevels.join(', ')}, not "${word}"${didYouMean(word, logLevels)}`,
  );
}

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
