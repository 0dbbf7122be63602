import { openPlainFile } from '../../base/plain-file.ts';
import { utf8Bytes } from '../../contract/sizes.ts';
import { fitResult, keptBytes, type ResultText } from './result-text.ts';

/**
 * The text that a program wrote to its result file, or its end where it is too long; undefined when there is none, nothing that can be seen, or
 * something that is no plain file.
 */
export async function readResultFile(path: string): Promise<ResultText | undefined> {
  const file = await openPlainFile(path);
  if (file === undefined) return undefined;
  try {
    const info = await file.stat();
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
    return result.text === '' ? undefined : result;
  } finally {
    await file.close();
  }
}
