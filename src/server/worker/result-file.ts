import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { utf8Bytes } from '../../contract/sizes.ts';
import { ResultTail } from './result-tail.ts';
import { fitResult, keptBytes, type ResultText } from './result-text.ts';

/** In a longer file an answer is looked for at the end alone. */
const searchedBytes = 64 * 1024 * 1024;
const chunkBytes = 256 * 1024;

/**
 * The text that a program wrote to its result file, or its end where it is too long; undefined when there is none, nothing that can be seen, or
 * something that is no plain file.
 */
export async function readResultFile(path: string): Promise<ResultText | undefined> {
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
    const skipped = Math.max(0, info.size - keptBytes);
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
    const result = fitResult({ text, totalBytes: skipped + start + utf8Bytes(text) });
    if (result.text !== '') return result;
    return skipped === 0 || info.size > searchedBytes ? undefined : await findVisible(file);
  } finally {
    await file.close();
  }
}

/** The answer in a file at whose end nothing can be seen. */
async function findVisible(file: FileHandle): Promise<ResultText | undefined> {
  const tail = new ResultTail();
  const decoder = new TextDecoder();
  const push = (text: string) => tail.push(text.replaceAll('\0', '\uFFFD'));
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; at < searchedBytes; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    push(decoder.decode(chunk.subarray(0, bytesRead), { stream: true }));
    at += bytesRead;
  }
  push(decoder.decode());
  const { result } = tail;
  return result.text === '' ? undefined : result;
}
