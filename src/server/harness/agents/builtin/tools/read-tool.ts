import { isUtf8 } from 'node:buffer';
import { counted, ellipsis } from '../../../../../base/text.ts';
import { decodeText, readTextBytes } from './file-text.ts';
import { type Places, resolvePlace } from './places.ts';
import { explainPath, ToolFault } from './tool-fault.ts';

export interface ReadInput {
  readonly path: string;
  readonly offset?: number | undefined;
  readonly limit?: number | undefined;
}

const linesMax = 2000;
const charactersMax = 60_000;
const lineLength = 2000;

/** Lines of a text file, each after its number and a tab, and how to request the rest. */
export async function readFileLines(
  places: Places,
  { path, offset = 1, limit = linesMax }: ReadInput,
): Promise<string> {
  const real = await resolvePlace(places, path, 'read');
  let bytes: Buffer;
  try {
    bytes = readTextBytes(real, path);
  } catch (error) {
    throw explainPath(error, path);
  }
  const text = decodeText(bytes);
  if (text === '') return `${path} is empty`;
  const lines = text.replace(/\n$/, '').split('\n');
  if (offset > lines.length) throw new ToolFault(`${path} has only ${counted(lines.length, 'line')}`);
  const shown: string[] = [];
  let characters = 0;
  for (const line of lines.slice(offset - 1, offset - 1 + Math.min(limit, linesMax))) {
    const numbered = `${offset + shown.length}\t${ellipsis(line.replace(/\r$/, ''), lineLength)}`;
    characters += numbered.length + 1;
    if (characters > charactersMax && shown.length > 0) break;
    shown.push(numbered);
  }
  const next = offset + shown.length;
  const rest = next <= lines.length ? `\n[${lines.length} lines in total; continue with offset ${next}]` : '';
  const note = isUtf8(bytes) ? '' : '\n[not UTF-8: � stands for other bytes, which the edit tool keeps]';
  return `${shown.join('\n')}${rest}${note}`;
}
