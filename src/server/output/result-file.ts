import type { FileHandle } from 'node:fs/promises';
import { openPlainFile } from '../../border/files.ts';
import { noSecrets, pieceLength, type Redactor } from '../../border/secrets.ts';
import { openSlicedStream } from '../../border/sliced-redaction.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { replaceNul } from './nul.ts';
import { ResultTail } from './result-tail.ts';
import { takeResult } from './result-text.ts';

/** In a longer file, only the end is searched for an answer. */
const searchedBytes = 64 * 1024 * 1024;
const chunkBytes = 256 * 1024;
/** Bytes read before the kept end. Otherwise a secret that the cut falls into would not be recognized. */
const marginBytes = 4 * pieceLength;

/**
 * The redacted text of the result file, or its end if it is too long. Undefined if it is missing, has nothing
 * visible, or is not a regular file.
 */
export async function readResultFile(path: string, redactor: Redactor = noSecrets): Promise<RunText | undefined> {
  const file = await openPlainFile(path);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    const skipped = Math.max(0, info.size - sizes.resultBytes);
    const margin = Math.min(skipped, marginBytes);
    const bytes = Buffer.alloc(info.size - skipped + margin);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, skipped - margin);
    // The end may begin inside a character. At most three bytes of it are left.
    const within = bytes.subarray(margin, margin + 4).findIndex(byte => (byte & 0xc0) !== 0x80);
    const start = skipped === 0 ? 0 : Math.max(0, within);
    const decoder = new TextDecoder();
    const stream = openSlicedStream(redactor);
    await stream.push(decoder.decode(bytes.subarray(0, margin + start), { stream: true }));
    const shown = (await stream.push(decoder.decode(bytes.subarray(margin + start, bytesRead)))) + stream.end();
    const text = replaceNul(shown);
    const result = takeResult({ text, totalBytes: skipped + start + Buffer.byteLength(text) });
    if (result.text !== '') return result;
    return skipped === 0 || info.size > searchedBytes ? undefined : await findVisible(file, redactor);
  } finally {
    await file.close();
  }
}

/** The answer in a file whose end has nothing visible. */
async function findVisible(file: FileHandle, redactor: Redactor): Promise<RunText | undefined> {
  const tail = new ResultTail();
  const decoder = new TextDecoder();
  const stream = openSlicedStream(redactor);
  const push = (text: string) => tail.push(replaceNul(text));
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; at < searchedBytes; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    push(await stream.push(decoder.decode(chunk.subarray(0, bytesRead), { stream: true })));
    at += bytesRead;
  }
  push((await stream.push(decoder.decode())) + stream.end());
  const { result } = tail;
  return result.text === '' ? undefined : result;
}
