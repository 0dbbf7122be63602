/**
 * Text of an agent, a service or a person on its way to a terminal, a page or a line. A terminal obeys escape sequences (titles, the clipboard, what
 * it answers as if it were typed), and control and direction characters hide or reverse the text next to them: none of them passes.
 */

/** CSI; OSC and the other strings up to their end in the same line; every other sequence. Each part stops at the next ESC, so the time is linear. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with a control character
const escapeSequences = /\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]*[0-~])/g;

/** All but tabs and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** The text without escape sequences. Node's own stripVTControlCharacters takes seconds for 64 KiB of sequences that do not end. */
export function withoutEscapes(text: string): string {
  return text.replace(escapeSequences, '');
}

/** What a program wrote for a terminal, as it would look there: without escape sequences, and with the last drawing of a line that was drawn again and again. */
export function drawnText(text: string): string {
  return withoutEscapes(text).split('\n').map(keepLastDrawing).join('\n');
}

/** The drawn text with its lines and tabs and nothing else that a terminal obeys. */
export function terminalText(text: string): string {
  return drawnText(text.toWellFormed()).replace(controls, '');
}

/** A text within a line of our own: its lines become one, and nothing of it is left out. */
export function terminalLine(text: string): string {
  return terminalText(text.replace(/(?<![\r\n])[\r\n]+$/, '').replace(/[\r\n\u2028\u2029]+/g, ' '));
}

/** Words of others within a line of our own, with a space for what a terminal or a log obeys. Nothing else is left out, because an error shows what came. */
export function plainLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu, ' ');
}

/** What a person wrote, with nothing taken away: a control or direction character becomes its Unicode picture or its number (`␛`, `[U+202E]`). */
export function revealControls(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(controls, printControl);
}

/** JSON that means the same and that no terminal obeys. JSON itself escapes the controls below U+0020 only. */
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

/** A CRLF counts as one line end. */
function keepLastDrawing(drawings: string): string {
  const line = drawings.replace(/\r$/, '');
  return line.includes('\r') ? (line.split('\r').findLast(drawing => drawing !== '') ?? '') : line;
}
