import { mkdir, stat, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { counted } from '../../../../../base/text.ts';
import { namePlace, type Places, resolvePlace } from './places.ts';
import { explainPath, ToolFault } from './tool-fault.ts';

export interface WriteInput {
  readonly path: string;
  readonly content: string;
}

/** Makes or replaces a file, and the folders on the way to it. */
export async function writeWholeFile(places: Places, { path, content }: WriteInput): Promise<string> {
  const real = await resolvePlace(places, path, 'write');
  try {
    const there = await stat(real).catch(() => undefined);
    if (there !== undefined && !there.isFile())
      throw new ToolFault(`${path} is ${there.isDirectory() ? 'a folder' : 'no file'}`);
    await mkdir(dirname(real), { recursive: true });
    await writeFile(real, content);
    const lines = content === '' ? 0 : content.replace(/\n$/, '').split('\n').length;
    return `${there ? 'replaced' : 'made'} ${namePlace(places, real)} (${counted(lines, 'line')})`;
  } catch (error) {
    throw explainPath(error, path);
  }
}
