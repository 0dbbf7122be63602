import { isUtf8 } from 'node:buffer';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { counted } from '../../../../../base/text.ts';
import { bytesMax, isBinary } from './file-text.ts';
import { findLineEnd, withLf } from './line-ends.ts';
import { namePlace, type Places, resolvePlace } from './places.ts';
import { explainPath, ToolFault } from './tool-fault.ts';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

/** Creates or replaces a file, and creates its parent folders. */
export async function writeWholeFile(places: Places, { path, content }: WriteInput): Promise<string> {
  const real = await resolvePlace(places, path, 'write');
  try {
    const there = await stat(real).catch(() => undefined);
    if (there !== undefined && !there.isFile())
      throw new ToolFault(`${path} is ${there.isDirectory() ? 'a folder' : 'not a regular file'}`);
    await mkdir(dirname(real), { recursive: true });
    const old = there !== undefined && there.size <= bytesMax ? await readFile(real) : undefined;
    await writeFile(real, old === undefined ? content : fitContent(content, old, path));
    const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
    return `${there ? 'replaced' : 'created'} ${namePlace(places, real)} (${counted(lines, 'line')})`;
  } catch (error) {
    throw explainPath(error, path);
  }
}

/** Keeps the byte order mark, and CRLF if every line had it. */
function fitContent(content: string, old: Buffer, path: string): string {
  if (content.includes('\uFFFD') && !isUtf8(old))
    throw new ToolFault(
      `${path} is not UTF-8, and � in the content stands for bytes that would be lost; change the file with the edit tool or the shell tool`,
    );
  if (content === '' || isBinary(old)) return content;
  const text = findLineEnd(old.toString('latin1')) === '\r\n' ? withLf(content).replaceAll('\n', '\r\n') : content;
  const hasMark = old.subarray(0, 3).equals(Buffer.from('\uFEFF'));
  return hasMark && !text.startsWith('\uFEFF') ? `\uFEFF${text}` : text;
}
