import { isVisible } from '../../border/visible-text.ts';
import { type RunText, wholeText } from '../../contract/tables/run-text.ts';
import { fitResult } from '../store/fit-result.ts';
import type { TextTail } from './text-tail.ts';

/** Printed output as a result. Its text is '' if nothing visible was printed. */
export function takeResult({ text, totalBytes }: Pick<TextTail, 'text' | 'totalBytes'>): RunText {
  const kept = fitResult({ text, leftOutBytes: totalBytes - Buffer.byteLength(text) });
  return isVisible(kept.text) ? kept : wholeText('');
}
