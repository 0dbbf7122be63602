import { LineCounter, parseDocument } from 'yaml';
import { z } from 'zod';
import { didYouMean } from '../base/nearest.ts';
import { ConfigError, type ConfigFile, configFileSchema } from './config-schema.ts';

type Path = readonly PropertyKey[];

/** Reads the text of a configuration file. Throws ConfigError with every fault: file, line, key and the nearest known key. */
export function readConfigFile(text: string, fileName: string): ConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${fileName}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new ConfigError(document.errors.map(error => `${placeOf(error.pos[0])}: ${error.message}`));
  const parsed = configFileSchema.safeParse(document.toJS() ?? {});
  if (parsed.success) return parsed.data;
  throw new ConfigError(
    parsed.error.issues.flatMap(issue =>
      faultsOf(issue).map(({ path, message }) => `${placeOf(offsetOf(document, path))}: ${path.join('.')}: ${message}`),
    ),
  );
}

function faultsOf(issue: z.core.$ZodIssue): readonly { path: Path; message: string }[] {
  if (issue.code === 'unrecognized_keys') {
    const known = knownKeys(configFileSchema, issue.path);
    return issue.keys.map(key => ({
      path: [...issue.path, key],
      message: `unknown key${didYouMean(key, known)}${known.length === 0 ? '' : ` (known here: ${known.join(', ')})`}`,
    }));
  }
  // A name that the schema takes for one's own, such as a harness, may be a known key with a slip.
  const known = knownKeys(configFileSchema, issue.path.slice(0, -1));
  const key = String(issue.path.at(-1));
  return [{ path: issue.path, message: `${issue.message}${known.includes(key) ? '' : didYouMean(key, known)}` }];
}

/** The offset of the deepest node that exists on the way to `path`. */
function offsetOf(document: ReturnType<typeof parseDocument>, path: Path): number {
  let node: unknown = document.contents;
  let offset = rangeStart(node) ?? 0;
  for (const part of path) {
    const pair = isMap(node) ? node.items.find(item => keyText(item.key) === String(part)) : undefined;
    if (pair === undefined) break;
    offset = rangeStart(pair.key) ?? offset;
    node = pair.value;
  }
  return offset;
}

interface MapNode {
  readonly items: readonly { readonly key: unknown; readonly value: unknown }[];
}

function isMap(node: unknown): node is MapNode {
  return typeof node === 'object' && node !== null && 'items' in node && Array.isArray(node.items);
}

function rangeStart(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node) || !Array.isArray(node.range)) return undefined;
  const start: unknown = node.range[0];
  return typeof start === 'number' ? start : undefined;
}

function keyText(key: unknown): string {
  return typeof key === 'object' && key !== null && 'value' in key ? String(key.value) : String(key);
}

/** The keys that the schema knows at a place. */
function knownKeys(schema: z.core.$ZodType, path: Path): readonly string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return knownKeys(schema.unwrap(), path);
  if (schema instanceof z.ZodRecord) return path.length === 0 ? [] : knownKeys(schema.valueType, path.slice(1));
  if (!(schema instanceof z.ZodObject)) return [];
  const [first, ...rest] = path;
  if (first === undefined) return Object.keys(schema.shape);
  const next: z.core.$ZodType | undefined = schema.shape[String(first)] ?? schema.def.catchall;
  return next === undefined ? [] : knownKeys(next, rest);
}
