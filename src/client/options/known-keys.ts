import { redactLiterals } from '../../border/secrets.ts';

/** Redacting shorter strings would make sentences unreadable. */
const shortestKey = 4;
/** A key function may return a new key every few minutes, for months. */
const keysKept = 8;

/**
 * The API keys that a client has sent. A server or `fetch` may repeat them, so they are redacted in errors and log
 * lines.
 */
export class KnownKeys {
  /** Least recently used first. */
  readonly #keys = new Set<string>();

  add(key: string): void {
    if (key.length < shortestKey) return;
    this.#keys.delete(key);
    this.#keys.add(key);
    const [oldest] = this.#keys;
    if (this.#keys.size > keysKept && oldest !== undefined) this.#keys.delete(oldest);
  }

  redact(text: string): string {
    return redactLiterals(text, this.#keys);
  }

  redactHeaders(headers: Headers): Headers {
    return new Headers([...headers].map(([name, value]): [string, string] => [name, this.redact(value)]));
  }

  /** Returns `thrown`, or a redacted copy if the message or stack of it or of a cause contains a key. */
  redactCause(thrown: unknown): unknown {
    if (!(thrown instanceof Error)) return typeof thrown === 'string' ? this.redact(thrown) : thrown;
    const { name, message, stack = '', cause, code } = thrown as Error & { readonly code?: unknown };
    const shown = { message: this.redact(message), stack: this.redact(stack), cause: this.redactCause(cause) };
    if (shown.message === message && shown.stack === stack && shown.cause === cause) return thrown;
    return Object.assign(new Error(shown.message, { cause: shown.cause }), { name, stack: shown.stack, code });
  }
}
