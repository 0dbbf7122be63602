import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { isVisible } from '../../base/terminal-text.ts';
import { markAsCut } from '../../contract/result-cut.ts';
import { sizes } from '../../contract/sizes.ts';
import { noticeBytes } from './result-text.ts';

/**
 * The text that a program wrote to its result file; undefined when there is none, only blanks, or something that is no plain file. The
 * end of a text that is too long, which then says so.
 */
export async function readResultFile(path: string): Promise<string | undefined> {
  let file: FileHandle;
  try {
    // Neither waits for the writer of a pipe nor leaves the run's folder through a link.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
  } catch {
    return undefined;
  }
  try {
    const info = await file.stat();
    if (!info.isFile()) return undefined;
    const skipped = info.size > sizes.resultBytes ? info.size - sizes.resultBytes + noticeBytes : 0;
    const bytes = Buffer.alloc(info.size - skipped);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, skipped);
    // The end of a file may begin within a character, of which at most three bytes are left.
    const start =
      skipped === 0
        ? 0
        : Math.max(
            0,
            bytes.subarray(0, 4).findIndex(byte => (byte & 0xc0) !== 0x80),
          );
    const text = new TextDecoder().decode(bytes.subarray(start, bytesRead)).replaceAll('\0', '\uFFFD');
    if (!isVisible(text)) return undefined;
    return skipped === 0 ? text : markAsCut(text, skipped + start);
  } finally {
    await file.close();
  }
}
