import { createRedactor, type Redactor } from '../../border/secrets.ts';

/**
 * The secrets of a job. Like the real runner, it masks a value of several lines as a whole and line by line, because
 * a log arrives by lines. The real one also masks encoded forms of a value (base64, percent-encoding). This one shows
 * them, so that a test sees leaks.
 */
export class SecretMasker {
  readonly #secrets = new Set<string>();
  #redactor: Redactor | undefined;

  /** Masks `value` from now on; earlier output stays as it is. Empty values mask nothing. */
  add(value: string): void {
    if (value.trim() === '') return;
    this.#secrets.add(value);
    for (const line of value.split(/[\r\n]+/)) if (line.trim() !== '') this.#secrets.add(line.trim());
    this.#redactor = undefined;
  }

  /** `text` with `***` in place of every secret. Secrets that overlap or touch become one. */
  mask(text: string): string {
    this.#redactor ??= createRedactor(this.#secrets, secret => [secret]);
    return this.#redactor.redact(text);
  }
}
