/** The structured result of a run: what the agent is told of its schema, how it is read from the answer, and what is wrong with it. */
import { runInNewContext } from 'node:vm';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { isObject, type JsonObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import { utf8Bytes } from '../../contract/sizes.ts';

const structuredBytesMax = 256 * 1024;
/** A schema can hold an expression that no text ever gets through. */
const checkMs = 2000;
const faultsShown = 5;

export type StructuredResult =
  | { readonly isValid: true; readonly value: unknown }
  | {
      readonly isValid: false;
      /** What is wrong, for whoever repairs it. */
      readonly fault: string;
    };

/** What stands behind the instructions of a run with a schema. */
export function describeSchema(schema: JsonObject): string {
  return `# Form of the final answer

End with one JSON document that satisfies this JSON Schema, and with nothing else: no text before or after it.

\`\`\`json
${JSON.stringify(schema, null, 2)}
\`\`\``;
}

/** The next prompt for an agent whose answer does not satisfy the schema. */
export function askForRepair(fault: string): string {
  return `Your final answer does not have the form that was asked for: ${fault}.

Answer once more, with nothing but the JSON document that satisfies the schema of your instructions.`;
}

/** Why a schema cannot be used; undefined when it can. */
export function refuseSchema(schema: JsonObject): string | undefined {
  const bytes = utf8Bytes(JSON.stringify(schema));
  if (bytes > structuredBytesMax) return `is ${bytes} bytes long; it takes ${structuredBytesMax}`;
  try {
    check(schema, null);
    return undefined;
  } catch (error) {
    return `is no JSON Schema: ${messageOf(error)}`;
  }
}

/** Reads an answer: a JSON document by itself, or the last fenced block of one. */
export function readStructured(schema: JsonObject, answer: string): StructuredResult {
  const document = findDocument(answer);
  if (document === undefined) return { isValid: false, fault: 'it is no JSON document' };
  const bytes = utf8Bytes(JSON.stringify(document.value));
  if (bytes > structuredBytesMax)
    return { isValid: false, fault: `it is ${bytes} bytes long, and may have ${structuredBytesMax}` };
  try {
    const faults = check(schema, document.value);
    return faults.length === 0
      ? { isValid: true, value: document.value }
      : { isValid: false, fault: printFaults(faults) };
  } catch (error) {
    return { isValid: false, fault: `it cannot be checked: ${messageOf(error)}` };
  }
}

function findDocument(answer: string): { readonly value: unknown } | undefined {
  const fenced = [...answer.matchAll(/^[ \t]*```(?:json)?[ \t]*\r?\n([\s\S]*?)^[ \t]*```[ \t]*$/gim)].at(-1)?.[1];
  for (const text of [answer, fenced]) {
    if (text === undefined) continue;
    try {
      return { value: JSON.parse(text) };
    } catch {
      // The next place is looked at.
    }
  }
  return undefined;
}

const options: Options = {
  allErrors: true,
  // Formats and keywords that are not known here are notes for the agent.
  strict: false,
  validateFormats: false,
  logger: false,
};

/** Every fault of a value. Throws for what is no schema, and where it takes too long. */
function check(schema: JsonObject, value: unknown): readonly ErrorObject[] {
  const validate = (): readonly ErrorObject[] => {
    const isOlder = typeof schema.$schema === 'string' && schema.$schema.includes('draft-07');
    const compiled = (isOlder ? new Ajv(options) : new Ajv2020(options)).compile(schema);
    return compiled(value) ? [] : (compiled.errors ?? []);
  };
  // Only there can an endless expression be stopped.
  return runInNewContext('validate()', { validate }, { timeout: checkMs }) as readonly ErrorObject[];
}

function printFaults(faults: readonly ErrorObject[]): string {
  const lines = faults.slice(0, faultsShown).map(({ instancePath, message = 'is wrong', keyword, params }) => {
    const which = keyword === 'additionalProperties' ? ` (${JSON.stringify(params.additionalProperty)})` : '';
    return `${instancePath.slice(1) || 'the document'}: ${ellipsis(`${message}${which}`, 200)}`;
  });
  return [...lines, ...(faults.length > faultsShown ? [`and ${faults.length - faultsShown} more`] : [])].join('; ');
}

function messageOf(error: unknown): string {
  return isObject(error) && typeof error.message === 'string' ? ellipsis(error.message, 300) : String(error);
}
