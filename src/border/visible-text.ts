/** What a person can see of a text. */
import { withoutEscapes } from './terminal-text.ts';

/** Draws nothing in a terminal and in Markdown. Each part ends where it begins again, so the time is linear. */
const invisible =
  /<!--[\s\S]*?(?:-->|$)|<\/?(?:b|br|div|i|p|span)(?=[\s/>])[^<>]*>|&nbsp;|[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/giu;

/** Whether there is anything to see: an agent that answers `<!-- done -->`, or a program that only resets the colors, has said nothing. */
export function isVisible(text: string): boolean {
  return withoutEscapes(text).replace(invisible, '') !== '';
}

/** Direction marks, tags, joiners, variation selectors, fillers, soft hyphens, private use, halves of pairs, and controls but tabs and line feeds. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what this looks for
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\0-\x08\x0b-\x1f\x7f-\x9f]/gu;

/** HTML that GitHub never draws. */
const hidden = [
  { end: '-->', closed: /<!--(?:-?>|[\s\S]*?-->)/g, open: /^ {0,3}<!--[\s\S]*/m },
  { end: '?>', closed: /<\?[\s\S]*?\?>/g, open: /^ {0,3}<\?[\s\S]*/m },
  { end: ']]>', closed: /<!\[CDATA\[[\s\S]*?\]\]>/g, open: /^ {0,3}<!\[CDATA\[[\s\S]*/m },
];

/** What a person sees of a text on GitHub: an agent is to read no more than that. Lines end with LF. */
export function shownOnGitHub(text: string): string {
  let shown = text.replace(/\r\n|[\r\u0085\u2028\u2029\v\f]/g, '\n').replace(unseen, '');
  for (const { end, closed, open } of hidden) {
    // Nothing after the last end is closed, so an end is not looked for again and again. Each part leaves a space, which keeps its neighbors apart.
    const last = shown.lastIndexOf(end);
    const at = last < 0 ? 0 : last + end.length;
    shown = (shown.slice(0, at).replace(closed, ' ') + shown.slice(at)).replace(open, ' ');
  }
  return shown;
}
