import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root, tables } from './doc-tables.ts';

export interface DocPage {
  /** Below the repository's root, with slashes. */
  readonly path: string;
  readonly text: string;
  /** What the page has to say. */
  readonly freshText: string;
}

/** Every page that has a place for a table, as it is and as it has to be. Throws for a place that names no table. */
export function readDocPages(): readonly DocPage[] {
  const paths = [
    'README.md',
    ...readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' }).map(path => join('docs', path)),
  ];
  return paths
    .filter(path => path.endsWith('.md'))
    .map(path => ({ path: path.split(sep).join('/'), text: readFileSync(join(root, path), 'utf8') }))
    .map(page => ({ ...page, freshText: fillTables(page) }))
    .filter(({ text }) => place.test(text));
}

const place = /^<!-- table:([\w-]+) -->$[\s\S]*?^<!-- \/table -->$/m;

function fillTables({ path, text }: { readonly path: string; readonly text: string }): string {
  return text.replace(new RegExp(place, 'gm'), (_all, name: string) => {
    const print = tables[name];
    if (print === undefined) throw new Error(`${path}: there is no table ${JSON.stringify(name)}`);
    return `<!-- table:${name} -->\n\n${print()}\n\n<!-- /table -->`;
  });
}
