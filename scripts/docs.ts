/**
 * `npm run docs`: prints the tables of the docs into their places, `<!-- table:NAME -->` to `<!-- /table -->`.
 * `npm run docs -- --check`: writes nothing, and fails when a page is stale.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readDocPages } from './doc-pages.ts';
import { root } from './doc-tables.ts';

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
const stale = readDocPages().filter(page => page.text !== page.freshText);
if (values.check) {
  if (stale.length > 0) {
    console.error(`stale: ${stale.map(page => page.path).join(', ')}; run \`npm run docs\``);
    process.exitCode = 1;
  }
} else
  for (const { path, freshText } of stale) {
    writeFileSync(join(root, path), freshText);
    console.log(`wrote ${path}`);
  }
