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
  for (const name of path) {
    // Other keywords may add members, so only plain schemas can rule one out.
    if (!isObject(part) || !isObject(part.properties) || Object.keys(part).some(key => openKeywords.has(key))) return;
    const { properties } = part;
    if (!Object.hasOwn(properties, name))
      return `\`output_schema\` has no ${quote(name)}${didYouMean(name, Object.keys(properties)) || `. It has ${Object.keys(properties).join(', ')}`}`;
    part = properties[name];
  }
  if (!isObject(part) || !Array.isArray(part.enum)) return;
  const allowed = part.enum.map(String);
  const wrong = values.find(text => !allowed.includes(text));
  return wrong === undefined
    ? undefined
    : `\`output_schema\` does not allow ${quote(wrong)} for \`${path.join('.')}\`${didYouMean(wrong, allowed) || `. It allows ${allowed.join(', ')}`}`;
}

const openKeywords: ReadonlySet<string> = new Set([
  ...['$ref', '$dynamicRef', 'allOf', 'anyOf', 'oneOf', 'if', 'dependentSchemas', 'patternProperties'],
]);
