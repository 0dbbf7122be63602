/**
 * Text of an agent or a server on its way to a terminal. A terminal obeys escape sequences (titles, the clipboard, what it answers as if it
 * were typed), and control and direction characters hide or turn round what stands beside them: none of it is left.
 */
import { tailOfUtf8 } from './text.ts';

/** CSI; OSC and the other strings up to their end in the same line; every other sequence. Each part stops at the next ESC, so the time is linear. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const escapeSequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;

/** All but tabs and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** The text without escape sequences. Node's own stripVTControlCharacters takes seconds for 64 KiB of sequences that do not end. */
export function withoutEscapes(text: string): string {
  return text.replace(escapeSequences, '');
}

/** How far before a cut an escape sequence that it falls into is looked for, in UTF-16 units. Only what a string holds, such as a picture, is longer. */
export const escapeUnits = 64 * 1024;

/** The place to cut a text at: `at`, or the end of the escape sequence that it is within, of which the rest would be taken for text. */
export function skipEscape(text: string, at: number): number {
  // No sequence goes on in the next line.
  const start = Math.max(at - escapeUnits, text.lastIndexOf('\n', at - 1) + 1, 0);
  if (at <= start || !text.slice(start, at).includes('\x1b')) return at;
  for (const { 0: sequence, index } of text.slice(start, at + escapeUnits).matchAll(escapeSequences)) {
    if (start + index >= at) break;
    if (start + index + sequence.length > at) return start + index + sequence.length;
  }
  return at;
}

/** An escape sequence whose end is still to come. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const begunEscape = /\x1b(?:\[[0-?]*[ -/]*|[\]PX^_][^\x07\x1b\n]*\x1b?|[ -/]*)$/;

/** Of a text that goes on: without the escape sequence that its end is within, of which the beginning would be taken for text. */
export function withoutBegunEscape(text: string): string {
  const start = Math.max(0, text.length - escapeUnits);
  const index = begunEscape.exec(text.slice(start))?.index;
  return index === undefined ? text : text.slice(0, start + index);
}

/** The longest end of `text` that fits in `maxBytes` of UTF-8 and begins neither within a character nor within an escape sequence. */
export function tailOfTerminalText(text: string, maxBytes: number): string {
  const tail = tailOfUtf8(text, maxBytes);
  const at = text.length - tail.length;
  return tail.slice(skipEscape(text, at) - at);
}

/** What a program wrote for a terminal, as it would stand there: escape sequences are gone, and of a line that was drawn again and again the last drawing stays. */
export function drawnText(text: string): string {
  return withoutEscapes(text).split('\n').map(keepLastDrawing).join('\n');
}

/** The drawn text with its lines and tabs and nothing else that a terminal obeys. */
export function terminalText(text: string): string {
  return drawnText(text).replace(controls, '');
}

/**
 * Whether anything of a text can be seen: neither blank nor without width, no part of an escape sequence, and not in Markdown's comments or an empty fence. A program
 * that only sets the cursor free says nothing, and neither does `<!-- done -->`.
 */
export function isVisible(text: string): boolean {
  const drawn = withoutEscapes(text);
  for (let at = 0; ; ) {
    visible.lastIndex = at;
    const next = visible.exec(drawn)?.index;
    if (next === undefined) return false;
    if (drawn.startsWith('<!--', next)) {
      const end = drawn.indexOf('-->', next + '<!'.length);
      if (end === -1) return false;
      at = end + '-->'.length;
    } else {
      emptyFence.lastIndex = next;
      if (!emptyFence.test(drawn)) return true;
      at = emptyFence.lastIndex;
    }
  }
}

/** The three at the end are pictures of nothing: a Braille cell without dots, a note without a head, a filler. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]/gu;
/** With its end: a line like `~~~ done ~~~` by itself is what a program prints. Each part can end in one place only, so the time is linear. */
const emptyFence = /(`{3,}(?!`)|~{3,}(?!~))[ \t]*[\w+-]*[ \t]*\n\s*\1[`~]*[ \t]*(?:\n|$)/y;

/** A text within a line of our own: its lines become one, and nothing of it is left out. */
export function terminalLine(text: string): string {
  return terminalText(text.replace(/(?<![\r\n])[\r\n]+$/, '').replace(/[\r\n]+/g, ' '));
}

/**
 * Words of others within a line of our own, with a blank, or what is given, for what a terminal or a log obeys. Nothing is left out, for an error shows
 * what came.
 */
export function plainLine(text: string, instead = ' '): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, instead);
}

/** JSON that means the same and that no terminal obeys. JSON itself escapes the controls below U+0020 only. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value).replace(
    controls,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** An end of CR and LF is an end like any other. */
function keepLastDrawing(drawings: string): string {
  const line = drawings.replace(/\r$/, '');
  return line.includes('\r') ? (line.split('\r').findLast(drawing => drawing !== '') ?? '') : line;
}
