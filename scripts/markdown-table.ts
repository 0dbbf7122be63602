/** A Markdown table whose columns line up but for the last, where long texts stand. */
export function printTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const cells = [heads, ...rows].map(row => row.map(cell => cell.replace(/\s+/g, ' ').replaceAll('|', '\\|')));
  const last = heads.length - 1;
  const widths = heads.map((head, column) =>
    column === last ? Math.max(3, head.length) : Math.max(3, ...cells.map(row => row[column]?.length ?? 0)),
  );
  const printRow = (row: readonly string[]) =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = cells;
  return [printRow(head), `|${widths.map(width => '-'.repeat(width + 2)).join('|')}|`, ...body.map(printRow)].join(
    '\n',
  );
}

/** Pages show what a doc comment begins with; editors show all of it. */
export function firstSentence(text: string): string {
  return /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text;
}

export function code(text: string): string {
  return `\`${text}\``;
}
