import { tailOfUtf8 } from '../../base/text.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';

/** Keeps the end of a text up to the size limit of a result. */
export function fitResult({ text, leftOutBytes }: RunText): RunText {
  const end = tailOfUtf8(text, sizes.resultBytes);
  return { text: end, leftOutBytes: leftOutBytes + utf8Bytes(text) - utf8Bytes(end) };
}
