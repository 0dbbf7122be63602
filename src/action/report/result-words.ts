/** Sentences about an incomplete result, the same in output, file, summary, comment and log. */
import type { Result } from './result.ts';

/** Accompanies the beginning of a result, so that it does not pass for the whole. */
export function noteOnPart({ cut }: Pick<Result, 'cut'>): string {
  return cut === undefined
    ? '(only the beginning of the result could be read from the server)'
    : `(the first ${cut.leftOutBytes} bytes of the result were not kept, and only the beginning of the rest could be read)`;
}

/** Returns a clause that tells where more is. `place` completes "the complete result is …". */
export function describeWhere({ cut }: Pick<Result, 'cut'>, place: string | undefined): string | undefined {
  if (cut === undefined) return place === undefined ? undefined : `the complete result is ${place}`;
  const { leftOutBytes, keptBytes } = cut;
  const kept = `only the last ${keptBytes} of ${leftOutBytes + keptBytes} bytes were kept`;
  return place === undefined ? kept : `${kept}; they are ${place}`;
}
