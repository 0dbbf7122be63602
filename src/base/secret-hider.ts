/** Takes secrets out of texts, in time by the length of the text: those who choose a secret and those who choose a text may be the same. */
import { createTextFinder } from './text-finder.ts';

/** Puts `***` in the place of secrets. */
export interface SecretHider {
  hide(text: string): string;
  /** For a text that comes in pieces, which may end within a secret: what may be the beginning of one waits for what follows. */
  openStream(): { push(text: string): string; end(): string };
}

const mask = '***';

/** Hides these texts wherever they stand; those that overlap or touch become one. */
export function createSecretHider(secrets: readonly string[]): SecretHider {
  const finder = createTextFinder(secrets);
  const openStream: SecretHider['openStream'] = () => {
    /** What waits, what of it is hidden, and whether what was shown last is a mask, which goes on with what is hidden next. */
    let [held, spans, isMasked, node]: [string, Span[], boolean, number] = ['', [], false, 0];
    const show = (end: number): string => {
      const shown: string[] = [];
      let at = 0;
      for (const span of spans) {
        if (span.start >= end) break;
        if (span.start > at) shown.push(held.slice(at, span.start));
        if (span.start > at || !isMasked) shown.push(mask);
        isMasked = true;
        at = Math.min(span.end, end);
      }
      if (at < end) {
        shown.push(held.slice(at, end));
        isMasked = false;
      }
      spans = spans.flatMap(span =>
        span.end > end ? [{ start: Math.max(0, span.start - end), end: span.end - end }] : [],
      );
      held = held.slice(end);
      return shown.join('');
    };
    return {
      push(text) {
        const from = held.length;
        held += text;
        node = finder.walk(node, held, from, (end, length) => addSpan(spans, { start: end - length, end }));
        return show(held.length - finder.begun(node));
      },
      end() {
        const rest = show(held.length);
        [isMasked, node] = [false, 0];
        return rest;
      },
    };
  };
  const hide = (text: string): string => {
    const stream = openStream();
    return stream.push(text) + stream.end();
  };
  return { hide, openStream };
}

interface Span {
  readonly start: number;
  readonly end: number;
}

/** Spans come by their ends; one takes in those before it that it overlaps or touches. */
function addSpan(spans: Span[], { start, end }: Span): void {
  let first = start;
  for (let last = spans.at(-1); last !== undefined && last.end >= first; last = spans.at(-1)) {
    first = Math.min(first, last.start);
    spans.pop();
  }
  spans.push({ start: first, end });
}
