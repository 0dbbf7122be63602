import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { join, resolve, sep } from 'node:path';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { build } from 'esbuild';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { afterAll, expect, test } from 'vitest';
import { runCommand, startCommand } from '../cli/command.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { fenced } from '../support/test-server.ts';
import { packPackage } from './packed.ts';

const root = resolve(import.meta.dirname, '../..');
const packed = packPackage();
afterAll(() => packed[Symbol.dispose]());

const files = readdirSync(packed.folder, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile())
  .map(entry => join(entry.parentPath, entry.name))
  .map(path => ({
    path: path
      .slice(packed.folder.length + 1)
      .split(sep)
      .join('/'),
    text: readFileSync(path, 'utf8'),
  }));

const manifest = JSON.parse(files.find(({ path }) => path === 'package.json')?.text ?? '');

/** What a bundler makes of a module that imports the package, minified. */
async function bundle(code: string, resolveDir = packed.consumer) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
  });
  const [file] = outputFiles;
  if (file === undefined) throw new Error('no bundle');
  return { text: file.text, bytes: file.contents.length, gzipBytes: gzipSync(file.contents).length };
}

test('publint has nothing against the package', async () => {
  const { messages, pkg } = await publint({ pkgDir: packed.folder, strict: true, pack: false });
  expect(messages.map(message => formatMessage(message, pkg, { color: false }))).toEqual([]);
});

test('its types are right for every way to resolve them', async () => {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(packed.tarball)));
  const problems = 'problems' in result ? result.problems : ['there are no types'];
  // CommonJS loads an ES module by import() only: the package is ESM by design. And what is not the main entry
  // cannot be found by compilers that know no `exports`.
  const meant = [
    { kind: 'CJSResolvesToESM' },
    { kind: 'NoResolution', entrypoint: './testing', resolutionKind: 'node10' },
  ];
  const isMeant = (problem: unknown) =>
    meant.some(one => Object.entries(one).every(([key, value]) => Reflect.get(Object(problem), key) === value));
  expect(problems.filter(problem => !isMeant(problem))).toEqual([]);
});

test('it holds its own files and nothing of this machine, of the tests or of the sources', () => {
  expect(files.map(({ path }) => path)).toEqual(expect.arrayContaining(['package.json', 'README.md', 'LICENSE']));
  const strange = /\.test\.|\btests?\/|(?<!\.d)\.ts$|\.map$|node_modules|^js\/(action|apply|cli|demo)\//;
  expect(files.filter(({ path }) => strange.test(path)).map(({ path }) => path)).toEqual([]);
  // Bundled code has words that begin like the home folder of root.
  const machine = [root, packed.consumer, `${process.env.HOME ?? root}/`];
  expect(files.filter(({ text }) => machine.some(path => text.includes(path))).map(({ path }) => path)).toEqual([]);
});

test('the README leads to nothing that is not in the package, or on the page that it names', () => {
  const texts = files.filter(({ path }) => path.endsWith('.md'));
  const links = texts.flatMap(({ text }) => [...text.matchAll(/\]\(([^)#\s]+)/g)].map(([, to = '']) => to));
  expect(links.length).toBeGreaterThan(1);
  const repository = 'https://github.com/YOUR-ORG/agent-run';
  const isThere = (link: string) => {
    if (link === repository) return true;
    if (link.startsWith(`${repository}/blob/main/`))
      return existsSync(join(root, link.slice(`${repository}/blob/main/`.length)));
    return files.some(({ path }) => path === link.replace(/^\.\//, ''));
  };
  expect(links.filter(link => !isThere(link))).toEqual([]);
  // What needs the clone is of no use beside the package.
  expect(texts.filter(({ text }) => /git clone|npm ci|npm start|in a clone/.test(text))).toEqual([]);
});

test('it needs no other package, and what programs are bundled with names none', () => {
  const code = files.filter(({ path }) => path.startsWith('js/'));
  expect(code.length).toBeGreaterThan(40);
  const foreign = code.flatMap(({ text }) =>
    [...text.matchAll(/\b(?:from|import)\s*\(?\s*['"]([^.'"][^'"]*)['"]/g)].map(([, name = '']) => name),
  );
  expect(manifest).not.toHaveProperty('dependencies');
  expect(foreign.filter(name => !isBuiltin(name))).toEqual([]);
  expect(code.filter(({ text }) => /\bzod\b|\bz\.\w/.test(text)).map(({ path }) => path)).toEqual([]);
});

test('it has the license of every package that is bundled', () => {
  const licenses = files.find(({ path }) => path === 'licenses.txt')?.text ?? '';
  for (const name of ['hono', 'kysely', 'p-retry', 'yaml', 'zod']) expect(licenses).toContain(`=== ${name} `);
});

test('the bare Node of the machine imports the client and the test helpers', () => {
  const source = `
    import { AgentRuns, isFinal } from 'agent-run';
    import { createFakeRunner } from 'agent-run/testing';
    console.log(typeof AgentRuns, isFinal('FAILED'), typeof createFakeRunner);
  `;
  const said = execFileSync(process.execPath, ['--input-type=module', '--eval', source], {
    cwd: packed.consumer,
    encoding: 'utf8',
  });
  expect(said.trim()).toBe('function true function');
});

test('the command runs a program on its server, which checks the answer and keeps a watchdog', async () => {
  const program = join(packed.folder, 'bin/agent-run.js');
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), 'harnesses: { script: {} }\n');
  const server = startCommand(['serve', '--port', '0'], { cwd, program });
  await server.says('API key');
  const schema = '{"type":"object","required":["count"]}';
  const run = (script: string) =>
    runCommand(['run', '--output-schema', schema, '--prompt', fenced(script)], { cwd, program });
  expect(await run(`echo '{"count":7}'`)).toMatchObject({ code: 0 });
  expect(await run(`echo '{}'`)).toMatchObject({ code: 1 });
  server.child.kill('SIGTERM');
  const { code, stderr } = await server.ended;
  expect(code).toBe(0);
  expect(stderr).not.toContain('watchdog');
});

test('the built-in agent starts', () => {
  const program = join(packed.folder, 'bundle/builtin-agent.js');
  expect(execFileSync(process.execPath, [program, '--version'], { encoding: 'utf8' })).toContain(manifest.version);
});

test('who takes a function or an error of the client gets little more than that', async () => {
  expect((await bundle("export { isFinal } from 'agent-run'")).bytes).toBeLessThan(1000);
  expect((await bundle("export { RunLostError } from 'agent-run'")).bytes).toBeLessThan(1000);
  const client = await bundle("export { AgentRuns } from 'agent-run'");
  expect(client.text).not.toMatch(/\bzod\b|node:/i);
});

test('the whole client with all that it needs is no larger than it was, measured against oz-agent-sdk', async () => {
  // The aim is below 1; `npm run bench client` shows the numbers. p-retry took the last sixth.
  const most = { bytes: 2.49, gzipBytes: 2.55 };
  const [ours, theirs] = await Promise.all([
    bundle("export { AgentRuns } from 'agent-run'"),
    bundle("export { default } from 'oz-agent-sdk'", root),
  ]);
  expect(ours.bytes / theirs.bytes).toBeLessThan(most.bytes);
  expect(ours.gzipBytes / theirs.gzipBytes).toBeLessThan(most.gzipBytes);
});
