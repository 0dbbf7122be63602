/**
 * Cuts API keys out of all that is shown: errors and lines of a log. What a server or a proxy echoes may be spelled in any way, so a key is
 * looked for in what a text means (plain-text.ts), and its base64 as well, wherever in a longer text it stood. What nobody makes of a text by
 * mistake is not looked for: dumps of its bytes, octal escapes, ciphers. The time is linear in the text and in the key, which may be a token of
 * thousands of characters.
 */
import { base64Within } from '../../base/base64-within.ts';
import { readPlain } from './plain-text.ts';
import { createBareError, readToldTexts } from './told-texts.ts';

/** What is shorter guards nothing, and cutting it out would maim every sentence. */
const shortestKey = 4;
/** Of a function that gives keys, and of the headers of calls, the last ones are remembered. */
const keysKept = 8;
/** What is left of an escape that was cut: `&#x0000041` at the most. */
const escapeMax = 10;

export class Secrets {
  /** What is looked for by key, the one used last at the end; undefined until something is cleaned. */
  readonly #forms = new Map<string, readonly string[] | undefined>();

  /** Remembers a key that is about to be sent. */
  add(key: string): void {
    if (key.length < shortestKey) return;
    const forms = this.#forms.get(key);
    this.#forms.delete(key);
    this.#forms.set(key, forms);
    const [oldest] = this.#forms.keys();
    if (this.#forms.size > keysKept && oldest !== undefined) this.#forms.delete(oldest);
  }

  /** No key is known yet, so nothing can be cleaned of it. */
  get isEmpty(): boolean {
    return this.#forms.size === 0;
  }

  /** Of a text that may have been cut, the beginning of a key at its end is taken out as well. */
  clean(text: string, isCut = false): string {
    if (text.length < shortestKey || this.isEmpty) return text;
    const found: Span[] = [];
    const find = (within: string, form: string, starts?: Uint32Array): void => {
      for (let at = within.indexOf(form); at >= 0; at = within.indexOf(form, at + form.length)) {
        const end = at + form.length;
        found.push([starts?.[at] ?? at, starts?.[end] ?? end]);
      }
    };
    const plain = readPlain(text);
    for (const [key, known] of this.#forms) {
      const forms = known ?? createForms(key);
      if (known === undefined) this.#forms.set(key, forms);
      for (const form of forms) {
        find(plain.text, form, plain.starts);
        const at = isCut ? findHalf(plain.text, form) : -1;
        if (at >= 0) found.push([plain.starts?.[at] ?? at, text.length]);
      }
      // As it is, whatever an escape around it has made of its beginning or its end.
      find(text, key);
    }
    let cleaned = '';
    let at = 0;
    for (const [start, end] of found.sort(([a], [b]) => a - b)) {
      if (start >= at) cleaned += `${text.slice(at, start)}***`;
      at = Math.max(at, end);
    }
    return cleaned + text.slice(at);
  }

  cleanHeaders(headers: Headers): Headers {
    const cleaned = new Headers();
    for (const [name, value] of headers) cleaned.append(this.clean(name), this.clean(value));
    return cleaned;
  }

  /** The thrown thing as it is, or a bare error in its place where it tells a key, or may do so. */
  cleanCause(thrown: unknown): unknown {
    if (this.isEmpty) return thrown;
    const told = readToldTexts(thrown);
    return told !== undefined && this.clean(told) === told ? thrown : createBareError(thrown, text => this.clean(text));
  }
}

/** From the place of the first character to that behind the last one. */
type Span = readonly [start: number, end: number];

/** Where the beginning of a form starts that the text ends with, but for an escape that was cut; -1 if nowhere. */
function findHalf(text: string, form: string): number {
  const last = text.slice(-escapeMax);
  const ends = [text.length, ...Array.from(last.matchAll(/[%&ux]/g), ({ index }) => text.length - last.length + index)];
  for (let length = form.length - 1; length >= shortestKey; length -= 1) {
    const half = form.slice(0, length);
    const end = ends.find(end => text.endsWith(half, end));
    if (end !== undefined) return end - length;
  }
  return -1;
}

function createForms(key: string): readonly string[] {
  // What is no byte stands in no header, and btoa does not take it.
  const bytes = key.replace(/[^\0-\xff]/g, '?');
  // What follows could complete a `%` at the end. Of a key of escapes or backslashes little may be left, which stands everywhere.
  const forms = [key, ...base64Within(bytes)].map(text => readPlain(text).text.replace(/%.?$/, ''));
  return forms.filter(text => text.length >= shortestKey);
}
