/**
 * The one place that takes secrets out of text. A redactor is made once per run, step or client from the secrets that are known, and finds them in
 * the encodings in which programs and servers usually repeat them. Someone who wants to get a secret out can spell it in another way, so this helps
 * against accidents.
 */
import { isObject } from '../base/json.ts';

export type Redact = (text: string) => string;

export interface Redactor {
  /** The text with `***` in place of each secret. Secrets that overlap or touch become one. */
  readonly redact: Redact;
  /** For a text that may be cut within a secret: the beginning of one at its end is redacted too. */
  readonly redactCut: Redact;
  /** For text that arrives in chunks, which may end within a secret. */
  openStream(): RedactedStream;
}

export interface RedactedStream {
  /** What can be shown so far. An end that may be the beginning of a secret waits for the next chunk. */
  push(chunk: string): string;
  /** The rest. The stream starts anew afterwards. */
  end(chunk?: string): string;
}

const mask = '***';
/** Shorter parts of a secret, such as a brace of a JSON key, say nothing, and redacting them would make a log unreadable. */
export const usefulLength = 8;
/** A longer form is looked for in pieces. This bounds the time per character of a text and what a stream holds back. */
export const pieceLength = 256;
/** Shorter beginnings of a secret are as likely to be a word. */
const cutLengthMin = 4;

export function createRedactor(secrets: Iterable<string>, spell = formsOf): Redactor {
  const forms = [...new Set([...secrets].flatMap(spell).flatMap(cutForm))].sort((a, b) => b.length - a.length);
  const pattern = new RegExp(forms.map(escapePattern).join('|') || '(?!)', 'g');
  // V8 compiles at once for a long text only; compiling it for short ones takes 20 times as long (1.5 s for the secrets that one request may bring).
  pattern.test(' '.repeat(2000));
  /** Where the longest end of the text starts that may become a form. */
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
    /** How much of `held` the last `***` stands for, if nothing was shown after it. */
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
        // The next one may overlap it.
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
  const redactCut: Redact = text => {
    const stream = openStream();
    const shown = stream.push(text);
    const rest = stream.end();
    return shown + (rest.length < cutLengthMin ? rest : mask);
  };
  return { redact: text => openStream().end(text), redactCut, openStream };
}

/** Shows everything. */
export const noSecrets = /* @__PURE__ */ createRedactor([]);

/** The text with `***` in place of each secret, spelled as it is. For programs that cannot carry the whole redactor, such as a page with the client. */
export function redactLiterals(text: string, secrets: Iterable<string>): string {
  const longestFirst = [...secrets].sort((a, b) => b.length - a.length);
  return longestFirst.reduce((rest, secret) => rest.replaceAll(secret, mask), text);
}

/** Redacts JSON Web Tokens, which are made by a library and not known. */
export const redactWebTokens: Redact = text => text.replace(/eyJ[\w-]+\.[\w-]+\.[\w-]+/g, mask);

/** A JSON value with every text in it redacted, including the names of members. */
export function redactValue<Value>(value: Value, redact: Redact): Value {
  const walk = (member: unknown): unknown => {
    if (typeof member === 'string') return redact(member);
    if (Array.isArray(member)) return member.map(walk);
    if (!isObject(member)) return member;
    return Object.fromEntries(Object.entries(member).map(([name, each]) => [redact(name), walk(each)]));
  };
  return walk(value) as Value;
}

/** A secret, its lines and its encodings. None for blank text. */
export function formsOf(secret: string): readonly string[] {
  if (secret.trim() === '') return [];
  const wholes = [secret, secret.trim()];
  const lines = secret.split(/[\r\n]+/).map(line => line.trim());
  const inHtml = lines.map(encodeHtml);
  // A page within a text of JSON is read before it is parsed.
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
    // Half of a surrogate pair cannot be encoded.
    encodeURIComponent(new TextDecoder().decode(bytes)),
    new URLSearchParams({ '': secret }).toString().slice(1),
    json,
    // JSON in a text of JSON.
    encodeJson(json),
  ];
}

/**
 * The base64 of bytes within something longer, such as `user:secret`: one form for each place of the first byte in its group of three. The first and
 * the last character may depend on the neighbors, so they are left out.
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

/** The last piece overlaps the one before, so that all have one length. */
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
