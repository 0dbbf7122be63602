import { writeFile } from 'node:fs/promises';
import { counted } from '../../../../../base/text.ts';
import { readText } from './file-text.ts';
import { namePlace, type Places, resolvePlace } from './places.ts';
import { explainPath, ToolFault } from './tool-fault.ts';

export interface EditInput {
  readonly path: string;
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean | undefined;
}

/** Replaces a text that occurs exactly once, or everywhere. */
export async function editFile(places: Places, { path, old_text, new_text, replace_all }: EditInput): Promise<string> {
  if (old_text === '') throw new ToolFault('old_text is empty; make a new file with the tool write');
  if (old_text === new_text) throw new ToolFault('old_text and new_text are the same');
  const real = await resolvePlace(places, path, 'write');
  try {
    const text = await readText(real, path);
    const [from, to] = fitLineEnds(text, old_text, new_text);
    const count = text.split(from).length - 1;
    if (count === 0)
      throw new ToolFault(
        `old_text is not in ${path}; it has to be there to the letter, with its blanks, and without the line numbers of the tool read`,
      );
    if (count > 1 && replace_all !== true)
      throw new ToolFault(
        `old_text is in ${path} ${count} times; give more of the lines around it, or set replace_all to change all of them`,
      );
    await writeFile(real, text.split(from).join(to));
    return `changed ${counted(count, 'place')} in ${namePlace(places, real)}`;
  } catch (error) {
    throw explainPath(error, path);
  }
}

/** A model does not see the line ends of Windows, and writes others. */
function fitLineEnds(text: string, from: string, to: string): readonly [string, string] {
  if (text.includes(from) || !text.includes('\r\n')) return [from, to];
  const windows = (part: string): string => part.replace(/\r?\n/g, '\r\n');
  return [windows(from), windows(to)];
}
