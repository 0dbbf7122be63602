/**
 * The structured result of a run: how the agent is told about its schema, how it is read from the answer, and what is
 * wrong with it.
 */
import { isDeepStrictEqual } from 'node:util';
import { isNestedBeyond, type JsonObject } from '../../base/json.ts';
import { drawnText } from '../../border/terminal-text.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { askSchema } from './schema-thread.ts';

const structuredBytesMax = 256 * 1024;
/**
 * Of a longer answer, blocks are searched in the last part of this size: the parser takes two seconds for a list of a
 * megabyte.
 */
const blockUnitsMax = 2 * structuredBytesMax;
/** Limit on places where a document may begin. An answer of nothing but brackets has many. */
const triedCharactersMax = 16 * 1024 * 1024;

const noDocument = 'it does not end with a JSON document, by itself or in a block of code with nothing behind it';

export type StructuredResult =
  | { readonly isValid: true; readonly value: unknown }
  | {
      readonly isValid: false;
      /** Faults, for the reader who fixes them. */
      readonly fault: string;
    };

/** The end of the instructions of a run with a schema. */
export function describeSchema(schema: JsonObject): string {
  return `# Form of the final answer

End with one JSON document that satisfies this JSON Schema, and with nothing else: no text before or after it.

\`\`\`json
${JSON.stringify(schema, null, 2)}
\`\`\``;
}

/** The next prompt for an agent whose answer does not match the schema. */
export function askForRepair(fault: string): string {
  return `Your final answer does not have the form that was asked for: ${fault}.

Answer once more, with nothing but the JSON document that satisfies the schema of your instructions.`;
}

/** Why a schema cannot be used or checked now. Undefined if it can be used. Aborting the signal drops the check. */
export async function refuseSchema(
  schema: JsonObject,
  signal?: AbortSignal,
): Promise<{ readonly fault: string } | { readonly unasked: string } | undefined> {
  const bytes = utf8Bytes(JSON.stringify(schema));
  if (bytes > structuredBytesMax) return { fault: `is ${bytes} bytes long; it takes ${structuredBytesMax}` };
  const answer = await askSchema({ schema }, signal);
  if ('unasked' in answer) return answer;
  return 'refused' in answer ? { fault: `is not a usable JSON Schema: ${answer.refused}` } : undefined;
}

/**
 * Reads an answer, with or without terminal formatting: a JSON document by itself or, at the end, one in a fenced
 * block or an object or array that starts at a line start. A repeated schema, as in an answer that repeats its task,
 * does not count.
 */
export async function readStructured(schema: JsonObject, answer: string): Promise<StructuredResult> {
  const found = await findDocument(answer);
  if (found === undefined) return { isValid: false, fault: noDocument };
  if (isNestedBeyond(found.value, sizes.jsonLevels))
    return { isValid: false, fault: `it is nested deeper than ${sizes.jsonLevels} levels` };
  // As it will be stored: a number that is too large becomes null.
  const document = JSON.stringify(found.value);
  const bytes = utf8Bytes(document);
  if (bytes > structuredBytesMax)
    return { isValid: false, fault: `it is ${bytes} bytes long; the limit is ${structuredBytesMax}` };
  if (isDeepStrictEqual(found.value, schema)) return { isValid: false, fault: 'it is the schema itself' };
  const checked = await askSchema({ schema, document });
  const why = 'unasked' in checked ? checked.unasked : 'refused' in checked ? checked.refused : undefined;
  if (why !== undefined || !('faults' in checked)) return { isValid: false, fault: `it cannot be checked: ${why}` };
  return checked.faults.length === 0
    ? { isValid: true, value: JSON.parse(document) }
    : { isValid: false, fault: checked.faults.join('; ') };
}

/** Only the end of the answer counts. Earlier text may be an example or the schema itself. */
async function findDocument(answer: string): Promise<{ readonly value: unknown } | undefined> {
  for (const text of [answer, drawnText(answer)]) {
    const found = parseJson(text) ?? parseJson(await findLastBlock(text)) ?? findLastLines(text);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The code of the last block, if nothing follows it. */
async function findLastBlock(text: string): Promise<string> {
  const { readFencedBlocks } = await import('../harness/fenced-blocks.ts');
  const answer = text.slice(-blockUnitsMax);
  const last = readFencedBlocks(answer).at(-1);
  if (last === undefined || !['', 'json'].includes(last.language)) return '';
  const { code, line } = last;
  const behind = answer.split(/\r\n|\r|\n/).slice(line + code.split('\n').length);
  return behind.some(text => text.trim() !== '') ? '' : code;
}

/** The object or array that starts at a line start and ends with the text. There is at most one. */
function findLastLines(answer: string): { readonly value: unknown } | undefined {
  const tail = answer.slice(-structuredBytesMax);
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
