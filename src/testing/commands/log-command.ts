/** A line of a step's output that the runner obeys instead of showing it. */
export interface LogCommand {
  /** In lower case. */
  readonly name: string;
  /** By name in lower case. */
  readonly properties: ReadonlyMap<string, string>;
  readonly data: string;
}

/**
 * Reads a line like the real runner (its ActionCommand.cs): `::name key=value,key=value::data` after optional spaces,
 * or the older `##[name key=value;key=value]data` anywhere in the line. It is not a command if `isRegistered` does
 * not know the name.
 */
export function parseLogCommand(line: string, isRegistered: (name: string) => boolean): LogCommand | undefined {
  return parseColonForm(line, isRegistered) ?? parseBracketForm(line, isRegistered);
}

function parseColonForm(line: string, isRegistered: (name: string) => boolean): LogCommand | undefined {
  const text = line.replace(leadingBlanks, '');
  if (!text.startsWith('::')) return undefined;
  const end = text.indexOf('::', 2);
  if (end < 0) return undefined;
  return buildCommand({
    head: text.slice(2, end),
    data: unescapeText(text.slice(end + 2), dataEscapes),
    separator: ',',
    escapes: propertyEscapes,
    isRegistered,
  });
}

function parseBracketForm(line: string, isRegistered: (name: string) => boolean): LogCommand | undefined {
  const start = line.indexOf('##[');
  const end = line.indexOf(']', start);
  if (start < 0 || end < 0) return undefined;
  return buildCommand({
    head: line.slice(start + 3, end),
    data: unescapeText(line.slice(end + 1), bracketEscapes),
    separator: ';',
    escapes: bracketEscapes,
    isRegistered,
  });
}

function buildCommand(parts: {
  readonly head: string;
  readonly data: string;
  readonly separator: string;
  readonly escapes: Escapes;
  readonly isRegistered: (name: string) => boolean;
}): LogCommand | undefined {
  const space = parts.head.indexOf(' ');
  const name = (space < 0 ? parts.head : parts.head.slice(0, space)).toLowerCase();
  if (!parts.isRegistered(name)) return undefined;
  const properties = new Map<string, string>();
  for (const pair of space < 0
    ? []
    : parts.head
        .slice(space + 1)
        .trim()
        .split(parts.separator)) {
    const equals = pair.indexOf('=');
    const value = pair.slice(equals + 1);
    if (equals > 0 && value !== '')
      properties.set(pair.slice(0, equals).toLowerCase(), unescapeText(value, parts.escapes));
  }
  return { name, properties, data: parts.data };
}

type Escapes = readonly (readonly [escaped: string, plain: string])[];

// The percent sign is last in each, so that %250A becomes %0A and not a line break.
const dataEscapes: Escapes = [
  ['%0D', '\r'],
  ['%0A', '\n'],
  ['%25', '%'],
];
const propertyEscapes: Escapes = [['%3A', ':'], ['%2C', ','], ...dataEscapes];
const bracketEscapes: Escapes = [['%3B', ';'], ['%5D', ']'], ...dataEscapes];

function unescapeText(text: string, escapes: Escapes): string {
  return escapes.reduce((plain, [from, to]) => plain.replaceAll(from, to), text);
}

// White space by .NET's rules: includes NEL, but not a byte order mark.
const leadingBlanks = /^(?:(?!\uFEFF)[\s\u0085])+/;
