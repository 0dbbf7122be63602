/**
 * Cuts API keys out of all that is shown: errors and lines of a log. What a server or a proxy echoes may be spelled in any way, so each
 * character is looked for as it is, escaped as in JSON and percent-encoded, and the key in base64 as well, wherever in a longer text it stood.
 */
import { isObject } from '../../base/json.ts';

/** What is shorter guards nothing, and cutting it out would maim every sentence. */
const shortestKey = 4;
/** Of a function that gives keys, the last ones are remembered. */
const keysKept = 8;

export class Secrets {
  #keys: readonly string[] = [];
  #pattern: RegExp | undefined;

  add(key: string): void {
    if (key.length < shortestKey || this.#keys.includes(key)) return;
    this.#keys = [key, ...this.#keys].slice(0, keysKept);
    this.#pattern = undefined;
  }

  clean(text: string): string {
    if (this.#keys.length === 0) return text;
    // The longest first: one key may begin with another.
    this.#pattern ??= new RegExp(
      this.#keys
        .toSorted((a, b) => b.length - a.length)
        .flatMap(spellingsOf)
        .join('|'),
      'gi',
    );
    return text.replace(this.#pattern, '***');
  }

  cleanHeaders(headers: Headers): Headers {
    const cleaned = new Headers();
    for (const [name, value] of headers) cleaned.append(this.clean(name), this.clean(value));
    return cleaned;
  }

  /** The thrown thing as it is, or a bare error in its place where it tells a key. */
  cleanCause(thrown: unknown): unknown {
    let told = '';
    let error = thrown;
    for (let depth = 0; depth < 5 && isObject(error); depth += 1) {
      told += `${error.message}\n${error.stack}\n`;
      error = error.cause;
    }
    return this.clean(told) === told ? thrown : new Error(this.clean(String(thrown)));
  }
}

function spellingsOf(key: string): readonly string[] {
  const encoded = [0, 1, 2].map(offset => {
    // Base64 makes four characters of three bytes; the first and the last of the key's own may depend on its neighbours.
    const text = btoa('\0'.repeat(offset) + key);
    return text.slice([0, 2, 3][offset], Math.floor(((offset + key.length) * 4) / 3));
  });
  return [key.replace(/\\+/g, '\\'), ...encoded].map(text => Array.from(text, spellCharacter).join(''));
}

/** JSON in JSON doubles its backslashes each time. Repetitions are bounded, or a body of backslashes would take for ever. */
function spellCharacter(character: string): string {
  const hex = character.charCodeAt(0).toString(16);
  const plain = `\\x${hex}|u00${hex}|%(?:25){0,3}${hex}`;
  if (character === '\\') return `(?:${plain}){1,64}`;
  const inAddresses = { '+': '|-', '/': '|_' }[character] ?? '';
  return `\\\\{0,15}(?:${plain}${inAddresses})`;
}
