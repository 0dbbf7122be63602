/**
 * The Markdown of summary and comment. Foreign text keeps its words and does nothing: it contains no markup or HTML
 * and loads nothing. A zero-width character breaks what GitHub detects in text (mentions, issues, addresses).
 */

import { terminalText } from '../../border/terminal-text.ts';
import { keepHead } from './budget.ts';
import { isKeyLike, keyWords } from './key-words.ts';

/** Keeps two characters from being read as one token. */
export const gap = '\u200b';

/** Quotes foreign text in one line, for a table cell or a sentence: no markup, mentions or links. */
export function quoteInline(text: string): string {
  return escapeLineStart(escapeText(terminalText(text).trim()));
}

/** No line of the text can close the fence. `language` must be a word of our own. */
export function fence(text: string, language = 'text'): string {
  const shown = terminalText(text).replace(/\n$/, '');
  const bar = '`'.repeat(Math.max(3, longestBackticks(shown) + 1));
  return `${bar}${language}\n${shown}\n${bar}`;
}

/**
 * Links an address with foreign text as its label. Anything but http and https stays text. In a comment, GitHub
 * notifies an issue that is linked like this, so use it only for our own or requested addresses.
 */
export function link(label: string, address: string): string {
  const target = readTarget(address);
  return target === undefined
    ? quoteInline(keepHead(address, { surface: 'logLine', room: shownUnits }))
    : `[${quoteInline(label)}](<${target}>)`;
}

/** Returns a link's target, `[label](<target>)`. Undefined for anything but a plain http or https address. */
export function readTarget(address: string): string | undefined {
  if (!/^https?:\/\//i.test(address) || address.length > targetUnits || !URL.canParse(address)) return undefined;
  const { href, username, password } = new URL(address);
  // Text before an @ looks like the host to a reader.
  if (username !== '' || password !== '') return undefined;
  return href.replace(/[\\|<>`&]/g, character =>
    character === '&' ? '&amp;' : `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

const targetUnits = 2048;
/** Limit for an address that is not a link. */
const shownUnits = 300;

/**
 * Escapes a text within a line so that every character is shown. Line ends become spaces. Words that may be keys stay
 * unchanged, because the runner masks them in the summary only letter by letter. If such a word would need escaping,
 * it becomes code.
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

/** Breaks what GitHub detects in any text: mentions, issues and addresses. */
export function breakReferences(text: string): string {
  return text.replace(/[@＠﹫]|(?:#|GH-)(?=\d|$)|:(?=\/\/)|www(?=\.)/gi, `$&${gap}`);
}

function escapePlain(text: string): string {
  return (
    breakReferences(text)
      // Next to code it would become a formula.
      .replace(/^\$|\$$/g, `${gap}$&${gap}`)
      .replace(/[\\`*[\]~!$#]/g, '\\$&')
      // Inside a word it is not emphasis.
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

/** Escapes the start of a line, so that it begins no block and no command for another program that reads comments. */
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
