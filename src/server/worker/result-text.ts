import { isVisible } from '../../base/terminal-text.ts';
import { tailOfUtf8 } from '../../base/text.ts';
import { sizes, utf8Bytes } from '../../contract/sizes.ts';
import type { TextTail } from './text-tail.ts';

/** Room for the sentence on what was cut. */
export const noticeBytes = 128;

/** The end of a result whose first bytes were left out, with a first line that says so. */
export function markAsCut(text: string, cutBytes: number): string {
  return `[the first ${cutBytes} bytes of the result were cut]\n${text}`;
}

/** What was printed, as a result: whole when it is no longer than one may be. '' when only blanks are left of it. */
export function fitResult({ text, totalBytes }: TextTail): string {
  if (!isVisible(text)) return '';
  if (totalBytes <= sizes.resultBytes) return text;
  const kept = tailOfUtf8(text, sizes.resultBytes - noticeBytes);
  return markAsCut(kept, totalBytes - utf8Bytes(kept));
}
