export const logLevels = ['off', 'error', 'warn', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];

/** Where the client's lines go; `console` and the common logging packages fit. No line holds a prompt, a body or a key. */
export interface Logger {
  error(message: string): void;
  warn(message: string): void;
  info(message: string): void;
  debug(message: string): void;
}

/** Passes on the lines up to `level`. */
export function createLogger(target: Logger, level: LogLevel): Logger {
  const limit = logLevels.indexOf(level);
  const lend = (name: Exclude<LogLevel, 'off'>) => (message: string) => {
    if (logLevels.indexOf(name) <= limit) target[name](`agent-run: ${message}`);
  };
  return { error: lend('error'), warn: lend('warn'), info: lend('info'), debug: lend('debug') };
}

export function isLogLevel(word: string): word is LogLevel {
  return logLevels.some(level => level === word);
}
