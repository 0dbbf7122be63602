/** What is said of a result that is not whole, the same in output, file, summary, comment and log. */
import type { Result } from './result.ts';

/** Stands beside the beginning of a result wherever it is handed on, so that nobody takes it for the whole. */
export function noteOnPart({ cut }: Pick<Result, 'cut'>): string {
  return cut === undefined
    ? '(only the beginning of the result could be read from the server)'
    : `(the server did not keep the first ${cut.leftOutBytes} bytes of the result, and only the beginning of the rest could be read)`;
}

/** A clause on where there is more than is shown. `place` completes "the whole is …"; undefined where nobody knows. */
export function tellWhere({ cut }: Pick<Result, 'cut'>, place: string | undefined): string | undefined {
  if (cut === undefined) return place === undefined ? undefined : `the complete result is ${place}`;
  const { leftOutBytes, keptBytes } = cut;
  const kept = `the server kept only the last ${keptBytes} of ${leftOutBytes + keptBytes} bytes`;
  return place === undefined ? kept : `${kept}, which are ${place}`;
}
