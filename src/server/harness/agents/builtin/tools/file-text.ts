import { FileFault, readPlainFileSync } from '../../../../../border/files.ts';
import { ToolFault } from './tool-fault.ts';

export const bytesMax = 16 * 1024 * 1024;

const faults = {
  folder: 'is a folder; use the list tool to see what is in it',
  special: 'is not a regular file',
  'too large': `is larger than ${bytesMax} bytes; use the shell tool to look at parts of it`,
} as const;

/**
 * The bytes of a text file. Throws ToolFault for a folder, a binary file and one that is too large, and system errors
 * as they are.
 */
export function readTextBytes(real: string, path: string): Buffer {
  const bytes = readFound(real, path);
  if (isUtf16(bytes)) throw new ToolFault(`${path} is UTF-16, but this tool supports only UTF-8; use the shell tool`);
  if (isBinary(bytes)) throw new ToolFault(`${path} is a binary file of ${bytes.length} bytes, not text`);
  return bytes;
}

function readFound(real: string, path: string): Buffer {
  try {
    return readPlainFileSync(real, bytesMax);
  } catch (error) {
    throw error instanceof FileFault ? new ToolFault(`${path} ${faults[error.kind]}`) : error;
  }
}

/** As a model sees it: without a byte order mark, and with U+FFFD for invalid UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Bytes as a string of one character each, which finds and keeps any byte. */
export function toByteString(text: string): string {
  return Buffer.from(text).toString('latin1');
}

/** Like git: a file with a NUL near its beginning is not text. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}

/** Detected by its byte order mark. */
function isUtf16([first, second]: Uint8Array): boolean {
  return (first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff);
}
