import { masksOf } from './masks.ts';

/** The secrets of a step, and their absence in what is shown where no runner masks: it does so in the log and the summary, and in no comment. */
export interface Redactor {
  /** Returns the forms of a secret that were not known before, the longest first. */
  add(secret: string): readonly string[];
  /** The text with `***` for each form of each secret; forms that overlap or touch become one. */
  redact(text: string): string;
}

export function createRedactor(): Redactor {
  const forms = new Set<string>();
  return {
    add(secret) {
      const added = masksOf(secret).filter(form => !forms.has(form));
      for (const form of added) forms.add(form);
      return added;
    },
    redact(text) {
      const found = [...forms].filter(form => text.includes(form));
      return found.length === 0 ? text : hide(text, found);
    },
  };
}

/** One pass a form and one over the text, however often a form occurs. */
function hide(text: string, forms: readonly string[]): string {
  const hidden = new Uint8Array(text.length);
  for (const form of forms) {
    let end = 0;
    for (let start = text.indexOf(form); start >= 0; start = text.indexOf(form, start + 1)) {
      hidden.fill(1, Math.max(start, end), start + form.length);
      end = start + form.length;
    }
  }
  const pieces: string[] = [];
  for (let start = 0; start < text.length; ) {
    const isHidden = hidden[start] === 1;
    const next = hidden.indexOf(isHidden ? 0 : 1, start);
    const end = next < 0 ? text.length : next;
    pieces.push(isHidden ? '***' : text.slice(start, end));
    start = end;
  }
  return pieces.join('');
}
