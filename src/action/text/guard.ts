import { drawnText } from '../../base/terminal-text.ts';

/**
 * The log channel. The runner obeys lines that begin with `::` after blanks, and `##[` anywhere in a line; it ends a line at CR as well as at LF. Text of an
 * agent or a server reaches the log through here alone, so that none of it is obeyed and all of it can be read.
 */

/** Every line of a foreign text, each behind a bar. */
export function guardLines(text: string): readonly string[] {
  return text.split(/\r\n|[\n\r\u0085\u2028\u2029\v\f]/).map(line => `│ ${disarm(line)}`);
}

/** A foreign text within a line of our own. */
export function guardLine(text: string): string {
  return disarm(text.replace(/[\n\r\u0085\u2028\u2029\v\f]+/g, ' ')).replace(/^(\s*):/, '$1\u200b:');
}

function disarm(line: string): string {
  return drawnText(line).replace(otherControls, '').replaceAll('##[', '##\u200b[');
}

/** Everything that is no text, but tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const otherControls = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
