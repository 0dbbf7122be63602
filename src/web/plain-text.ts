/**
 * Text of a run is written by anybody. Escaping keeps it from becoming markup; this keeps it from hiding or turning round what stands
 * beside it: nothing invisible is left that a terminal or a browser would obey.
 */

import { drawnText } from '../base/terminal-text.ts';

// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const controls = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

/** What a person wrote, with nothing taken away: control and direction characters are made visible. */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll('\r', '\n').replace(controls, printControl);
}

/** What a program wrote for a terminal, drawn; what is left of controls is made visible. */
export function terminalText(text: string): string {
  return visibleText(drawnText(text));
}

/** The Unicode picture of a control character, or its number: `␛`, `[U+202E]`. */
function printControl(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(0x2400 + code);
  return code === 0x7f ? '␡' : `[U+${code.toString(16).toUpperCase().padStart(4, '0')}]`;
}
