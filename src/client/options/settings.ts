/** Merges options, environment and defaults. Only this file of the client reads the environment. */
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

/** Throws ConfigurationError, which names the option and the variable. */
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
    // Looked up at each call so that a later replacement is used. Called without a receiver, as browsers require.
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

/** Browser pages and web workers identify as Mozilla; Node, Deno, Bun and cloud workers do not. */
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

/**
 * Every variable counts as unset without `process` (browsers, some workers) or without permission to read it (Deno).
 */
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
