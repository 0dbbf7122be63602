import { createSecretHider, type SecretHider } from '../../base/secret-hider.ts';
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
  let hider: SecretHider | undefined;
  return {
    add(secret) {
      const added = masksOf(secret).filter(form => !forms.has(form));
      for (const form of added) forms.add(form);
      if (added.length > 0) hider = undefined;
      return added;
    },
    redact(text) {
      hider ??= createSecretHider([...forms]);
      return hider.hide(text);
    },
  };
}
