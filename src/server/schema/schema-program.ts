/** The thread that compiles JSON Schemas and checks documents with them (schema-thread.ts). */
import { parentPort } from 'node:worker_threads';
import { Ajv, type ErrorObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { messageOf } from '../../base/cause.ts';
import { ellipsis } from '../../base/text.ts';
import type { SchemaAnswer, SchemaQuestion } from './schema-thread.ts';

const faultsShown = 5;

const options: Options = {
  allErrors: true,
  // Unknown formats and keywords are notes for the agent.
  strict: false,
  validateFormats: false,
  // `constructor` is not a property of `{}`.
  ownProperties: true,
  logger: false,
};

parentPort?.on('message', (question: SchemaQuestion) => parentPort?.postMessage(answer(question)));
parentPort?.postMessage('ready');

function answer({ schema, document }: SchemaQuestion): SchemaAnswer {
  try {
    // Ajv's own keyword, which makes the check a promise. Ajv refuses it itself below the root.
    if ('$async' in schema) return { refused: '"$async" is not a JSON Schema keyword; remove it' };
    const isOlder = typeof schema.$schema === 'string' && schema.$schema.includes('draft-07');
    const check = (isOlder ? new Ajv(options) : new Ajv2020(options)).compile(schema);
    const isValid: unknown = check(document === undefined ? null : JSON.parse(document));
    if (typeof isValid !== 'boolean') return { refused: 'its check gives no result' };
    return { faults: isValid ? [] : printFaults(check.errors ?? []) };
  } catch (error) {
    return { refused: ellipsis(messageOf(error), 300) };
  }
}

function printFaults(faults: readonly ErrorObject[]): readonly string[] {
  const lines = faults.slice(0, faultsShown).map(({ instancePath, message = 'is wrong', keyword, params }) => {
    const which = keyword === 'additionalProperties' ? ` (${JSON.stringify(params.additionalProperty)})` : '';
    return `${instancePath.slice(1) || 'the document'}: ${ellipsis(`${message}${which}`, 200)}`;
  });
  return [...lines, ...(faults.length > faultsShown ? [`and ${faults.length - faultsShown} more`] : [])];
}
