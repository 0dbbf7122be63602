/**
 * Redaction of long text that leaves time for other work. A caller chooses the secrets and the program its output, so
 * both can be chosen to take long.
 */
import { Turns } from '../base/turns.ts';
import type { Redactor } from './secrets.ts';

export interface SlicedStream {
  /** The text that can be shown so far, like that of `RedactedStream`. */
  push(text: string): Promise<string>;
  /** The rest. The stream can be used again afterwards. */
  end(): string;
}

const slowMs = 5;
const fastMs = 1;
/** Less than what a stream holds back gains nothing, because that is searched again for each slice. */
const leastCharacters = 256;
const firstCharacters = 16 * 1024;
/** The size of a chunk of output, so that ordinary output is not cut. */
const mostCharacters = 64 * 1024;
/** All streams share it. Otherwise those of many runs would add up. */
const turns = new Turns();

export function openSlicedStream(redactor: Redactor): SlicedStream {
  const stream = redactor.openStream();
  let characters = firstCharacters;
  /** Since the last turn. */
  let busyMs = 0;
  const pushSlice = (slice: string): string => {
    const startedAt = performance.now();
    const shown = stream.push(slice);
    const ms = performance.now() - startedAt;
    busyMs += ms;
    if (ms > slowMs) characters = Math.max(leastCharacters, characters / 2);
    else if (ms < fastMs && slice.length === characters) characters = Math.min(mostCharacters, characters * 2);
    return shown;
  };
  return {
    async push(text) {
      let shown = '';
      for (let at = 0; at < text.length; ) {
        const slice = text.slice(at, at + characters);
        at += slice.length;
        shown += pushSlice(slice);
        if (busyMs <= slowMs) continue;
        await turns.next();
        busyMs = 0;
      }
      return shown;
    },
    end: () => stream.end(),
  };
}
