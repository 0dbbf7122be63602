/** The bundle of apply, alone in a folder. */
import { cpSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeRunner } from '../../src/testing/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const dist = join(root, 'apply/dist');
const texts = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => ({ name: entry.name, text: readFileSync(join(entry.parentPath, entry.name), 'utf8') }));
const sources = texts.flatMap(({ text }) => {
  const [head = ''] = /^(?:\/\/ .*\n)*/.exec(text) ?? [];
  return [...head.matchAll(/^\/\/ (.+)$/gm)].map(([, source = '']) => source);
});

test('it starts without the rest of the repository', async () => {
  const folder = createTempFolder();
  cpSync(join(root, 'apply'), folder, { recursive: true });
  const runner = await createFakeRunner({ actionDir: folder });
  onTestFinished(() => runner.close());
  const step = await runner.startStep({ inputs: { github_token: 'a-token-of-a-test', result: '{}' } }).done;
  expect(step.outputs.failure_reason).toContain('nothing is asked for');
});

test('it holds neither the server nor an agent', () => {
  expect(sources).toContain('src/apply/apply-answer.ts');
  expect(sources.filter(source => /^src\/(server|web|action\/(embedded|start|follow|report))\//.test(source))).toEqual(
    [],
  );
  expect(sources.filter(source => /node_modules\/(@ai-sdk|ai|hono|kysely|zod)\b/.test(source))).toEqual([]);
});

test('licenses.txt lists every bundled package, and no file tells where it was made', () => {
  const licences = texts.find(({ name }) => name === 'licenses.txt')?.text ?? '';
  const packages = sources.flatMap(path => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)$/.exec(path)?.[1] ?? []);
  expect(packages).toContain('@secretlint/core');
  expect(packages.filter(name => !licences.includes(`=== ${name} `))).toEqual([]);
  expect(texts.filter(({ text }) => text.includes(root)).map(({ name }) => name)).toEqual([]);
});
