export type TomlValue = string | number | boolean | readonly string[] | TomlTable;
export type TomlTable = { readonly [key: string]: TomlValue };

/** Prints a TOML document: tables are headed sections after the plain values of their table. */
export function printToml(table: TomlTable): string {
  return `${printTable(table, []).join('\n')}\n`;
}

function printTable(table: TomlTable, path: readonly string[]): readonly string[] {
  const entries = Object.entries(table);
  const own = entries.flatMap(([key, value]) => (isTable(value) ? [] : [`${printKey(key)} = ${printValue(value)}`]));
  const below = entries.flatMap(([key, value]) => (isTable(value) ? printTable(value, [...path, key]) : []));
  const heading = path.length === 0 ? [] : [`[${path.map(printKey).join('.')}]`];
  return [...heading, ...own, ...below];
}

function printKey(key: string): string {
  return /^[A-Za-z0-9_-]+$/.test(key) ? key : printString(key);
}

function isTable(value: TomlValue): value is TomlTable {
  return typeof value === 'object' && !Array.isArray(value);
}

function printValue(value: Exclude<TomlValue, TomlTable>): string {
  if (typeof value === 'string') return printString(value);
  return Array.isArray(value) ? `[${value.map(printString).join(', ')}]` : String(value);
}

/** JSON strings are valid TOML, except for the character DEL and lone surrogates. */
function printString(text: string): string {
  return JSON.stringify(text.toWellFormed()).replaceAll('\x7f', '\\u007f');
}
