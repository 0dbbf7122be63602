import type { FileHandle } from 'node:fs/promises';
import { openPlainFile } from '../../border/files.ts';
import { noSecrets, pieceLength } from '../../border/secrets.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { ResultTail } from './result-tail.ts';
import { takeResult } from './result-text.ts';

/** In a longer file an answer is looked for at the end alone. */
const searchedBytes = 64 * 1024 * 1024;
const chunkBytes = 256 * 1024;
/** Before the end that is kept: a secret in which it begins would not be known by what is left of it. */
const marginBytes = 4 * pieceLength;

/**
 * The text that a program wrote to its result file, without secrets, or its end where it is too long; undefined when there is none, nothing that can
 * be seen, or something that is no plain file.
 */
export async function readResultFile(path: string, redactor = noSecrets): Promise<RunText | undefined> {
  const file = await openPlainFile(path);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
    const skipped = Math.max(0, info.size - sizes.resultBytes);
    const margin = Math.min(skipped, marginBytes);
    const bytes = Buffer.alloc(info.size - skipped + margin);
    const { bytesRead } = await file.read(bytes, 0, bytes.length, skipped - margin);
    // The end of a file may begin within a character, of which at most three bytes are left.
    const within = bytes.subarray(margin, margin + 4).findIndex(byte => (byte & 0xc0) !== 0x80);
    const start = skipped === 0 ? 0 : Math.max(0, within);
    const decoder = new TextDecoder();
    const stream = redactor.openStream();
    stream.push(decoder.decode(bytes.subarray(0, margin + start), { stream: true }));
    const shown = stream.end(decoder.decode(bytes.subarray(margin + start, bytesRead)));
    const text = shown.replaceAll('\0', '\uFFFD');
    const result = takeResult({ text, totalBytes: skipped + start + utf8Bytes(text) });
    if (result.text !== '') return result;
    return skipped === 0 || info.size > searchedBytes ? undefined : await findVisible(file, redactor);
  } finally {
    await file.close();
  }
}

/** The answer in a file at whose end nothing can be seen. */
async function findVisible(file: FileHandle, redactor: typeof noSecrets): Promise<RunText | undefined> {
  const tail = new ResultTail();
  const decoder = new TextDecoder();
  const stream = redactor.openStream();
  const push = (text: string) => tail.push(text.replaceAll('\0', '\uFFFD'));
  const chunk = Buffer.alloc(chunkBytes);
  for (let at = 0; at < searchedBytes; ) {
    const { bytesRead } = await file.read(chunk, 0, chunkBytes, at);
    if (bytesRead === 0) break;
    push(stream.push(decoder.decode(chunk.subarray(0, bytesRead), { stream: true })));
    at += bytesRead;
  }
  push(stream.end(decoder.decode()));
  const { result } = tail;
  return result.text === '' ? undefined : result;
}
