import { redactLiterals } from '../../border/secrets.ts';

/** Redacting something shorter would maim every sentence. */
const shortestKey = 4;
/** A function can give a new key every few minutes, for months. */
const keysKept = 8;

/** The API keys that a client has sent. They are replaced in its errors and log lines, where a server or `fetch` may repeat them. */
export class KnownKeys {
  /** The one used last is at the end. */
  readonly #keys = new Set<string>();

  /** Remembers a key that is about to be sent. */
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

  /** What was thrown, or a copy of it where its message or stack, or those of its causes, hold a key. */
  redactCause(thrown: unknown): unknown {
    if (!(thrown instanceof Error)) return typeof thrown === 'string' ? this.redact(thrown) : thrown;
    const { name, message, stack = '', cause, code } = thrown as Error & { readonly code?: unknown };
    const shown = { message: this.redact(message), stack: this.redact(stack), cause: this.redactCause(cause) };
    if (shown.message === message && shown.stack === stack && shown.cause === cause) return thrown;
    return Object.assign(new Error(shown.message, { cause: shown.cause }), { name, stack: shown.stack, code });
  }
}
