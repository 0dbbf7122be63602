/** What a person sees of a text on GitHub: an agent is to read no more than that. */

/**
 * Characters without a picture: direction marks, tags, joiners, variation selectors, fillers, soft hyphens, private use. Tabs and line ends
 * stay.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it is for
const unseen = /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Co}\p{Cs}\u0000-\u0008\u000b-\u001f\u007f-\u009f]/gu;

/** The text without invisible characters, HTML comments and what else of HTML is never drawn; lines end with LF. */
export function visibleText(text: string): string {
  const lines = text.replace(/\r\n|[\r\u0085\u2028\u2029\v\f]/g, '\n');
  return withoutHidden(lines.replace(unseen, ''));
}

const hidden = [
  { start: '<!--', end: '-->' },
  { start: '<?', end: '?>' },
  { start: '<![CDATA[', end: ']]>' },
];

/** Each removed part leaves a blank, so that what stood around it does not become another. One that is not closed hides the rest if it begins a line. */
function withoutHidden(text: string): string {
  const kept: string[] = [];
  let from = 0;
  /** Of the parts that nothing closes any more: looked for once each, or a text of nothing but their starts takes seconds. */
  const open = new Set<string>();
  for (const { index } of text.matchAll(/<[!?]/g)) {
    if (index < from) continue;
    const part = hidden.find(({ start }) => text.startsWith(start, index));
    if (part === undefined) continue;
    const end = endOf(text, index, part, open);
    if (end === undefined) continue;
    kept.push(text.slice(from, index), ' ');
    from = end;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

function endOf(
  text: string,
  index: number,
  { start, end }: (typeof hidden)[number],
  open: Set<string>,
): number | undefined {
  // `<!-->` and `<!--->` are whole comments.
  const short = /^<!---?>/.exec(text.slice(index, index + 6));
  if (short !== null) return index + short[0].length;
  const found = open.has(end) ? -1 : text.indexOf(end, index + start.length);
  if (found !== -1) return found + end.length;
  open.add(end);
  return /(?:^|\n) {0,3}$/.test(text.slice(Math.max(0, index - 4), index)) ? text.length : undefined;
}
