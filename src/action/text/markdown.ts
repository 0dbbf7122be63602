/**
 * The Markdown channel of summary and comment: foreign text becomes text that says what it said and does nothing. It is no markup, no HTML, loads
 * nothing, and what GitHub finds in text by itself (mentions, issues, addresses) is broken by a character of no width.
 */

import { terminalText } from '../../border/terminal-text.ts';
import { keepHead } from './budget.ts';
import { isKeyLike, keyWords } from './key-words.ts';

/** Stands where two characters must not be read as one thing. */
export const gap = '\u200b';

/** A foreign text in one line, in a table cell or a sentence: no markup, no mention, no link. */
export function quoteInline(text: string): string {
  return escapeLineStart(escapeText(terminalText(text).trim()));
}

/** A foreign text of many lines in a fence that none of its lines can close. `language` has to be a word of our own. */
export function fence(text: string, language = 'text'): string {
  const shown = terminalText(text).replace(/\n$/, '');
  const bar = '`'.repeat(Math.max(3, longestBackticks(shown) + 1));
  return `${bar}${language}\n${shown}\n${bar}`;
}

/**
 * An address as a link with a foreign text as its label; anything but http and https stays text. In a comment GitHub tells an issue that is linked
 * like this, so it is for addresses that are ours or that were asked for.
 */
export function link(label: string, address: string): string {
  const target = readTarget(address);
  return target === undefined
    ? quoteInline(keepHead(address, { surface: 'logLine', room: shownUnits }))
    : `[${quoteInline(label)}](<${target}>)`;
}

/** What may stand between the brackets of a link, `[label](<here>)`; undefined for what is no plain address of http or https. */
export function readTarget(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || address.length > targetUnits || !URL.canParse(address)) return undefined;
  const { href, username, password } = new URL(address);
  // What stands before an @ looks like the host to a reader.
  if (username !== '' || password !== '') return undefined;
  return href.replace(/[\\|<>`&]/g, character =>
    character === '&' ? '&amp;' : `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const targetUnits = 2048;
/** Of an address that is no link. */
const shownUnits = 300;

/**
 * Text of which every character is shown as it is, within a line. Line ends become blanks. Words that may be keys are left as they are, for the
 * runner masks in the summary what it finds there letter by letter; where something in them would have to be escaped, they are code.
 */
export function escapeText(text: string): string {
  const line = text.replace(/\s+/g, blank => (/[^ \u00a0]/.test(blank) ? ' ' : blank));
  let escaped = '';
  let end = 0;
  for (const { 0: word, index } of line.matchAll(keyWords)) {
    if (!isKeyLike(word) || escapePlain(word) === word) continue;
    escaped += `${escapePlain(line.slice(end, index))}\`${word}\``;
    end = index + word.length;
  }
  return escaped + escapePlain(line.slice(end));
}

function escapePlain(text: string): string {
  return (
    text
      .replace(/[@＠﹫]/g, `$&${gap}`)
      .replace(/#(?=\d|$)/g, `#${gap}`)
      .replace(/GH-(?=\d|$)/gi, `$&${gap}`)
      .replace(/:(?=\/\/)/g, `:${gap}`)
      .replace(/www(?=\.)/gi, `$&${gap}`)
      // Beside code it would be a formula.
      .replace(/^\$|\$$/g, `${gap}$&${gap}`)
      .replace(/[\\`*[\]~!$#]/g, '\\$&')
      // Within a word it is no emphasis.
      .replace(/_+/g, (run, at: number, whole: string) =>
        isWithinWord(whole, at, run) ? run : run.replaceAll('_', '\\_'),
      )
      .replace(/[&<>|]/g, character => entities[character] ?? '')
  );
}

function isWithinWord(text: string, at: number, run: string): boolean {
  return (
    /[\p{L}\p{N}]$/u.test(text.slice(Math.max(0, at - 2), at)) &&
    /^[\p{L}\p{N}]/u.test(text.slice(at + run.length, at + run.length + 2))
  );
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '|': '&#124;' };

/** A line of escaped text that begins no block of its own, and no command for another program that reads comments. */
export function escapeLineStart(line: string): string {
  return line
    .replace(/^(?:[-+](?=\s|$)|[=:]|-(?=[-:=\s]*$))/, '\\$&')
    .replace(/^(\/[\w.+/=~-]*)(`?)/, (_, word: string, bar: string) =>
      isKeyLike(word) ? `\`${word}\`${bar === '' ? '' : gap + bar}` : `\\${word}${bar}`,
    )
    .replace(/^(\d{1,9})([.)])(?=\s|$)/, '$1\\$2');
}

export function longestBackticks(text: string): number {
  let longest = 0;
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length);
  return longest;
}
