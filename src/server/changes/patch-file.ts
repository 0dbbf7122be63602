/**
 * Stores the patches of a run until they are artifacts, or published. It is an open file without a name, so nothing
 * that git executes for a repository can replace its contents.
 */
import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { type FileHandle, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

/** A part of such a file. */
export interface KeptText {
  /** The full size, also if only a part was stored. */
  readonly bytes: number;
  read(): AsyncIterable<Uint8Array>;
}

export interface PatchFile {
  /** Stores the output of `make`, at most `bytesMax`. Stores nothing if it throws. */
  keep(make: (onChunk: (chunk: Uint8Array) => Promise<void>) => Promise<void>, bytesMax: number): Promise<KeptText>;
  /** Frees the space. Nothing can be read afterwards. */
  close(): Promise<void>;
}

/** Opens it in `folder`, where it has a name for a moment. The caller closes it. */
export async function openPatchFile(folder: string): Promise<PatchFile> {
  const path = join(folder, `.patches-${randomUUID()}`);
  const file = await open(path, 'wx+', 0o600);
  await rm(path);
  let end = 0;
  return {
    async keep(make, bytesMax) {
      const start = end;
      let bytes = 0;
      await make(async chunk => {
        const kept = chunk.subarray(0, Math.max(0, bytesMax - bytes));
        await writeAt(file, kept, start + bytes);
        bytes += chunk.length;
      });
      const stop = start + Math.min(bytes, bytesMax);
      end = stop;
      return { bytes, read: () => readRange(file, start, stop) };
    },
    close: () => file.close(),
  };
}

/** Writes texts one after another into a new file. */
export async function writeTexts(texts: readonly KeptText[], to: string): Promise<void> {
  const all = async function* () {
    for (const text of texts) yield* text.read();
  };
  await pipeline(all, createWriteStream(to, { flags: 'wx', mode: 0o600 }));
}

async function writeAt(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < chunk.length; )
    at += (await file.write(chunk, at, chunk.length - at, position + at)).bytesWritten;
}

async function* readRange(file: FileHandle, start: number, end: number): AsyncIterable<Uint8Array> {
  for (let at = start; at < end; ) {
    const piece = Buffer.alloc(Math.min(64 * 1024, end - at));
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) return;
    yield piece.subarray(0, bytesRead);
    at += bytesRead;
  }
}
