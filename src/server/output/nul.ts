/**
 * Replaces NUL, which Postgres cannot store. Works on code units, because a program can print nothing but NUL:
 * `replaceAll` takes up to 4 ms for 64 KiB of it.
 */
export function replaceNul(text: string): string {
  if (!text.includes('\0')) return text;
  const units = new Uint16Array(text.length);
  const bytes = Buffer.from(units.buffer);
  bytes.write(text, 'utf16le');
  for (let at = 0; at < units.length; at += 1) if (units[at] === 0) units[at] = 0xfffd;
  return bytes.toString('utf16le');
}
