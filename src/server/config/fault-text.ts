/**
 * Describes an invalid value for people who write a configuration or a request. The validator's own sentences name
 * its types. Nearly all faults follow one rule: what the schema expects, and what was given.
 */
import * as z from 'zod';
import { isObject, type JsonObject } from '../../base/json.ts';
import { ellipsis } from '../../base/text.ts';
import { didYouMean, nearest } from '../../base/wording/nearest.ts';

type Path = readonly PropertyKey[];

/** Finding words for a fault costs more than finding the fault, and a value can have one per member. */
const listedFaultsMax = 20;
/** Placeholder for issues without a message of their own. */
const noWords = '\0';

/** A value that does not match the schema. */
export interface Fault {
  readonly path: Path;
  /** Follows the path: `must be a string, not 5`. */
  readonly message: string;
}

/** Returns the parsed value, or its first faults and the number of all. A schema's own message takes precedence. */
export function checkValue<S extends z.ZodType>(
  schema: S,
  value: unknown,
): { readonly data: z.output<S> } | { readonly faults: readonly Fault[]; readonly count: number } {
  const parsed = schema.safeParse(value, { error: () => noWords });
  if (parsed.success) return { data: parsed.data };
  const { issues } = parsed.error;
  const faults = issues.slice(0, listedFaultsMax).flatMap(issue => listFaults(schema, value, issue));
  const count = issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0);
  return { faults: faults.slice(0, listedFaultsMax), count };
}

function listFaults(schema: z.core.$ZodType, root: unknown, issue: z.core.$ZodIssue): readonly Fault[] {
  if (issue.code !== 'unrecognized_keys')
    return [{ path: issue.path, message: `${describeIssue(schema, root, issue)}${guessName(schema, issue.path)}` }];
  const object = schemaAt(schema, issue.path);
  const known = object instanceof z.ZodObject ? Object.keys(object.shape) : [];
  return issue.keys.slice(0, listedFaultsMax).map(key => ({
    path: [...issue.path, key],
    message: `unknown key${didYouMean(key, known)}${known.length === 0 ? '' : ` (known keys: ${known.join(', ')})`}`,
  }));
}

/** Guesses a known name where a map accepts both known and custom names, such as harnesses. */
function guessName(schema: z.core.$ZodType, path: Path): string {
  for (const [index, part] of path.entries()) {
    const object = schemaAt(schema, path.slice(0, index));
    if (!(object instanceof z.ZodObject) || object.def.catchall === undefined) continue;
    const known = Object.keys(object.shape);
    const guess = known.includes(String(part)) ? undefined : nearest(String(part), known);
    if (guess !== undefined) return `. Did you mean "${guess}"?`;
  }
  return '';
}

function describeIssue(schema: z.core.$ZodType, root: unknown, issue: z.core.$ZodIssue): string {
  if (issue.message !== noWords) return issue.message;
  const { path } = issue;
  const value = valueAt(root, path);
  if (issue.code === 'invalid_key')
    return `its name ${issue.issues.map(inner => describeIssue(schema, value, inner)).join(' and ')}`;
  if (issue.code === 'too_big' && issue.origin === 'string') return `must have at most ${issue.maximum} characters`;
  if (issue.code === 'too_big' && issue.origin === 'array') return `must have at most ${issue.maximum} entries`;
  if (issue.code === 'too_small' && issue.origin === 'string') return 'must not be empty';
  const taken = printSchema(schemaAt(schema, path));
  const words = Array.isArray(taken.enum) ? taken.enum.map(String) : undefined;
  const guess = words !== undefined && typeof value === 'string' ? didYouMean(value, words) : '';
  if (value === undefined) return `is missing; it must be ${describeTaken(taken)}`;
  return `must be ${describeTaken(taken)}, not ${describeValue(value, mayBeCredential(taken))}${guess}`;
}

function describeValue(value: unknown, hideText: boolean): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return hideText ? 'a string' : JSON.stringify(ellipsis(value, 60));
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return Array.isArray(value) ? 'a list' : 'an object';
}

/** A string in place of a list or an object may be a credential, and faults appear in logs. */
function mayBeCredential({ type, enum: words }: JsonObject): boolean {
  return words === undefined && (type === undefined || type === 'array' || type === 'object');
}

function describeTaken({ type, enum: words, format, minimum, exclusiveMinimum, maximum }: JsonObject): string {
  if (Array.isArray(words)) return words.length === 1 ? String(words[0]) : `one of ${words.join(', ')}`;
  if (type === 'array') return 'a list';
  if (type === 'object') return 'an object';
  if (type === 'boolean') return 'true or false';
  if (type === 'string') return format === 'uri' ? 'a URL that starts with http:// or https://' : 'a string';
  if (type !== 'number' && type !== 'integer') return 'a different kind of value';
  const kind = type === 'integer' ? 'a whole number' : 'a number';
  if (minimum === undefined && exclusiveMinimum === undefined) return kind;
  const hasMost = typeof maximum === 'number' && maximum < Number.MAX_SAFE_INTEGER;
  if (exclusiveMinimum !== undefined)
    return `${kind} above ${exclusiveMinimum}${hasMost ? `, at most ${maximum}` : ''}`;
  return `${kind} from ${minimum}${hasMost ? ` to ${maximum}` : ''}`;
}

function printSchema(schema: z.core.$ZodType | undefined): JsonObject {
  if (schema === undefined) return {};
  const printed: unknown = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return isObject(printed) ? printed : {};
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce<unknown>(
    (value, key) => (typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined),
    root,
  );
}

/** Finds the schema of a path, without its optional wrapper. */
function schemaAt(schema: z.core.$ZodType, path: Path): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return schemaAt(schema.unwrap(), path);
  // A short form that is transformed to the long one.
  if (schema instanceof z.ZodPipe) return schemaAt(schema.def.out, path);
  const [first, ...rest] = path;
  if (first === undefined) return schema;
  const next = memberSchema(schema, first);
  return next === undefined ? undefined : schemaAt(next, rest);
}

function memberSchema(schema: z.core.$ZodType, key: PropertyKey): z.core.$ZodType | undefined {
  if (schema instanceof z.ZodRecord) return schema.valueType;
  if (schema instanceof z.ZodArray) return schema.element;
  if (schema instanceof z.ZodTuple) return schema.def.items[Number(key)] ?? schema.def.rest ?? undefined;
  if (schema instanceof z.ZodObject) return schema.shape[String(key)] ?? schema.def.catchall;
  return undefined;
}
