import { isVisible } from '../../base/terminal-text.ts';
import { tailOfUtf8 } from '../../base/text.ts';
import { markAsCut } from '../../contract/result-cut.ts';
import { sizes, utf8Bytes } from '../../contract/sizes.ts';
import type { TextTail } from './text-tail.ts';

/** Room for the sentence on what was cut. */
export const noticeBytes = 128;

/** What was printed, as a result: whole when it is no longer than one may be. '' when only blanks are left of it. */
export function fitResult({ text, totalBytes }: TextTail): string {
  if (!isVisible(text)) return '';
  if (totalBytes <= sizes.resultBytes) return text;
  const kept = tailOfUtf8(text, sizes.resultBytes - noticeBytes);
  return markAsCut(kept, totalBytes - utf8Bytes(kept));
}
