import { isObject, type JsonObject } from '../../../base/json.ts';

const depthAtMost = 8;

/** `input` with minimal values for other members that a JSON Schema requires, such as a description or a flag. */
export function fillRequired(schema: unknown, input: JsonObject, depth = 0): JsonObject {
  if (!isObject(schema) || !Array.isArray(schema.required)) return input;
  const properties = isObject(schema.properties) ? schema.properties : {};
  const missing = schema.required.filter(
    (name): name is string => typeof name === 'string' && !Object.hasOwn(input, name),
  );
  return { ...Object.fromEntries(missing.map(name => [name, createValue(properties[name], depth)])), ...input };
}

/** A value that matches the schema, as far as types, constants, enums and required members go. */
export function createValue(schema: unknown, depth = 0): unknown {
  if (!isObject(schema) || depth > depthAtMost) return 'scripted';
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  const choices = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(choices)) return createValue(choices[0], depth + 1);
  const type = String(Array.isArray(schema.type) ? schema.type[0] : schema.type).toLowerCase();
  if (type === 'object') return fillRequired(schema, {}, depth + 1);
  if (type === 'array') return [];
  if (type === 'boolean') return false;
  if (type === 'null') return null;
  if (type === 'number' || type === 'integer') return typeof schema.minimum === 'number' ? schema.minimum : 1;
  return 'scripted';
}
