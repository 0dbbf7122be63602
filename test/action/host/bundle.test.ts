/** The committed bundle, where there is nothing else. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { builtinAdapter } from '../../../src/server/harness/agents/builtin/builtin.ts';
import { createFakeRunner, startModelServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const dist = join(root, 'dist');
const scripts = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.js'))
  .map(entry => join(entry.parentPath, entry.name));

/** Started by the server, and loaded by nobody. */
const programs = ['watchdog.js', 'builtin-agent.js'];

/** The action in an empty folder outside of the repository, with no packages. */
function copyAction(): string {
  const folder = createTempFolder();
  cpSync(dist, join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'action.yml'), join(folder, 'action.yml'));
  return folder;
}

/** Paths of packages as esbuild notes them above their code. */
function packagesIn(files: readonly string[]): readonly string[] {
  const names = files.flatMap(file =>
    [
      ...readFileSync(file, 'utf8').matchAll(
        /^\s*\/\/ node_modules\/(?:.*node_modules\/)?((?:@[^/\n]+\/)?[^/\n]+)\//gm,
      ),
    ].map(match => match[1] ?? ''),
  );
  return [...new Set(names)].sort();
}

/** The file with all that it imports at once. */
function closureOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(/^(?:import|export|\}) (?:.*from )?"(\.[^"]+)";$/gm))
    closureOf(resolve(dirname(file), path), seen);
  return seen;
}

test('the bundle alone starts, and a step without a task says what is missing', async () => {
  const runner = await createFakeRunner({ actionDir: copyAction() });
  onTestFinished(() => runner.close());
  const main = await runner.startStep({ inputs: { base_url: 'http://127.0.0.1:9', api_key: 'a-key-of-a-test' } }).done;
  expect(main.outcome).toBe('failure');
  expect(main.annotations.map(({ level, message }) => `${level}: ${message}`).join()).toMatch(/^error: .*`prompt`/);
  expect((await runner.post())[0]?.outcome).toBe('success');
});

test('every file of the bundle can be loaded by itself, with the names that it is loaded for', async () => {
  const folder = join(copyAction(), 'dist');
  const names = readdirSync(folder).filter(name => name.endsWith('.js') && !programs.includes(name));
  const code = `for (const name of ${JSON.stringify(names)}) await import(${JSON.stringify(pathToFileURL(`${folder}/`).href)} + name);
    const { parse } = await import(${JSON.stringify(pathToFileURL(join(folder, 'yaml.js')).href)});
    process.stdout.write(JSON.stringify(parse('a: [1]')));`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: folder,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const chunks: Buffer[] = [];
  child.stdout.on('data', chunk => chunks.push(chunk));
  expect(await once(child, 'close')).toEqual([0, null]);
  expect(Buffer.concat(chunks).toString()).toBe('{"a":[1]}');
});

test('no file tells where the bundle was made, and there are no source maps', () => {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  expect(files.filter(({ name }) => name.endsWith('.map'))).toEqual([]);
  const telling = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(file => /sourceMappingURL=/.test(readFileSync(file, 'utf8')) || readFileSync(file, 'utf8').includes(root));
  expect(telling).toEqual([]);
});

test('licenses.txt names every package that is in the bundle, with its licence', () => {
  const packages = packagesIn(scripts);
  expect(packages.length).toBeGreaterThan(5);
  const [, ...licences] = readFileSync(join(dist, 'licenses.txt'), 'utf8').split(/^=== (?=\S+ \S+ \(.+\) ===$)/m);
  // One of them is there in two versions.
  expect([...new Set(licences.map(text => text.split(' ')[0] ?? ''))].sort()).toEqual(packages);
  for (const text of licences) expect(text).toMatch(/permission|licensed under|redistribution/i);
});

test('what is loaded before the first request is our own code and the retry loop, in few files', () => {
  const loaded = [...closureOf(join(dist, 'main/index.js'))];
  expect(loaded.length).toBeLessThanOrEqual(3);
  expect(packagesIn(loaded)).toEqual(['is-network-error', 'p-retry']);
  const text = loaded.map(file => readFileSync(file, 'utf8')).join('\n');
  // Of GitHub's side only the file that opens it when it is needed.
  const github = [...text.matchAll(/\n\/\/ src\/action\/github\/(.+)/g)].map(([, file]) => file);
  expect(github).toEqual(['step-github.ts']);
  for (const late of ['action/embedded', 'server/']) expect(text).not.toContain(`\n// src/${late}`);
});

test('the server in the step finds its watchdog beside the file that starts it, and it ends with its orders', async () => {
  const homes = scripts.filter(file => readFileSync(file, 'utf8').includes('// src/server/executor/watchdog-link.ts'));
  expect(homes.map(file => dirname(file))).toEqual([dist]);
  expect(existsSync(join(dist, 'watchdog.js'))).toBe(true);
  const child = spawn(process.execPath, [join(copyAction(), 'dist/watchdog.js'), 'no-server'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end('{"kind":"goodbye"}\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('the built-in agent of the server in the step is a program beside the file that starts it, with all that it needs', async () => {
  const source = '// src/server/harness/agents/builtin/builtin.ts';
  const homes = scripts.filter(file => readFileSync(file, 'utf8').includes(source));
  expect(homes.map(file => dirname(file))).toEqual([dist]);
  const folder = createTempFolder();
  const model = await startModelServer([{ tools: [{ shell: 'echo hello' }] }, { text: 'Done.' }]);
  onTestFinished(() => model.close());
  const child = spawn(process.execPath, [join(copyAction(), 'dist/builtin-agent.js')], {
    env: { PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin } = builtinAdapter.launch({
    runId: 'run',
    prompt: 'Do it.',
    instructions: '',
    model: 'm-1',
    endpoint: { api: 'openai-responses', root: model.url, apiKey: 'a-key-of-a-test' },
    mcpServers: [{ type: 'stdio', name: 'lost', command: 'no-such-server', args: [], env: {}, required: false }],
    skills: [],
    workspace: folder,
    stateDir: folder,
    tempDir: folder,
    variables: {},
    newSessionId: 'a',
    resume: undefined,
    stepsMax: 3,
  });
  child.stdin.end(stdin);
  const [printed] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(printed.trimEnd().split('\n').at(-1)).toBe('{"end":{"kind":"succeeded","text":"Done."}}');
  expect(model.requests[1]?.toolResults[0]?.text).toBe('hello');
  expect(printed).toContain('the MCP server lost cannot be used');
});
