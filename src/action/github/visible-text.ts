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
  for (const { index } of text.matchAll(/<[!?]/g)) {
    if (index < from) continue;
    const part = hidden.find(({ start }) => text.startsWith(start, index));
    if (part === undefined) continue;
    const end = endOf(text, index, part);
    if (end === undefined) continue;
    kept.push(text.slice(from, index), ' ');
    from = end;
  }
  kept.push(text.slice(from));
  return kept.join('');
}

function endOf(text: string, index: number, { start, end }: (typeof hidden)[number]): number | undefined {
  // `<!-->` and `<!--->` are whole comments.
  const short = /^<!---?>/.exec(text.slice(index, index + 6));
  if (short !== null) return index + short[0].length;
  const found = text.indexOf(end, index + start.length);
  if (found !== -1) return found + end.length;
  const lineStart = text.lastIndexOf('\n', index) + 1;
  return /^ {0,3}$/.test(text.slice(lineStart, Math.min(index, lineStart + 4))) ? text.length : undefined;
}
