import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, posix, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../src/action');
/** What is loaded before an agent of the step starts, in files and folders. */
const early = ['connect/', 'embedded/', 'inputs/', 'start/', 'github/step-github.ts'];

/** Files of src/action that a file imports when it needs them. */
function lateImportsOf(path: string): readonly string[] {
  const text = readFileSync(join(root, path), 'utf8');
  return [...text.matchAll(/\bimport\('(\.[^']+)'\)/g)].map(([, to = '']) => posix.join(posix.dirname(path), to));
}

test('nothing of the action is read from its folder for the first time after an agent of the step has started', () => {
  const loaded = lateImportsOf('report/late-code.ts');
  const paths = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter(path => path.endsWith('.ts'));
  const late = paths.filter(path => !early.some(place => path.startsWith(place))).flatMap(lateImportsOf);
  expect(late.filter(path => !loaded.includes(path))).toEqual([]);
  // The one that the gate loads is used at the end as well.
  expect(lateImportsOf('github/step-github.ts').filter(path => !loaded.includes(path))).toEqual([]);
});

/** The files that load together with a file of ours, which imports them at its top. */
function closureOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, to = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export)(?! type)[^;]*?from '(\.[^']+)';/gms,
  ))
    closureOf(resolve(dirname(file), to), seen);
  return seen;
}

test('the code that posts a review loads nothing later', () => {
  const files = [...closureOf(join(root, '../apply/review-in-step.ts'))];
  expect(files).toContain(resolve(root, '../apply/secret-scan.ts'));
  expect(files.filter(file => file.includes('/apply/') && /\bimport\(/.test(readFileSync(file, 'utf8')))).toEqual([]);
});
