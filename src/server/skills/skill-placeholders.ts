import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { RunFailure } from '../run-failure.ts';

/** A skill may repeat its prompt often, so the result is limited. */
const filledBytesMax = 4 * sizes.promptBytes;

/**
 * Groups: an escaping backslash; the N of `$ARGUMENTS[N]`; `$ARGUMENTS` alone; the N of `$N`, unless it is part of a
 * word, a number or an amount such as $1,000.
 */
const placeholder =
  /(\\)?(?:\$ARGUMENTS\[(\d{1,3})\]|(\$ARGUMENTS)(?![A-Za-z0-9_])|(?<![\w$])\$(\d{1,2})(?![\w]|[.,]\d))/g;
const fence = /^[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})/;

/**
 * Fills a prompt into the text of a skill: `$ARGUMENTS` is all of it, `$ARGUMENTS[N]` and `$N` are its words from 0.
 * Indexes beyond the prompt stay as they are. So does `$N` in a fenced block, where the shell uses it. Throws
 * RunFailure if the result exceeds 4 MB.
 */
export function fillPlaceholders(text: string, prompt: string): string {
  const whole = prompt.trim();
  const words = splitWords(whole);
  let bytes = utf8Bytes(text);
  let open: string | undefined;
  const fillLine = (line: string): string => {
    const [, marker] = fence.exec(line) ?? [];
    const isCode = open !== undefined;
    if (open === undefined) open = marker;
    else if (marker?.startsWith(open) && line.trim() === marker) open = undefined;
    return line.replace(placeholder, (all, backslash, index, isAll, short) => {
      if (short !== undefined && isCode) return all;
      if (backslash !== undefined) return all.slice(1);
      const value = isAll === undefined ? words[Number(index ?? short)] : whole;
      if (value === undefined) return all;
      bytes += utf8Bytes(value);
      if (bytes > filledBytesMax)
        throw new RunFailure(
          'invalid_request',
          `the skill names $ARGUMENTS so often that its text with the prompt in it is longer than ${filledBytesMax} bytes; name the prompt once, or make it shorter`,
        );
      return value;
    });
  };
  return text
    .split(/(?<=\n)/)
    .map(fillLine)
    .join('');
}

/**
 * Words of a text, separated by spaces. Quotes around a word keep its spaces and are removed. Other quotes are part
 * of their word.
 */
function splitWords(text: string): readonly string[] {
  const word = /"([^"]*)"(?!\S)|'([^']*)'(?!\S)|(\S+)/g;
  return [...text.matchAll(word)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}
