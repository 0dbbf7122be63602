/**
 * Makes text safe for a step's log. The runner obeys lines that begin with `::` after spaces, and `##[` anywhere. It
 * ends lines at CR and LF. `action/host` passes every line through this file, so that the runner obeys none and shows
 * all.
 */
import { terminalText } from './terminal-text.ts';

/** One line that the runner does not obey. */
export function logLine(text: string): string {
  const line = terminalText(text.replace(/[\n\r\u0085\u2028\u2029\v\f]+/g, ' ')).replaceAll('##[', '##\u200b[');
  // Escapes a leading colon, whatever invisible characters precede it: the runner's version decides which ones it
  // skips.
  const start = line.search(visible);
  return line[start] === ':' ? `${line.slice(0, start)}\u200b${line.slice(start)}` : line;
}

/** The lines of an untrusted text, each after a bar. */
export function quoteLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/).map(line => `│ ${line}`);
}

/** Matches one character, because a repeated match can overflow the stack. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
