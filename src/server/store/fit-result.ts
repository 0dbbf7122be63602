import { tailOfUtf8 } from '../../base/text.ts';
import { markAsCut, splitCut } from '../../contract/result-cut.ts';
import { sizes, utf8Bytes } from '../../contract/sizes.ts';

interface FittedResult {
  readonly text: string;
  /** Undefined where all of it is kept. */
  readonly leftOutBytes: number | undefined;
}

/**
 * A result that is too long keeps its end, where agents put what counts, and says what is missing. One that was cut on its way here may have grown
 * since: then the line tells of both cuts. A short text that begins with such a line is the agent's own.
 */
export function fitResult(text: string): FittedResult {
  const bytes = utf8Bytes(text);
  const { kept, leftOutBytes } = bytes > sizes.resultBytes / 2 ? splitCut(text) : { kept: text, leftOutBytes: 0 };
  if (bytes <= sizes.resultBytes) return { text, leftOutBytes: leftOutBytes === 0 ? undefined : leftOutBytes };
  const end = tailOfUtf8(kept, sizes.resultBytes);
  const missing = leftOutBytes + utf8Bytes(kept) - utf8Bytes(end);
  return { text: markAsCut(end, missing), leftOutBytes: missing };
}
