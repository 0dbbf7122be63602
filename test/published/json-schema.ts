/** JSON Schemas for the shapes of the public interface. Members that a shape does not name are allowed. */
import { type PublishedClient, type WordList, wordsOf } from './words.ts';

export type Schema = Readonly<Record<string, unknown>>;
export type Members = Readonly<Record<string, Schema>>;

export const text: Schema = { type: 'string' };
export const flag: Schema = { type: 'boolean' };
export const integer: Schema = { type: 'integer' };
export const amount: Schema = { type: 'number', minimum: 0 };
export const count: Schema = { type: 'integer', minimum: 0 };
export const anything: Schema = {};
/** RFC 3339 with a zone. */
export const time: Schema = {
  type: 'string',
  pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)$',
};
/** ISO 8601. */
export const duration: Schema = {
  type: 'string',
  pattern: '^P(?=[\\dT])(\\d+D)?(T(\\d+H)?(\\d+M)?(\\d+(\\.\\d+)?S)?)?$',
};
export const address: Schema = { type: 'string', pattern: '^https?://\\S+$' };
export const uuid: Schema = {
  type: 'string',
  pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$',
};

export function object(required: Members, optional: Members = {}): Schema {
  return { type: 'object', required: Object.keys(required), properties: { ...required, ...optional } };
}

export function list(items: Schema, more: Schema = {}): Schema {
  return { type: 'array', items, ...more };
}

export function map(values: Schema): Schema {
  return { type: 'object', additionalProperties: values };
}

export function orNull(schema: Schema): Schema {
  return { anyOf: [schema, { type: 'null' }] };
}

/** One of the words that the client knows; anything where it does not look at the member. */
export function word(name: WordList, client: PublishedClient): Schema {
  const known = wordsOf(name, client);
  return known.length === 0 ? anything : { enum: known };
}

/** The shape of an object is chosen by the value of one of its members. */
export function byTag(tag: string, shapes: Readonly<Record<string, Members>>, common: Members = {}): Schema {
  return {
    type: 'object',
    discriminator: { propertyName: tag },
    required: [tag],
    oneOf: Object.entries(shapes).map(([value, members]) => object({ [tag]: { const: value }, ...common, ...members })),
  };
}
