/**
 * The schemas of MCP tools. A schema that every provider accepts is passed on unchanged. Providers refuse a whole
 * request if one tool's schema is not a plain object at its root, so such a root is rewritten as the closest object.
 */
import { isObject, type JsonObject } from '../../../../../base/json.ts';

/** Keywords that providers refuse at the root. The last five cannot be rewritten as an object. */
const rootWords = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'enum', 'const'];
/** Limit on nested parts, which may refer to each other in a circle. */
const depthMax = 10;
/** Limit on all parts: references to references can expand to millions. */
const partsMax = 10_000;

/**
 * The schema to send, and the rules it lost. Throws RangeError with the end of a sentence if it cannot be an object.
 */
export function readToolSchema(given: unknown): { readonly schema: JsonObject; readonly lost?: JsonObject } {
  if (!isObject(given)) throw new RangeError('it has no `inputSchema`');
  const isOpen = given.properties === undefined && isObject(given.additionalProperties);
  const isRefused = Object.entries(given).some(([word, value]) => value === null || rootWords.includes(word));
  if (given.type === 'object' && (isObject(given.properties) || isOpen) && !isRefused) return { schema: given };
  const [type, { properties, required }] = ['object', readObject(given, { root: given, parts: 0 }, 0)];
  // Some languages print null for an empty list.
  const kept = Object.entries(given).filter(([word, value]) => value !== null && !rootWords.includes(word));
  const lost = Object.entries(given).filter(([word]) => rootWords.indexOf(word) > 1);
  const schema = { ...Object.fromEntries(kept), type, properties, required };
  return lost.length === 0 ? { schema } : { schema, lost: Object.fromEntries(lost) };
}

type ObjectParts = { readonly properties: JsonObject; readonly required: readonly string[] };

type Reading = { readonly root: JsonObject; parts: number };

function readObject(schema: unknown, reading: Reading, depth: number): ObjectParts {
  reading.parts += 1;
  if (reading.parts > partsMax) throw new RangeError(`its \`inputSchema\` has more than ${partsMax} parts`);
  if (!isObject(schema) || depth > depthMax) throw new RangeError('its `inputSchema` cannot be read as an object');
  const { $ref: link, type = 'object', properties, required } = schema;
  if (type !== 'object' && !(Array.isArray(type) && type.includes('object')))
    throw new RangeError(`its \`inputSchema\` must have the type "object", not ${JSON.stringify(type)}`);
  const partsOf = (word: string): readonly ObjectParts[] => {
    const parts: readonly unknown[] = Array.isArray(schema[word]) ? schema[word] : [];
    return parts
      .filter(part => !isObject(part) || part.type !== 'null')
      .map(part => readObject(part, reading, depth + 1));
  };
  const own = {
    properties: isObject(properties) ? properties : {},
    required: Array.isArray(required) ? required.filter(name => typeof name === 'string') : [],
  };
  const target = link === undefined ? [] : [readObject(follow(link, reading.root), reading, depth + 1)];
  const any = ['anyOf', 'oneOf'].map(word => join(partsOf(word), 'anyOf'));
  return join([own, ...target, ...partsOf('allOf'), ...any], 'allOf');
}

function follow(link: unknown, root: JsonObject): unknown {
  const steps = String(link).split('/').slice(1);
  return steps.reduce<unknown>((at, step) => (isObject(at) ? at[step] : undefined), root);
}

function join(parts: readonly ObjectParts[], word: 'allOf' | 'anyOf'): ObjectParts {
  const properties: Record<string, unknown> = {};
  for (const [name, value] of parts.flatMap(part => Object.entries(part.properties))) {
    const there = properties[name];
    const isNew = there === undefined || JSON.stringify(there) === JSON.stringify(value);
    properties[name] = isNew ? value : { [word]: [there, value] };
  }
  const required = [...new Set(parts.flatMap(part => part.required))];
  const isRequired = (name: string) => word === 'allOf' || parts.every(part => part.required.includes(name));
  return { properties, required: required.filter(isRequired) };
}
