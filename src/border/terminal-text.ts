/**
 * Makes untrusted text safe for a terminal, a page or a line. Terminals obey escape sequences, which set titles,
 * write the clipboard or fake input. Control and direction characters hide or reverse nearby text. All of them are
 * removed.
 */

/**
 * CSI sequences; OSC and other strings up to their end in the same line; all other sequences. Each alternative stops
 * at the next ESC, so matching takes linear time.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const escapeSequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;

/** All except tab and LF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** Node's own stripVTControlCharacters takes seconds for 64 KiB of unterminated sequences. */
export function withoutEscapes(text: string): string {
  return text.replace(escapeSequences, '');
}

/** Terminal output as it would look: without escape sequences, and with the last version of each redrawn line. */
export function drawnText(text: string): string {
  return withoutEscapes(text).split('\n').map(keepLastDrawing).join('\n');
}

/** The drawn text with tabs and line breaks but no other control characters. */
export function terminalText(text: string): string {
  return drawnText(text.toWellFormed()).replace(controls, '');
}

/** The text in one line of this project's output. Line breaks become spaces. */
export function terminalLine(text: string): string {
  return terminalText(text.replace(/(?<![\r\n])[\r\n]+$/, '').replace(/[\r\n\u2028\u2029]+/g, ' '));
}

/**
 * Foreign text within a line of this project's output. Spaces replace control characters; everything else stays,
 * because an error shows what arrived.
 */
export function plainLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** A person's text in full. Control and direction characters become Unicode pictures or numbers (`␛`, `[U+202E]`). */
export function revealControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(controls, printControl);
}

/** Equivalent JSON that is safe for a terminal. JSON itself escapes only the control characters below U+0020. */
export function terminalJson(value: unknown): string {
  return JSON.stringify(value).replace(controls, character => `\\u${hexOf(character).padStart(4, '0')}`);
}

function printControl(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : `[U+${hexOf(character).toUpperCase().padStart(4, '0')}]`;
}

function hexOf(character: string): string {
  return character.charCodeAt(0).toString(16);
}

/** CRLF counts as one line break. */
function keepLastDrawing(drawings: string): string {
  const line = drawings.replace(/\r$/, '');
  return line.includes('\r') ? (line.split('\r').findLast(drawing => drawing !== '') ?? '') : line;
}
