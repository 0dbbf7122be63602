/** Finds the text that a person can see. */
import { withoutEscapes } from './terminal-text.ts';

/**
 * Text that neither a terminal nor Markdown shows. Each alternative stops where it could begin again, so matching
 * takes linear time.
 */
const invisible =
  /<!--[\s\S]*?(?:-->|$)|<\/?(?:b|br|div|i|p|span)(?=[\s/>])[^<>]*>|&nbsp;|[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/giu;

/** A visible character is usually found in the first characters, so more is looked at step by step. */
const lookedAt = [256, 4096, 65_536];

/**
 * Whether any text is visible. An agent that answers `<!-- done -->`, or a program that only resets colors, said
 * nothing.
 */
export function isVisible(text: string): boolean {
  // Faster than below, and long output of spaces is not rare.
  if (text.trim() === '') return false;
  const isSoonVisible = lookedAt.some(
    characters => characters < text.length && isStartVisible(text.slice(0, characters)),
  );
  return isSoonVisible || showsAny(withoutEscapes(text));
}

/** Whether the start of a text has a visible character, whatever follows. It may end inside a character. */
export function isStartVisible(start: string): boolean {
  // No escape sequence contains a line end. Half of a character would look like a visible one.
  const whole = start.includes('\x1b')
    ? start.slice(0, start.lastIndexOf('\n') + 1)
    : start.replace(/[\ud800-\udbff\ufffd]$/, '');
  const shown = withoutEscapes(whole);
  // A tag or an entity may continue after the start.
  const open = Math.max(shown.lastIndexOf('<'), shown.lastIndexOf('&'));
  return showsAny(open < 0 ? shown : shown.slice(0, open));
}

function showsAny(text: string): boolean {
  return text.replace(invisible, '') !== '';
}

/**
 * Direction marks, tags, joiners, variation selectors, fillers, soft hyphens, private use, lone surrogates, and all
 * control characters except tab and LF, and line separators, which only programs take for line ends.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const unseen = /[\u2028\u2029\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\0-\x08\x0b-\x1f\x7f-\x9f]/gu;

/** Whether a reader would not see all of a text's characters. */
export function hasUnseen(text: string): boolean {
  return text.search(unseen) >= 0;
}

/** HTML that GitHub never shows. */
const hidden = [
  { end: '-->', closed: /<!--(?:-?>|[\s\S]*?-->)/g, open: /^ {0,3}<!--[\s\S]*/m },
  { end: '?>', closed: /<\?[\s\S]*?\?>/g, open: /^ {0,3}<\?[\s\S]*/m },
  { end: ']]>', closed: /<!\[CDATA\[[\s\S]*?\]\]>/g, open: /^ {0,3}<!\[CDATA\[[\s\S]*/m },
];

/** The text that GitHub shows a person: an agent should not read more than that. Lines end with LF. */
export function shownOnGitHub(text: string): string {
  let shown = text.replace(/\r\n|[\r\u0085\u2028\u2029\v\f]/g, '\n').replace(unseen, '');
  for (const { end, closed, open } of hidden) {
    // Nothing after the last end marker is closed, so the search stops there. A space replaces each part to keep its
    // neighbors apart.
    const last = shown.lastIndexOf(end);
    const at = last < 0 ? 0 : last + end.length;
    shown = (shown.slice(0, at).replace(closed, ' ') + shown.slice(at)).replace(open, ' ');
  }
  return shown;
}
