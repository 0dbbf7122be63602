/** Whether there is anything to see in a text, as a terminal and as Markdown show it: an agent or a program that says nothing has not answered. */
import { withoutEscapes } from './terminal-text.ts';

/**
 * Neither blank nor without width, no part of an escape sequence, and no markup that shows nothing: a comment, a script, an empty fence, `<br>`, `&nbsp;`, a link without
 * words. An image is something, for whoever does not load it shows where it is.
 * A program that only sets the cursor free says nothing, and neither does `<!-- done -->`.
 */
export function isVisible(text: string): boolean {
  const drawn = withoutEscapes(text);
  for (let at = 0; ; ) {
    visible.lastIndex = at;
    const next = visible.exec(drawn)?.index;
    if (next === undefined) return false;
    const end =
      skipComment(drawn, next) ??
      skipHidden(drawn, next) ??
      skipEntity(drawn, next) ??
      skipLink(drawn, next) ??
      skipMarkup(drawn, next);
    if (end === undefined) return true;
    at = end;
  }
}

/** The three at the end are pictures of nothing: a Braille cell without dots, a note without a head, a filler. */
const visible = /[^\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\u{1d159}\u{16fe4}]/gu;
/** With its end: a line like `~~~ done ~~~` by itself is what a program prints. Each part can end in one place only, so the time is linear: that is why there are no blanks behind a word that is not there. */
const emptyFence = /(`{3,}(?!`)|~{3,}(?!~))[ \t]*(?:[\w+-]+[ \t]*)?\n\s*\1[`~]*[ \t]*(?:\n|$)/y;
/** Of HTML's elements those that draw nothing themselves. */
const emptyTag =
  /<\/?(?:a|b|big|br|center|cite|code|del|div|em|font|i|ins|kbd|p|pre|s|small|span|strike|strong|sub|sup|tt|u|wbr)(?=[\s/>])[^<>]*>/iy;
/** Of elements whose text nobody draws. */
const hiddenTag = /<(script|style)(?=[\s>])[^<>]*>/iy;
const hiddenEnds = { script: /<\/script\s{0,200}>/gi, style: /<\/style\s{0,200}>/gi } as const;
const entity =
  /&(?:#(\d{1,7})|#x([\da-f]{1,6})|(?:nbsp|NonBreakingSpace|ensp|emsp|emsp13|emsp14|thinsp|hairsp|numsp|puncsp|MediumSpace|NoBreak|ZeroWidthSpace|Tab|NewLine|shy|zwj|zwnj|lrm|rlm));/iy;
/** A link, or a picture that has no address. Neither part can be longer, so that it is not looked for its end again and again. */
const link = /(?:!\[([^[\]]{0,200})\]\(\s{0,200}\)|\[([^[\]]{0,200})\]\([^()\n]{0,2000}\))/y;

/** Each of these gives the end of what begins at a place and shows nothing; undefined where nothing of the kind does. A comment without an end goes on to that of the text. */
function skipComment(text: string, at: number): number | undefined {
  if (!text.startsWith('<!--', at)) return undefined;
  const end = text.indexOf('-->', at + '<!'.length);
  return end === -1 ? text.length : end + '-->'.length;
}

/** One that is not closed is shown by some as it is. */
function skipHidden(text: string, at: number): number | undefined {
  const found = matchAt(hiddenTag, text, at);
  if (found === undefined) return undefined;
  const end = matchAt(hiddenEnds[found[1]?.toLowerCase() === 'style' ? 'style' : 'script'], text, at + found[0].length);
  return end && end.index + end[0].length;
}

function skipEntity(text: string, at: number): number | undefined {
  const found = matchAt(entity, text, at);
  if (found === undefined) return undefined;
  const [all, decimal, hexadecimal] = found;
  const point = decimal === undefined ? Number.parseInt(hexadecimal ?? '20', 16) : Number(decimal);
  return point > 0x10ffff || isVisible(String.fromCodePoint(point)) ? undefined : at + all.length;
}

function skipLink(text: string, at: number): number | undefined {
  const found = matchAt(link, text, at);
  return found === undefined || isVisible(found[1] ?? found[2] ?? '') ? undefined : at + found[0].length;
}

function skipMarkup(text: string, at: number): number | undefined {
  const found = matchAt(emptyTag, text, at) ?? matchAt(emptyFence, text, at);
  return found && at + found[0].length;
}

function matchAt(form: RegExp, text: string, at: number): RegExpExecArray | undefined {
  form.lastIndex = at;
  return form.exec(text) ?? undefined;
}
