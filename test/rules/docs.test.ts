import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { expect, test } from 'vitest';
import { readDocPages } from '../../scripts/doc-pages.ts';
import { tables } from '../../scripts/doc-tables.ts';
import { onTimeoutMs } from '../../src/action/follow/follow-run.ts';
import { reportTimes } from '../../src/action/report/report-time.ts';
import { sizes } from '../../src/contract/tables/sizes.ts';

const root = resolve(import.meta.dirname, '../..');
const pages = readDocPages();
const texts = [
  ...readdirSync(root).filter(file => file.endsWith('.md')),
  ...['docs', 'examples'].flatMap(folder =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(file => file.endsWith('.md'))
      .map(file => join(folder, file).split(sep).join('/')),
  ),
].map(path => ({ path, text: readFileSync(join(root, path), 'utf8').replace(/^```[\s\S]*?^```$/gm, '') }));

test('every table in the docs says what its source says', () => {
  expect(pages.filter(page => page.text !== page.freshText).map(page => page.path)).toEqual([]);
});

test('every table stands somewhere, with rows', () => {
  const all = pages.map(page => page.text).join('\n');
  expect(Object.keys(tables).filter(name => !all.includes(`<!-- table:${name} -->`))).toEqual([]);
  expect(Object.entries(tables).filter(([, print]) => print().split('\n').length < 3)).toEqual([]);
});

test('the lease that the action’s page names is the one that it asks for', () => {
  const named = [...(texts.find(({ path }) => path === 'docs/action.md')?.text ?? '').matchAll(/(\d+) seconds/g)];
  expect(named.map(match => Number(match[1])).filter(seconds => seconds > 60)).toEqual([sizes.followerLeaseSeconds]);
});

test('what a step may take after its time is on the action’s page as it is in the code', () => {
  const page = texts.find(({ path }) => path === 'docs/action.md')?.text ?? '';
  const said = /up to (\d+)\s+seconds\s+to\s+stop the run and two\s+minutes for its reports/.exec(page)?.[1];
  expect(Number(said) * 1000).toBe(onTimeoutMs.requestMs + onTimeoutMs.lookMs);
  expect(reportTimes.wholeMs).toBe(2 * 60_000);
});

test('every link between pages leads to a file, and to a heading where it names one', () => {
  const links = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)/g)].map(([, file = '', heading]) => ({
      path,
      file: file === '' ? join(root, path) : resolve(root, dirname(path), file),
      heading,
    })),
  );
  expect(links.length).toBeGreaterThan(20);
  const broken = links.filter(
    ({ file, heading }) => !existsSync(file) || (heading !== undefined && !headingsOf(file).includes(heading)),
  );
  expect(broken).toEqual([]);
});

test('every source file that a page names is there', () => {
  const named = texts.flatMap(({ path, text }) =>
    [...text.matchAll(/`((?:[\w.-]+\/)+[\w.-]+\.(?:ts|js|ya?ml))`/g)].map(([, file = '']) => ({ path, file })),
  );
  expect(named.length).toBeGreaterThan(40);
  const places = [root, join(root, 'src'), join(root, 'src/server')];
  expect(named.filter(({ file }) => !places.some(place => existsSync(join(place, file))))).toEqual([]);
});

/** As GitHub names them. */
function headingsOf(file: string): readonly string[] {
  return [...readFileSync(file, 'utf8').matchAll(/^#+ (.+)$/gm)].map(match =>
    (match[1] ?? '')
      .toLowerCase()
      .replace(/[^\w\- ]/g, '')
      .replaceAll(' ', '-'),
  );
}
