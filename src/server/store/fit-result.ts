import { tailOfUtf8 } from '../../base/text.ts';
import { markAsCut } from '../../contract/result-cut.ts';
import { sizes, utf8Bytes } from '../../contract/sizes.ts';

interface FittedResult {
  readonly text: string;
  /** Undefined where all of it is kept. */
  readonly leftOutBytes: number | undefined;
}

/**
 * A result that is too long keeps its end, where agents put what counts, and says what is missing. `leftOutBefore` bytes of one that was cut on its
 * way here are missing already; what the text itself says of that is the agent's word.
 */
export function fitResult(text: string, leftOutBefore: number | undefined): FittedResult {
  const end = tailOfUtf8(text, sizes.resultBytes);
  const leftOutBytes = (leftOutBefore ?? 0) + utf8Bytes(text) - utf8Bytes(end);
  return leftOutBytes === 0 ? { text, leftOutBytes: undefined } : { text: markAsCut(end, leftOutBytes), leftOutBytes };
}
