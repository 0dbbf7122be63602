import { createRedactor, type Redactor } from '../../border/secrets.ts';

/**
 * The secrets of a job. As in the real runner a value of several lines is masked as a whole and line by line, because a log arrives by lines. The
 * real one also masks encoded forms of a value (base64, percent-encoding). This one shows them, so that a test sees what leaks.
 */
export class SecretMasker {
  readonly #secrets = new Set<string>();
  #redactor: Redactor | undefined;

  /** Masks `value` from now on; what was already shown stays shown. Blank values mask nothing. */
  add(value: string): void {
    if (value.trim() === '') return;
    this.#secrets.add(value);
    for (const line of value.split(/[\r\n]+/)) if (line.trim() !== '') this.#secrets.add(line.trim());
    this.#redactor = undefined;
  }

  /** `text` with `***` in place of every secret; secrets that overlap or touch become one. */
  mask(text: string): string {
    this.#redactor ??= createRedactor(this.#secrets, secret => [secret]);
    return this.#redactor.redact(text);
  }
}
