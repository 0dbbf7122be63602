import { LineCounter, parseDocument } from 'yaml';
import { ConfigError, type ConfigFile, configFileSchema } from './config-schema.ts';
import { checkValue } from './fault-text.ts';

type Path = readonly PropertyKey[];

export interface ReadConfigFile {
  readonly settings: ConfigFile;
  /** `FILE:LINE:COLUMN: KEY` of a setting or of its nearest parent: the beginning of a sentence. */
  place(path: Path): string;
}

/** Parses a configuration file. Throws ConfigError with every fault: file, line, key and the nearest known key. */
export function readConfigFile(text: string, fileName: string): ReadConfigFile {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const placeOf = (offset: number) => {
    const { line, col } = lines.linePos(offset);
    return `${fileName}:${line}:${col}`;
  };
  if (document.errors.length > 0)
    throw new ConfigError(document.errors.map(error => `${placeOf(error.pos[0])}: ${error.message}`));
  const place = (path: Path) =>
    [placeOf(offsetOf(document, path)), ...(path.length > 0 ? [path.join('.')] : [])].join(': ');
  const checked = checkValue(configFileSchema, document.toJS() ?? {});
  if ('data' in checked) return { settings: checked.data, place };
  const { faults, count } = checked;
  const listed = faults.map(({ path, message }) => `${place(path)}: ${path.length === 0 ? 'the file ' : ''}${message}`);
  const left = count - listed.length;
  throw new ConfigError(left > 0 ? [...listed, `and ${left} more`] : listed);
}

/** The offset of the deepest existing node on `path`. */
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
