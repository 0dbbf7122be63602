/**
 * The log channel. The runner obeys lines that begin with `::` after blanks, and `##[` anywhere in a line; it ends a line at CR as well as at LF. Text of an
 * agent or a server reaches the log through here alone, so that none of it is obeyed and all of it can be read.
 */
import { drawnText } from '../../base/terminal-text.ts';
import { keepHead } from './budget.ts';

/** Every line of a foreign text, each behind a bar. */
export function guardLines(text: string): readonly string[] {
  return text.split(lineEnds).map(line => `│ ${disarm(line)}`);
}

/** A foreign text within a line of our own. */
export function guardLine(text: string): string {
  const line = disarm(text.replace(/[\n\r\u0085\u2028\u2029\v\f]+/g, ' '));
  // A colon that nothing visible stands before: which characters are blank is another question for every version of the runner.
  const start = line.search(visible);
  return line[start] === ':' ? `${line.slice(0, start)}\u200b${line.slice(start)}` : line;
}

/** A line for an annotation, which may hold words of others of any length. */
export function guardNote(text: string): string {
  return guardLine(keepHead(text, { surface: 'annotation' }));
}

/** The title of a group: one short line. */
export function guardTitle(text: string): string {
  return keepHead(guardLine(text), { surface: 'logLine', room: titleUnits });
}

const titleUnits = 200;

function disarm(line: string): string {
  return drawnText(line).replace(otherControls, '').replaceAll('##[', '##\u200b[');
}

const lineEnds = /\r\n|[\n\r\u0085\u2028\u2029\v\f]/;

/** One character, for the regular expressions of a long run of them need the whole stack. */
const visible = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** Everything that is no text, but tabs. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const otherControls = /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;
