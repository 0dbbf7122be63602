/** Logs the server's own activity. Never a prompt, a body, a key or an agent's output. */
export type Log = (
  level: LogLevel,
  message: string,
  fields?: Readonly<Record<string, string | number | undefined>>,
) => void;
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

const ranks: Readonly<Record<LogLevel, number>> = { debug: 0, info: 1, warn: 2, error: 3 };

/** One line a message: time, level, text, `name=value` pairs. */
export function createLog(write: (line: string) => void, least: LogLevel = 'info'): Log {
  return (level, message, fields = {}) => {
    if (ranks[level] < ranks[least]) return;
    const pairs = Object.entries(fields).flatMap(([name, value]) =>
      value === undefined ? [] : [`${name}=${quoteValue(String(value))}`],
    );
    write([new Date().toISOString(), level, message, ...pairs].join(' '));
  };
}

function quoteValue(text: string): string {
  return /^[\w.:/@+-]+$/.test(text) ? text : JSON.stringify(text);
}
