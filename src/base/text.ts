/** The longest start of `text` that fits in `maxBytes` of UTF-8. Never splits a character. */
export function headOfUtf8(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at most three bytes.
  if (3 * text.length <= maxBytes) return text;
  return text.slice(0, new TextEncoder().encodeInto(text, new Uint8Array(maxBytes)).read);
}

/** The longest end of `text` that fits in `maxBytes` of UTF-8. Never splits a character. */
export function tailOfUtf8(text: string, maxBytes: number): string {
  // A UTF-16 unit takes at least one byte, so an earlier one is never part of the end.
  const bytes = new TextEncoder().encode(text.slice(Math.max(0, text.length - maxBytes)));
  if (bytes.length <= maxBytes) return text.slice(Math.max(0, text.length - maxBytes));
  let start = bytes.length - maxBytes;
  while (start < bytes.length && isContinuation(bytes[start])) start += 1;
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(start));
}

/** At most `max` code points of `text`, with an ellipsis for what was cut. */
export function ellipsis(text: string, max: number): string {
  // A code point has at most two UTF-16 units.
  const points = Array.from(text.slice(0, 2 * max + 1));
  return points.length <= max ? text : `${points.slice(0, max - 1).join('')}…`;
}

/** The first line of `text` with visible characters, trimmed; '' if there is none. */
export function firstLine(text: string): string {
  for (const line of text.split(/\r\n|\r|\n/)) if (line.trim() !== '') return line.trim();
  return '';
}

/** The last `count` lines of `text` that are not empty. */
export function lastLines(text: string, count: number): readonly string[] {
  return text
    .split(/\r\n|\r|\n/)
    .filter(line => line.trim() !== '')
    .slice(-count);
}

/** `1 run`, `2 runs`. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
