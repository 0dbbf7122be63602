/**
 * Text on its way to the log of a step. The runner obeys lines that begin with `::` after blanks, and `##[` anywhere in a line; it ends a line at CR as
 * well as at LF. `action/host` passes every line through here, so that none of them is obeyed and all of them can be read.
 */
import { terminalText } from './terminal-text.ts';

/** One line that the runner does not obey. */
export function logLine(text: string): string {
  const line = terminalText(text.replace(/[\n\r\u0085\u2028\u2029\v\f]+/g, ' ')).replaceAll('##[', '##\u200b[');
  // A colon with nothing visible before it: which characters the runner skips depends on its version.
  const start = line.search(visible);
  return line[start] === ':' ? `${line.slice(0, start)}\u200b${line.slice(start)}` : line;
}

/** Every line of an untrusted text, each behind a bar. */
export function quoteLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/).map(line => `│ ${line}`);
}

/** One character, because a regular expression for many of them needs the whole stack. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;
