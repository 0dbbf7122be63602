import { constants, open } from 'node:fs/promises';
import { ToolFault } from './tool-fault.ts';

export const bytesMax = 16 * 1024 * 1024;

/** The bytes of a text file. Throws ToolFault for a folder, a file that is no text and one that is too large; what the system says as it comes. */
export async function readTextBytes(real: string, path: string): Promise<Buffer> {
  // A pipe would be waited for.
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new ToolFault(`${path} is a folder; use the list tool to see what is in it`);
    if (!stats.isFile()) throw new ToolFault(`${path} is not a regular file`);
    if (stats.size > bytesMax)
      throw new ToolFault(`${path} is too large (${stats.size} bytes); use the shell tool to look at parts of it`);
    const bytes = await file.readFile();
    if (isUtf16(bytes)) throw new ToolFault(`${path} is UTF-16, but this tool supports only UTF-8; use the shell tool`);
    if (isBinary(bytes)) throw new ToolFault(`${path} is a binary file of ${bytes.length} bytes, not text`);
    return bytes;
  } finally {
    await file.close();
  }
}

/** As a model sees it: without a byte order mark, and with U+FFFD for what is not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Bytes as a string of one character each, in which any of them can be found and kept. */
export function toByteString(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** As git sees it: text has no NUL near its beginning. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** By its byte order mark. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
