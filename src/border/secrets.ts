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

/** Redacts nothing. */
export const noSecrets: Redactor = {
  redact: text => text,
  openStream: () => ({ push: chunk => chunk, end: (chunk = '') => chunk }),
};

export function createRedactor(secrets: Iterable<string>, spell = formsOf): Redactor {
  const forms = [...new Set([...secrets].flatMap(spell).flatMap(cutForm))].sort((a, b) => b.length - a.length);
  if (forms.length === 0) return noSecrets;
  const pattern = new RegExp(forms.map(escapePattern).join('|'), 'g');
  // V8 compiles a pattern at once only for long input. Compiling it on short texts takes 20 times as long (1.5 s for
  // the secrets of one request).
  pattern.test(' '.repeat(2000));
  /** The index where the longest possible start of a form begins at the text's end. */
  const findBegun = (text: string): number => {
    let begun = text.length;
    for (const form of forms) {
      const first = form.charAt(0);
      let at = text.indexOf(first, Math.max(0, text.length - form.length + 1));
      while (at >= 0 && at < begun && !form.startsWith(text.slice(at))) at = text.indexOf(first, at + 1);
      if (at >= 0) begun = Math.min(begun, at);
    }
    return begun;
  };
  const openStream = (): RedactedStream => {
    let held = '';
    /** The length of `held` that the last `***` covers, if nothing was output after it. */
    let covered: number | undefined;
    const show = (end: number): string => {
      let shown = '';
      let at = covered ?? 0;
      let isMasked = covered !== undefined;
      pattern.lastIndex = 0;
      for (let found = pattern.exec(held); found !== null && found.index < end; found = pattern.exec(held)) {
        if (found.index > at || !isMasked) shown += held.slice(at, found.index) + mask;
        isMasked = true;
        at = Math.max(at, pattern.lastIndex);
        // The next match may overlap this one.
        pattern.lastIndex = found.index + 1;
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

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
