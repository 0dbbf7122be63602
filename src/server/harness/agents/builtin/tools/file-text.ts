import { constants, open } from 'node:fs/promises';
import { ToolFault } from './tool-fault.ts';

const bytesMax = 16 * 1024 * 1024;

/** The text of a file. Throws ToolFault for a folder, a file that is no text and one that is too large; what the system says as it comes. */
export async function readText(real: string, path: string): Promise<string> {
  // A pipe would be waited for.
  const file = await open(real, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    const stats = await file.stat();
    if (stats.isDirectory()) throw new ToolFault(`${path} is a folder; see what is in it with the tool list`);
    if (!stats.isFile()) throw new ToolFault(`${path} is no file`);
    if (stats.size > bytesMax)
      throw new ToolFault(`${path} has ${stats.size} bytes, which is too much; look at parts of it with the shell`);
    const bytes = await file.readFile();
    if (isBinary(bytes)) throw new ToolFault(`${path} is a binary file of ${bytes.length} bytes, no text`);
    return bytes.toString('utf8');
  } finally {
    await file.close();
  }
}

/** As git sees it: text has no NUL near its beginning. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.subarray(0, 8000).includes(0);
}
