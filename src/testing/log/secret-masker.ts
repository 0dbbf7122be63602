/**
 * The secrets of a job, and their absence in everything that is shown. As in the real runner a value of several lines is hidden
 * as a whole and line by line, because a log arrives by lines. The real one also hides encoded forms of a value (base64,
 * percent-encoding); this one shows them, so that a test sees what leaks.
 */
export class SecretMasker {
  readonly #secrets = new Set<string>();

  /** Hides `value` from now on; what was already shown stays shown. Blank values hide nothing. */
  add(value: string): void {
    if (value.trim() === '') return;
    this.#secrets.add(value);
    for (const line of value.split(/[\r\n]+/)) if (line.trim() !== '') this.#secrets.add(line.trim());
  }

  /** `text` with `***` in place of every secret; secrets that overlap or touch become one. */
  mask(text: string): string {
    let shown = '';
    let end = -1;
    for (const span of this.#findSpans(text)) {
      if (span.start > end) shown += `${text.slice(Math.max(end, 0), span.start)}***`;
      end = Math.max(end, span.end);
    }
    return shown + text.slice(Math.max(end, 0));
  }

  #findSpans(text: string): readonly Span[] {
    const spans: Span[] = [];
    for (const secret of this.#secrets)
      for (let start = text.indexOf(secret); start >= 0; start = text.indexOf(secret, start + 1))
        spans.push({ start, end: start + secret.length });
    return spans.sort((a, b) => a.start - b.start);
  }
}

interface Span {
  readonly start: number;
  readonly end: number;
}
