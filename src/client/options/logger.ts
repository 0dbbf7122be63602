import type { Redact } from '../../border/secrets.ts';
import { plainLine } from '../../border/terminal-text.ts';
import { ConfigurationError } from '../errors/errors.ts';

export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/**
 * Where the client's log lines go. `console` and common logging packages fit. No line contains a prompt, a body, a
 * header, a query or a key. If a method is missing, its lines go to `info`.
 */
export interface Logger {
  error(message: string): unknown;
  warn(message: string): unknown;
  info(message: string): unknown;
  debug(message: string): unknown;
}

/** Forwards lines up to `level`, redacted and on one line each. Errors thrown by the target are ignored. */
export function createLogger(target: Partial<Logger>, level: LogLevel, redact: Redact): Logger {
  const limit = logLevels.indexOf(level);
  if (![target.info, target.warn, target.error, target.debug].some(method => typeof method === 'function'))
    throw new ConfigurationError('logger must have at least one of the methods error, warn, info and debug');
  const lend = (name: Exclude<LogLevel, 'off'>) => (message: string) => {
    if (logLevels.indexOf(name) > limit) return;
    const line = plainLine(redact(`agent-run: ${message}`));
    const write = async () => (target[name] ?? target.info)?.call(target, line);
    write().catch(() => {});
  };
  return { error: lend('error'), warn: lend('warn'), info: lend('info'), debug: lend('debug') };
}

export function isLogLevel(word: string): word is LogLevel {
  return logLevels.some(level => level === word);
}
