import { tailOfUtf8 } from '../../base/text.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes } from '../../contract/tables/sizes.ts';

/** Keeps the end of a text up to the size limit of a result. */
export function fitResult({ text, leftOutBytes }: RunText): RunText {
  const bytes = Buffer.byteLength(text);
  if (bytes <= sizes.resultBytes) return { text, leftOutBytes };
  const end = tailOfUtf8(text, sizes.resultBytes);
  return { text: end, leftOutBytes: leftOutBytes + bytes - Buffer.byteLength(end) };
}
