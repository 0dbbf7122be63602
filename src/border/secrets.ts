/**
 * The only place that redacts secrets. Each run, step or client creates one redactor from the secrets that it knows.
 * A redactor also finds the encodings in which programs and servers usually repeat secrets. It prevents accidents: a
 * program that wants to leak a secret can spell it differently.
 */
import { isObject } from '../base/json.ts';

export type Redact = (text: string) => string;

export interface Redactor {
  /** Replaces each secret with `***`. Secrets that overlap or touch become one. */
  readonly redact: Redact;
  /** For text in chunks that may split a secret. */
  openStream(): RedactedStream;
}

export interface RedactedStream {
  /** The text that can be shown so far. An end that may start a secret is held for the next chunk. */
  push(chunk: string): string;
  /** The rest. The stream can be used again afterwards. */
  end(chunk?: string): string;
}

const mask = '***';
/**
 * Shorter parts of a secret, such as a brace of a JSON key, reveal nothing, and redacting them would make a log
 * unreadable.
 */
export const usefulLength = 8;
/**
 * Longer forms are searched in pieces of this length. This bounds the time per character and the text that a stream
 * holds back.
 */
export const pieceLength = 256;

/**
 * The pattern has only the starts of forms, of this length. With whole forms, it compares each place of a text with all
 * that begin alike, one character at a time: 0.2 s for 64 KiB of one letter if hundreds of secrets begin with it.
 */
const headLength = 16;

/** Redacts nothing. */
export const noSecrets: Redactor = {
  redact: text => text,
  openStream: () => ({ push: chunk => chunk, end: (chunk = '') => chunk }),
};

export function createRedactor(secrets: Iterable<string>, spell = formsOf): Redactor {
  const forms = [...new Set([...secrets].flatMap(spell).flatMap(cutForm))];
  if (forms.length === 0) return noSecrets;
  const { find, findBegun } = searchForms(forms);
  const openStream = (): RedactedStream => {
    let held = '';
    /** The length of `held` that the last `***` covers, if nothing was output after it. */
    let covered: number | undefined;
    const show = (end: number): string => {
      let shown = '';
      let at = covered ?? 0;
      let isMasked = covered !== undefined;
      // The next match may overlap the last one.
      for (let form = find(held, 0); form !== undefined && form.start < end; form = find(held, form.start + 1)) {
        if (form.start > at || !isMasked) shown += held.slice(at, form.start) + mask;
        isMasked = true;
        at = Math.max(at, form.end);
      }
      if (at < end) {
        shown += held.slice(at, end);
        isMasked = false;
      }
      covered = isMasked ? Math.max(0, at - end) : undefined;
      held = held.slice(end);
      return shown;
    };
    return {
      push(chunk) {
        held += chunk;
        return show(findBegun(held));
      },
      end(chunk = '') {
        held += chunk;
        const rest = show(held.length);
        covered = undefined;
        return rest;
      },
    };
  };
  return { redact: text => openStream().end(text), openStream };
}

/**
 * Replaces each secret with `***` in its literal spelling only. For bundles that should not include the whole
 * redactor, such as a web page's.
 */
export function redactLiterals(text: string, secrets: Iterable<string>): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
}

/** Redacts JSON Web Tokens, which libraries create, so their values are not known. */
export const redactWebTokens: Redact = text => text.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, mask);

/** Redacts every string in a JSON value, including member names. */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  const walk = (member: unknown): unknown => {
    if (typeof member === 'string') return redact(member);
    if (Array.isArray(member)) return member.map(walk);
    if (!isObject(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, each]) => [redact(name), walk(each)]));
  };
  return walk(value) as Value;
}

/** A secret, its lines and its encodings. Empty for a secret of spaces only. */
export function formsOf(secret: string): readonly string[] {
  if (secret.trim() === '') return [];
  const wholes = [secret, secret.trim()];
  const lines = secret.split(/[\r\n]+/).map(line => line.trim());
  const inHtml = lines.map(encodeHtml);
  // HTML inside a JSON string is found before the JSON is parsed.
  const parts = [...lines, ...inHtml, ...inHtml.map(encodeJson), ...wholes.flatMap(encode)];
  return [...new Set([...wholes, ...parts.filter(part => part.length >= usefulLength)])];
}

