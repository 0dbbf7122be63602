/** `fail_when`: a condition on the structured result. A condition that cannot be checked never lets a step pass. */
import { quoteText as quote } from '../../base/document.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import { didYouMean } from '../../base/wording/nearest.ts';

export interface Condition {
  /** As written. */
  readonly text: string;
  readonly path: readonly string[];
  readonly isNegated: boolean;
  readonly values: readonly string[];
}

/** `fault` completes a sentence that begins with the result. */
export type Judgment = { readonly isMet: boolean; readonly found: string } | { readonly fault: string };

const form = /^([\w-]+(?:\.[\w-]+)*)\s*(==|!=)\s*(.+)$/;
const value = /"(?:[^"\\]|\\.)*"|'[^']*'|[\w./:+-]+/;
const list = new RegExp(`^\\[\\s*(?:${value.source})(?:\\s*,\\s*(?:${value.source}))*\\s*\\]$`);
const single = new RegExp(`^(?:${value.source})$`);

/** Undefined if the text is not a condition. */
export function parseCondition(text: string): Condition | undefined {
  const [, path = '', operator, right = ''] = form.exec(text) ?? [];
  if (operator === undefined || !(single.test(right) || list.test(right))) return undefined;
  const words = right.match(new RegExp(value, 'g')) ?? [];
  return { text, path: path.split('.'), isNegated: operator === '!=', values: words.map(removeQuotes) };
}

function removeQuotes(word: string): string {
  if (word.startsWith("'")) return word.slice(1, -1);
  return word.startsWith('"') ? word.slice(1, -1).replace(/\\(.)/g, '$1') : word;
}

/** Compares as text, so that `ok == false` needs no types: the schema has them. */
export function judgeCondition({ path, isNegated, values }: Condition, structured: unknown): Judgment {
  if (structured === undefined) return { fault: 'the run has no structured result' };
  let found: unknown = structured;
  for (const [depth, name] of path.entries()) {
    const holder: unknown = found;
    found = isObject(holder) && Object.hasOwn(holder, name) ? holder[name] : undefined;
    if (Array.isArray(holder) && /^\d+$/.test(name)) found = holder[Number(name)];
    if (found === undefined) return { fault: `the structured result has no \`${path.slice(0, depth + 1).join('.')}\`` };
  }
  if (typeof found === 'object' && found !== null)
    return { fault: `\`${path.join('.')}\` of the structured result is not a single value` };
  const isSame = (text: string) =>
    text === String(found) || (typeof found === 'number' && text.trim() !== '' && Number(text) === found);
  return { isMet: values.some(isSame) !== isNegated, found: String(found) };
}

/** Finds a path or value that the schema rules out: a typo. Undefined if there is none. */
export function findMismatch({ path, values }: Condition, schema: JsonObject): string | undefined {
  let part: unknown = schema;
  for (const [depth, name] of path.entries()) {
    // Other keywords may add members, so only plain schemas can rule one out.
    if (!isObject(part) || Object.keys(part).some(key => openKeywords.has(key))) return;
    if (typesOf(part).join() === 'array') {
      if (!/^\d+$/.test(name))
        return `\`${path.slice(0, depth).join('.')}\` is a list in \`output_schema\`, so a number must follow it, not ${quote(name)}`;
      part = part.items;
      continue;
    }
    if (!isObject(part.properties)) return;
    const { properties } = part;
    if (!Object.hasOwn(properties, name))
      return `\`output_schema\` has no ${quote(name)}${didYouMean(name, Object.keys(properties)) || `. It has ${Object.keys(properties).join(', ')}`}`;
    part = properties[name];
  }
  if (!isObject(part)) return;
  const { fits, words } = describeValues(part);
  const wrong = values.find(text => !fits(text));
  return wrong === undefined
    ? undefined
    : `\`output_schema\` does not allow ${quote(wrong)} for \`${path.join('.')}\`${didYouMean(wrong, words) || `. It allows ${words.join(', ')}`}`;
}

/** In a schema, `null` is allowed next to another type. */
function typesOf({ type }: JsonObject): readonly unknown[] {
  return [type].flat().filter(name => name !== 'null' && name !== undefined);
}

function describeValues(part: JsonObject): Values {
  if (Array.isArray(part.enum)) return valuesOf(part.enum.map(String));
  const kinds = typesOf(part).map(type => valuesByType.get(type));
  if (kinds.length === 0 || kinds.includes(undefined)) return { fits: () => true, words: [] };
  const all = [...kinds, ...([part.type].flat().includes('null') ? [valuesOf(['null'])] : [])];
  return { fits: text => all.some(kind => kind?.fits(text)), words: all.flatMap(kind => kind?.words ?? []) };
}

interface Values {
  readonly fits: (text: string) => boolean;
  /** What it allows, as words. */
  readonly words: readonly string[];
}

function valuesOf(words: readonly string[]): Values {
  return { fits: text => words.includes(text), words };
}

const isNumber = (text: string) => text.trim() !== '' && Number.isFinite(Number(text));

/** Without strings, which may be anything. */
const valuesByType: ReadonlyMap<unknown, Values> = new Map([
  ['boolean', valuesOf(['true', 'false'])],
  ['integer', { fits: text => isNumber(text) && Number.isInteger(Number(text)), words: ['a whole number'] }],
  ['number', { fits: isNumber, words: ['a number'] }],
]);

const openKeywords: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties', 'prefixItems'],
]);
