import { createRedactor, type Redactor } from '../../border/secrets.ts';
import { createBareError, isFree } from './bare-error.ts';

/** What is shorter guards nothing, and redacting it would maim every sentence. */
const shortestKey = 4;
/** Of a function that gives keys, and of the headers of calls, the last ones are remembered. */
const keysKept = 8;

/** The API keys of a client, which no error and no log line shows. */
export class Secrets {
  /** The one used last is at the end. */
  readonly #keys = new Set<string>();
  #made: Redactor | undefined;

  /** Remembers a key that is about to be sent. */
  add(key: string): void {
    if (key.length < shortestKey) return;
    const isKnown = this.#keys.delete(key);
    this.#keys.add(key);
    if (isKnown) return;
    const [oldest] = this.#keys;
    if (this.#keys.size > keysKept && oldest !== undefined) this.#keys.delete(oldest);
    this.#made = undefined;
  }

  /** No key is known yet. */
  get isEmpty(): boolean {
    return this.#keys.size === 0;
  }

  redact(text: string): string {
    return this.isEmpty ? text : this.#redactor.redact(text);
  }

  /** For a text that may be cut within a key. */
  redactCut(text: string): string {
    return this.#redactor.redactCut(text);
  }

  redactHeaders(headers: Headers): Headers {
    const redacted = new Headers();
    for (const [name, value] of headers) redacted.append(this.redact(name), this.redact(value));
    return redacted;
  }

  /** What was thrown, or a bare error in its place if it may show a key. */
  redactCause(thrown: unknown): unknown {
    const redact = (text: string) => this.redact(text);
    return this.isEmpty || isFree(thrown, redact) ? thrown : createBareError(thrown, redact);
  }

  get #redactor(): Redactor {
    this.#made ??= createRedactor(this.#keys);
    return this.#made;
  }
}
