import { tailOfUtf8 } from '../../base/text.ts';
import { isVisible } from '../../border/visible-text.ts';
import { sizes, utf8Bytes } from '../../contract/sizes.ts';
import type { RunEnding } from '../store/store.ts';
import type { TextTail } from './text-tail.ts';

/** Text of a program as a result. */
export interface ResultText {
  readonly text: string;
  /** What was left out of its beginning, in bytes of UTF-8. The text says nothing of it. */
  readonly leftOutBytes: number;
}

/** What was printed, as a result: whole when it is no longer than one may be, else its end. '' when nothing can be seen of it. */
export function fitResult({ text, totalBytes }: Pick<TextTail, 'text' | 'totalBytes'>): ResultText {
  const kept = tailOfUtf8(text, sizes.resultBytes);
  return isVisible(kept) ? { text: kept, leftOutBytes: totalBytes - utf8Bytes(kept) } : { text: '', leftOutBytes: 0 };
}

/** The ending with what its text lacks: a harness hands on one of these texts, or one of its own, which is whole. */
export function noteCut(ending: RunEnding, texts: readonly (ResultText | undefined)[]): RunEnding {
  const { resultText } = ending;
  const given = texts.find(text => text !== undefined && text.leftOutBytes > 0 && text.text === resultText);
  return given === undefined ? ending : { ...ending, resultLeftOutBytes: given.leftOutBytes };
}
