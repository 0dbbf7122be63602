/**
 * Cuts API keys out of all that is shown: errors and lines of a log. What a server or a proxy echoes may be spelled in any way, so each
 * character is looked for as it is, escaped as in JSON, Python and HTML, and percent-encoded, and the key in base64 as well, wherever in a
 * longer text it stood. What nobody makes of a text by mistake is not looked for: dumps of its bytes, octal escapes, ciphers.
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

  /** No key is known yet, so nothing can be cleaned of it. */
  get isEmpty(): boolean {
    return this.#keys.length === 0;
  }

  clean(text: string): string {
    if (this.isEmpty) return text;
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
  // Backslashes before the first character may stay; looked for, each of a long row would be a start.
  const plain = key.replace(/\\+/g, '\\').replace(/^\\(?=.{3})/, '');
  return [plain, ...encoded].map(spellText);
}

function spellText(text: string): string {
  return Array.from(text, (character, at) =>
    at === 0 || text[at - 1] === '\\' ? spellCharacter(character) : `\\\\{0,15}${spellCharacter(character)}`,
  ).join('');
}

/** JSON in JSON doubles its backslashes each time. Repetitions are bounded, or a body of backslashes would take for ever. */
function spellCharacter(character: string): string {
  const code = character.charCodeAt(0);
  const hex = code.toString(16);
  // Of the characters of a key, HTML has names for the punctuation alone.
  const name = /\w/.test(character) ? '' : '|[a-z]{2,8}';
  const inAddresses = { '+': '|-', '/': '|_' }[character] ?? '';
  const spellings = `\\x${hex}${inAddresses}|(?:u00|x)${hex}|%(?:25){0,3}${hex}|&(?:amp;){0,3}(?:#0{0,5}${code}|#x0{0,5}${hex}${name});`;
  return `(?:${spellings})${character === '\\' ? '{1,80}' : ''}`;
}
