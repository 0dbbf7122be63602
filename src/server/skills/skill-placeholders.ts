import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { RunFailure } from '../run-failure.ts';

/** A skill may name its prompt often; what comes of that has an end. */
const filledBytesMax = 4 * sizes.promptBytes;

/**
 * Groups: a backslash that takes the meaning away; the N of `$ARGUMENTS[N]`; `$ARGUMENTS` alone; the N of `$N`, where it is no part of a word, of a number
 * or of an amount such as $1,000.
 */
const placeholder =
  /(\\)?(?:\$ARGUMENTS\[(\d{1,3})\]|(\$ARGUMENTS)(?![A-Za-z0-9_])|(?<![\w$])\$(\d{1,2})(?![\w]|[.,]\d))/g;
const fence = /^[ \t]*(?:[-*+>][ \t]+|\d+[.)][ \t]+)*(`{3,}|~{3,})/;

/**
 * Puts a prompt into the text of a skill: `$ARGUMENTS` is all of it, `$ARGUMENTS[N]` and `$N` are its words from 0. What the prompt does not have
 * stays as it is, as does `$N` in a fenced block, where it is the shell's own. Throws RunFailure when that grows beyond 4 MB.
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

/** The words of a text, apart by blanks. Quotes around a word hold what is between them together and are taken off; any others are part of their word. */
function splitWords(text: string): readonly string[] {
  const word = /"([^"]*)"(?!\S)|'([^']*)'(?!\S)|(\S+)/g;
  return [...text.matchAll(word)].map(([, double, single, plain]) => double ?? single ?? plain ?? '');
}
