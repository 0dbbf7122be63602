/**
 * The structured result of a run: how the agent is told about its schema, how it is read from the answer, and what is
 * wrong with it.
 */
import { isDeepStrictEqual } from 'node:util';
import { isNestedBeyond, type JsonObject } from '../../base/json.ts';
import { documentBytesMax, findDocument } from '../../border/last-document.ts';
import { sizes, utf8Bytes } from '../../contract/tables/sizes.ts';
import { askSchema } from './schema-thread.ts';

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
  if (bytes > documentBytesMax) return { fault: `is ${bytes} bytes long; it takes ${documentBytesMax}` };
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
  if (bytes > documentBytesMax)
    return { isValid: false, fault: `it is ${bytes} bytes long; the limit is ${documentBytesMax}` };
  if (isDeepStrictEqual(found.value, schema)) return { isValid: false, fault: 'it is the schema itself' };
  const checked = await askSchema({ schema, document });
  const why = 'unasked' in checked ? checked.unasked : 'refused' in checked ? checked.refused : undefined;
  if (why !== undefined || !('faults' in checked)) return { isValid: false, fault: `it cannot be checked: ${why}` };
  return checked.faults.length === 0
    ? { isValid: true, value: JSON.parse(document) }
    : { isValid: false, fault: checked.faults.join('; ') };
}
