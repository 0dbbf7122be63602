import { isUtf8 } from 'node:buffer';
import { writeFile } from 'node:fs/promises';
import { counted } from '../../../../../base/text.ts';
import { readTextBytes, toByteString } from './file-text.ts';
import { replaceText, withLf } from './line-ends.ts';
import { namePlace, type Places, resolvePlace } from './places.ts';
import { explainPath, ToolFault } from './tool-fault.ts';

export interface EditInput {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
}

/** Replaces a text that occurs exactly once, or all occurrences. All other bytes stay, even if they are not UTF-8. */
export async function editFile(places: Places, { path, old_text, new_text, replace_all }: EditInput): Promise<string> {
  const [from, to] = [withLf(old_text), withLf(new_text)];
  if (from === '') throw new ToolFault('old_text is empty; create new files with the write tool');
  if (old_text === new_text) throw new ToolFault('old_text and new_text are the same');
  if (from === to)
    throw new ToolFault('old_text and new_text differ only in their line endings; change those with the shell tool');
  const real = await resolvePlace(places, path, 'write');
  try {
    const bytes = readTextBytes(real, path);
    const isForeign = !isUtf8(bytes);
    const { text, count } = replaceText(bytes.toString('latin1'), toByteString(from), toByteString(to));
    if (count === 0) {
      const hint = isForeign && from.includes('\uFFFD') ? '. The file is not UTF-8: leave out text shown as �' : '';
      throw new ToolFault(
        `old_text is not in ${path}; it must match exactly, including spaces, and without the line numbers of the read tool${hint}`,
      );
    }
    if (count > 1 && replace_all !== true)
      throw new ToolFault(
        `old_text occurs ${count} times in ${path}; include more of the surrounding lines, or set replace_all to change all of them`,
      );
    // In UTF-8 they would be different characters than in the file.
    if (isForeign && /[^\0-\x7f]/.test(to))
      throw new ToolFault(`${path} is not UTF-8, and new_text is not plain ASCII; use the shell tool for this change`);
    await writeFile(real, text, 'latin1');
    return `changed ${counted(count, 'place')} in ${namePlace(places, real)}`;
  } catch (error) {
    throw explainPath(error, path);
  }
}
