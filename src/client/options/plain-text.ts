/**
 * A text as it means, whatever it is escaped in: percent-encoding, the escapes of JSON, Python and HTML, and each of them in each other. What
 * says the same in two ways is one: capitals and small letters, and the two alphabets of base64.
 */

/** Of HTML's names those of characters of ASCII; the last two by what is drawn like them. */
const named = new Map(
  'excl! quot" num# dollar$ percnt% amp& apos\' lpar( rpar) ast* plus+ comma, period. sol/ colon: semi; lt< equals= gt> quest? commat@ lsqb[ lbrack[ bsol\\ rsqb] rbrack] hat^ lowbar_ grave` lcub{ lbrace{ verbar| vert| rcub} rbrace} hyphen- tilde~'
    .split(' ')
    .map(word => [word.slice(0, -1), word.charCodeAt(word.length - 1)]),
);

/** With five zeros at most the longest is `&#x0000041;`. */
const htmlMax = 12;
const htmlEscape = /&(?:#0{0,5}(\d{1,3})|#x0{0,5}([\da-f]{2})|([a-z]{2,8}));/;

const [percent, ampersand, semicolon, backslash, zero, u, x] = [0x25, 0x26, 0x3b, 0x5c, 0x30, 0x75, 0x78] as const;
/** Marks a character with a backslash before it. */
const escaped = 0x10000;
/** Marks the beginning of an escape that a backslash before it is no part of: what the escape says is what that one is before. */
const behind = 0x20000;
/** Without the marks. */
const character = 0xffff;
/** How many characters are made a text at once: each is an argument. */
const batch = 4096;

export interface PlainText {
  readonly text: string;
  /** Where the spelling of each character begins in what was read, and at last where that ends; undefined where each stands at its own place. */
  readonly starts?: Uint32Array;
}

/**
 * Reads from the left and puts the character in the place of an escape as soon as it is complete, so that an escape that comes of other
 * escapes is one as well. All other backslashes fall away, for JSON in JSON doubles them each time. Each replacement makes what is read
 * shorter, so the time is linear.
 */
export function readPlain(spelled: string): PlainText {
  // Most texts have no escape at all.
  if (!/[%&\\]/.test(spelled)) return { text: spelled.replace(/[A-Z+/]/g, foldCharacter) };
  const codes = new Uint32Array(spelled.length);
  const starts = new Uint32Array(spelled.length + 1);
  let length = 0;
  let backslashAt = -1;
  let isSpelled = false;
  for (let at = 0; at < spelled.length; at += 1) {
    let start = at;
    let isRead = false;
    for (let code: number | undefined = spelled.charCodeAt(at); code !== undefined; isRead = true) {
      if (backslashAt >= 0) start = backslashAt;
      if (code === backslash) {
        // One that was spelled as an escape is no part of the next escape, which may begin with a backslash of its own.
        isSpelled = isSpelled || isRead;
        backslashAt = start;
        break;
      }
      code = fold(code);
      const isFirst = code === percent || code === ampersand;
      const mark = backslashAt < 0 ? 0 : isSpelled || isFirst ? escaped | behind : escaped;
      codes[length] = isFirst || code === u || code === x ? code | mark : code;
      starts[length] = start;
      length += 1;
      backslashAt = -1;
      isSpelled = false;
      const size = measureEscape(codes, length);
      code = size === 0 ? undefined : readEscape(codes.subarray(length - size, length));
      if (code === undefined) break;
      length -= size;
      start = starts[length] ?? 0;
      if (((codes[length] ?? 0) & behind) !== 0) {
        backslashAt = start;
        isSpelled = true;
      }
    }
  }
  starts[length] = spelled.length;
  let text = '';
  // The marks are above the 16 bits of a character.
  for (let at = 0; at < length; at += batch)
    text += String.fromCharCode(...codes.subarray(at, Math.min(at + batch, length)));
  return { text, starts };
}

function fold(code: number): number {
  if (code >= 0x41 && code <= 0x5a) return code + 0x20;
  // `+` is `-`, and `/` is `_`.
  if (code === 0x2b) return 0x2d;
  return code === 0x2f ? 0x5f : code;
}

function foldCharacter(character: string): string {
  return String.fromCharCode(fold(character.charCodeAt(0)));
}

/** How many codes the escape has that ends here; 0 for none. */
function measureEscape(codes: Uint32Array, length: number): number {
  const last = codes[length - 1];
  if (last === semicolon) {
    let size = 1;
    while (size < htmlMax && ((codes[length - size] ?? 0) & character) !== ampersand) size += 1;
    return ((codes[length - size] ?? 0) & character) === ampersand ? size : 0;
  }
  if (!isHex(last) || !isHex(codes[length - 2])) return 0;
  const before = codes[length - 3] ?? 0;
  if ((before & character) === percent || (before & ~behind) === (x | escaped)) return 3;
  return before === zero && codes[length - 4] === zero && ((codes[length - 5] ?? 0) & ~behind) === (u | escaped)
    ? 5
    : 0;
}

function isHex(code = 0): boolean {
  return (code >= 0x30 && code <= 0x39) || (code >= 0x61 && code <= 0x66);
}

/** Undefined for what is no escape after all. */
function readEscape(codes: Uint32Array): number | undefined {
  const text = String.fromCharCode(...codes);
  if (!text.endsWith(';')) return Number.parseInt(text.slice(-2), 16);
  const [, decimal, hex, name = ''] = htmlEscape.exec(text) ?? [];
  if (decimal !== undefined) return Number(decimal);
  return hex === undefined ? named.get(name) : Number.parseInt(hex, 16);
}
