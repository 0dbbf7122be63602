/** The JSON document that an agent's answer is, or ends with. */
import { drawnText } from './terminal-text.ts';

/** Most bytes of one that is not the whole answer. */
export const documentBytesMax = 256 * 1024;
/**
 * Of a longer answer, blocks are searched in the last part of this size: the parser takes two seconds for a list of a
 * megabyte.
 */
const blockUnitsMax = 2 * documentBytesMax;
/** Limit on places where a document may begin. An answer of nothing but brackets has many. */
const triedCharactersMax = 16 * 1024 * 1024;

/**
 * With or without terminal formatting. Only the end of the answer counts. Earlier text may be an example or the schema
 * itself.
 */
export async function findDocument(answer: string): Promise<{ readonly value: unknown } | undefined> {
  for (const text of [answer, drawnText(answer)]) {
    const found = parseJson(text) ?? parseJson(await findLastBlock(text)) ?? findLastLines(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code of the last block, if nothing follows it. */
async function findLastBlock(text: string): Promise<string> {
  const { readFencedBlocks } = await import('./fenced-blocks.ts');
  const answer = text.slice(-blockUnitsMax);
  const last = readFencedBlocks(answer).at(-1);
  if (last === undefined || !['', 'json'].includes(last.language)) return '';
  const { code, line } = last;
  const behind = answer.split(/\r\n|\r|\n/).slice(line + code.split('\n').length);
  return behind.some(text => text.trim() !== '') ? '' : code;
}

/** The object or array that starts at a line start and ends with the text. There is at most one. */
function findLastLines(answer: string): { readonly value: unknown } | undefined {
  const tail = answer.slice(-documentBytesMax);
  const starts = [...tail.matchAll(/^[[{]/gm)].map(({ index }) => index);
  let triedCharacters = 0;
  for (const start of starts.toReversed()) {
    triedCharacters += tail.length - start;
    if (triedCharacters > triedCharactersMax) return undefined;
    const found = parseJson(tail.slice(start));
    // A part of a broken document does not count.
    if (found !== undefined) return isWithinAnother(tail.slice(0, start)) ? undefined : found;
  }
  return undefined;
}

/**
 * Whether brackets of a document are still open at the end of the text. A document has no empty lines, and its
 * strings end within their line.
 */
function isWithinAnother(text: string): boolean {
  let open = 0;
  // The document ends with the end of a line.
  for (const line of text.split(/\r\n|\r|\n/).slice(0, -1)) {
    if (line.trim() === '') open = 0;
    else if (open > 0 || /^[[{]/.test(line)) open = Math.max(0, open + countOpen(line));
  }
  return open > 0;
}

/** How many more brackets a line opens than it closes, outside its strings. */
function countOpen(line: string): number {
  let count = 0;
  let isText = false;
  for (let at = 0; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === '"') isText = !isText;
    else if (isText && character === '\\') at += 1;
    else if (!isText && '[{'.includes(character)) count += 1;
    else if (!isText && ']}'.includes(character)) count -= 1;
  }
  return count;
}

function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