function encode(secret: string): readonly string[] {
  const bytes = new TextEncoder().encode(secret);
  const binary = Array.from(bytes, byte => String.fromCharCode(byte)).join('');
  const base64 = [btoa(binary).replace(/=+$/, ''), ...encodeWithin(binary)];
  const hex = Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  const json = encodeJson(secret);
  return [
    ...base64,
    ...base64.map(form => form.replaceAll('+', '-').replaceAll('/', '_')),
    hex,
    hex.toUpperCase(),
    // A lone surrogate cannot be encoded.
    encodeURIComponent(new TextDecoder().decode(bytes)),
    new URLSearchParams({ '': secret }).toString().slice(1),
    json,
    // JSON inside a JSON string.
    encodeJson(json),
  ];
}

/**
 * The base64 of bytes within a longer text, such as `user:secret`: one form for each offset in a group of three
 * bytes. The first and last characters depend on the neighbors, so they are omitted.
 */
function encodeWithin(binary: string): readonly string[] {
  return [0, 1, 2].map(offset =>
    btoa('\0'.repeat(offset) + binary).slice(
      Math.ceil((offset * 4) / 3),
      Math.floor(((offset + binary.length) * 4) / 3),
    ),
  );
}

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

function encodeHtml(text: string): string {
  return text.replace(/[&<>"]/g, character => entities[character] ?? '');
}

function encodeJson(text: string): string {
  return JSON.stringify(text).slice(1, -1);
}

/** The last piece overlaps the one before, so that all have the same length. */
function cutForm(form: string): readonly string[] {
  const last = Math.max(0, form.length - pieceLength);
  return Array.from({ length: Math.ceil(form.length / pieceLength) }, (_, index) => {
    const start = Math.min(index * pieceLength, last);
    return form.slice(start, start + pieceLength);
  });
}

interface FormSearch {
  /** The first place at `from` or later where a form begins. The longest form there. */
  find(text: string, from: number): { readonly start: number; readonly end: number } | undefined;
  /** The index where the longest possible start of a form begins at the text's end. */
  findBegun(text: string): number;
}

function searchForms(unsorted: readonly string[]): FormSearch {
  const forms = unsorted.toSorted();
  const longest = Math.max(...forms.map(form => form.length));
  const heads = [...new Set(forms.map(form => form.slice(0, headLength)))];
  const pattern = new RegExp(heads.map(escapePattern).join('|'), 'g');
  // V8 compiles a pattern at once only for long input. Compiling it on short texts takes 20 times as long.
  pattern.test(' '.repeat(2000));
  /** How many forms are not after the text in their order. */
  const countUpTo = (text: string): number => {
    let low = 0;
    let high = forms.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((forms[middle] ?? '') <= text) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  /** For each form, the index of the longest other one that it begins with, or -1. */
  const inner: number[] = [];
  /** The longest of the form at `index` and its inner ones that the text begins with. */
  const findWithin = (index: number, text: string): number => {
    const common = countCommon(forms[index] ?? '', text);
    let found = index;
    while (found >= 0 && (forms[found] ?? '').length > common) found = inner[found] ?? -1;
    return found;
  };
  for (const [index, form] of forms.entries()) inner.push(findWithin(index - 1, form));
  const firsts = new Set(forms.map(form => form.charAt(0)));
  return {
    find(text, from) {
      pattern.lastIndex = from;
      for (let head = pattern.exec(text); head !== null; head = pattern.exec(text)) {
        const start = head.index;
        const place = text.slice(start, start + longest);
        const form = forms[findWithin(countUpTo(place) - 1, place)];
        if (form !== undefined) return { start, end: start + form.length };
        pattern.lastIndex = start + 1;
      }
      return undefined;
    },
    findBegun(text) {
      for (let at = Math.max(0, text.length - longest + 1); at < text.length; at += 1) {
        if (!firsts.has(text.charAt(at))) continue;
        const tail = text.slice(at);
        if (forms[countUpTo(tail)]?.startsWith(tail)) return at;
      }
      return text.length;
    },
  };
}

/** How many characters both texts begin with. */
function countCommon(form: string, text: string): number {
  if (text.slice(0, form.length) === form) return form.length;
  let count = 0;
  while (form.charCodeAt(count) === text.charCodeAt(count)) count += 1;
  return count;
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
