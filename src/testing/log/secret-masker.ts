import { createSecretHider, type SecretHider } from '../../base/secret-hider.ts';

/**
 * The secrets of a job, and their absence in everything that is shown. As in the real runner a value of several lines is hidden
 * as a whole and line by line, because a log arrives by lines. The real one also hides encoded forms of a value (base64,
 * percent-encoding); this one shows them, so that a test sees what leaks.
 */
export class SecretMasker {
  readonly #secrets = new Set<string>();
  #hider: SecretHider | undefined;

  /** Hides `value` from now on; what was already shown stays shown. Blank values hide nothing. */
  add(value: string): void {
    if (value.trim() === '') return;
    this.#secrets.add(value);
    for (const line of value.split(/[\r\n]+/)) if (line.trim() !== '') this.#secrets.add(line.trim());
    this.#hider = undefined;
  }

  /** `text` with `***` in place of every secret; secrets that overlap or touch become one. */
  mask(text: string): string {
    this.#hider ??= createSecretHider([...this.#secrets]);
    return this.#hider.hide(text);
  }
}
