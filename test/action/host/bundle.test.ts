/** The committed bundle, alone in a folder. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { modelApis } from '../../../src/server/harness/agents/adapter.ts';
import { builtinAdapter } from '../../../src/server/harness/agents/builtin/builtin.ts';
import { createFakeRunner, startModelServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../../..');
const dist = join(root, 'dist');
const scripts = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter(entry => entry.isFile() && entry.name.endsWith('.js'))
  .map(entry => join(entry.parentPath, entry.name));

/** Copies the action to an empty folder outside the repository, without packages. */
function copyAction(): string {
  const folder = createTempFolder();
  cpSync(dist, join(folder, 'dist'), { recursive: true });
  cpSync(join(root, 'action.yml'), join(folder, 'action.yml'));
  return folder;
}

/** Lists a file's sources and packages from its first lines. */
function sourcesOf(file: string): readonly string[] {
  const [head = ''] = /^(?:\/\/ .*\n)*/.exec(readFileSync(file, 'utf8')) ?? [];
  return [...head.matchAll(/^\/\/ (.+)$/gm)].map(([, source = '']) => source);
}

/** Lists the packages in these files, from their first lines and from ncc's notes above the code. */
function packagesIn(files: readonly string[]): readonly string[] {
  const noted = files.flatMap(file =>
    [...readFileSync(file, 'utf8').matchAll(/^;\/\/ CONCATENATED MODULE: \.\/(node_modules\/.+)$/gm)].map(
      ([, path = '']) => path,
    ),
  );
  const names = [...files.flatMap(sourcesOf), ...noted].flatMap(
    path => /^(?:.*\/)?node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  return [...new Set(names)].sort();
}

/** A file with everything that it imports statically. */
function closureOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  if (seen.has(file)) return seen;
  seen.add(file);
  for (const [, path = ''] of readFileSync(file, 'utf8').matchAll(
    /^(?:import|export) (?:.*from )?["'](\.[^"']+)["'];$/gm,
  ))
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

test("the step's whole code loads in a folder without node_modules", async () => {
  const folder = join(copyAction(), 'dist');
  const chunks = readdirSync(folder).flatMap(name =>
    name.endsWith('.index.js')
      ? (/^export const \w*ids = \[(\d+)/m.exec(readFileSync(join(folder, name), 'utf8'))?.[1] ?? [])
      : [],
  );
  expect(chunks.length).toBeGreaterThan(5);
  const load = `await Promise.all(${JSON.stringify(chunks)}.map(chunk => __nccwpck_require__.e(chunk)));
    const ids = Object.keys(__nccwpck_require__.m);
    for (const id of ids) await __nccwpck_require__(id);
    process.stdout.write(String(ids.length));`;
  appendFileSync(join(folder, 'index.js'), load);
  const child = spawn(process.execPath, [join(folder, 'index.js')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [printed, ended] = await Promise.all([text(child.stdout), once(child, 'close')]);
  expect(ended).toEqual([0, null]);
  expect(Number(printed)).toBeGreaterThan(100);
});

test.skipIf(process.platform === 'win32')(
  'the bundle alone runs an agent in the step: a command in YAML, with a result schema',
  async () => {
    const runner = await createFakeRunner({ actionDir: copyAction() });
    onTestFinished(() => runner.close());
    const main = await runner.startStep({
      inputs: {
        prompt: 'Say it.',
        command: '- sh\n- -c\n- \'echo "{\\"said\\": true}" > "$AGENT_RUN_RESULT"\'\n',
        output_schema: '{ "type": "object", "required": ["said"] }',
        github_token: 'none',
      },
    }).done;
    expect(main.outputs).toMatchObject({ conclusion: 'succeeded', result: expect.stringContaining('"said"') });
    expect(main.summary).toContain('said');
    expect((await runner.post())[0]?.outcome).toBe('success');
  },
);

test.skipIf(process.platform === 'win32')('the step does not run code that its agent rewrites', async () => {
  const actionDir = copyAction();
  const runner = await createFakeRunner({ actionDir });
  onTestFinished(() => runner.close());
  const marker = join(createTempFolder(), 'marker');
  const evil = `process.getBuiltinModule("node:fs").writeFileSync(${JSON.stringify(marker)}, import.meta.url);`;
  const script = [
    `for file in '${join(actionDir, 'dist')}'/*.js; do printf '%s' '${evil}' > "$file"; done`,
    `echo '{ "said": true }' > "$AGENT_RUN_RESULT"`,
  ].join('\n');
  const main = await runner.startStep({
    inputs: {
      prompt: 'Say it.',
      command: JSON.stringify(['sh', '-c', script]),
      output_schema: '{ "type": "object", "required": ["said"] }',
      github_token: 'none',
    },
  }).done;
  expect([main.outputs.conclusion, main.outputs.failure_reason]).toEqual(['succeeded', '']);
  expect(existsSync(marker)).toBe(false);
});

test('no file reveals where the bundle was made, and there are no source maps', () => {
  const files = readdirSync(dist, { recursive: true, withFileTypes: true }).filter(entry => entry.isFile());
  expect(files.filter(({ name }) => name.endsWith('.map'))).toEqual([]);
  const telling = files
    .map(({ parentPath, name }) => join(parentPath, name))
    .filter(file => /sourceMappingURL=/.test(readFileSync(file, 'utf8')) || readFileSync(file, 'utf8').includes(root));
  expect(telling).toEqual([]);
});

test('licenses.txt lists every bundled package with its license', () => {
  const packages = packagesIn(scripts);
  expect(packages.length).toBeGreaterThan(5);
  const [, ...licences] = readFileSync(join(dist, 'licenses.txt'), 'utf8').split(/^=== (?=\S+ \S+ \(.+\) ===$)/m);
  // One of them is bundled in two versions.
  expect([...new Set(licences.map(text => text.split(' ')[0] ?? ''))].sort()).toEqual(packages);
  for (const text of licences) expect(text).toMatch(/permission|licensed under|redistribution/i);
});

test('only our code, the toolkit and the retry loop load before the first request, in three files', () => {
  const loaded = [...closureOf(join(dist, 'main/index.js'))];
  expect(loaded).toEqual(['main/index.js', 'index.js', 'unused.js'].map(file => join(dist, file)));
  expect(packagesIn(loaded)).toEqual([
    '@actions/core',
    '@actions/exec',
    '@actions/http-client',
    '@actions/io',
    'is-network-error',
    'p-retry',
    'tunnel',
  ]);
  const sources = loaded.flatMap(sourcesOf);
  expect(sources).toContain('src/action/run-action.ts');
  // Only the GitHub file that opens the rest on demand.
  expect(sources.filter(source => source.startsWith('src/action/github/'))).toEqual([
    'src/action/github/step-github.ts',
  ]);
  expect(sources.filter(source => /^src\/(action\/embedded|server)\//.test(source))).toEqual([]);
});

test('code imported in two places comes from the same files, so it is not read again', () => {
  const files = scripts.filter(file => /^([\w-]+\.)?index\.js$/.test(basename(file)) && dirname(file) === dist);
  const imports = files.flatMap(file => [
    ...readFileSync(file, 'utf8').matchAll(/\/\* import\(\) \*\/ ?(.+?)\.then\([^;]*?, (\d+)(?:, \d+)?\)\)/g),
  ]);
  const places = Map.groupBy(imports, ([, , module]) => module);
  expect(imports.length).toBeGreaterThan(places.size);
  const chunks = [...places.values()].map(
    all => new Set(all.map(([, from = '']) => from.match(/\d+/g)?.sort().join())),
  );
  expect(chunks.filter(({ size }) => size !== 1)).toEqual([]);
});

test.each([
  ['watchdog.js', 'src/server/executor/cleanup/watchdog-link.ts'],
  ['builtin-agent.js', 'src/server/harness/agents/builtin/builtin.ts'],
  ['schema-program.js', 'src/server/schema/schema-thread.ts'],
])('%s is in the folder of the file that starts it', (program, source) => {
  const homes = scripts.filter(file => sourcesOf(file).includes(source));
  expect(homes.map(file => dirname(file))).toEqual([dist]);
  expect(existsSync(join(dist, program))).toBe(true);
});

test('the watchdog of the server in the step ends when its orders end', async () => {
  const child = spawn(process.execPath, [join(copyAction(), 'dist/watchdog.js'), 'no-server'], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end('{"kind":"goodbye"}\n');
  expect(await once(child, 'exit')).toEqual([0, null]);
});

// A proxy that loopback does not use makes the agent load its proxy code.
test.each(modelApis)("the bundle's built-in agent works with a model of the API %s", async api => {
  const folder = createTempFolder();
  const model = await startModelServer([{ tools: [{ shell: 'echo hello' }] }, { text: 'Done.' }]);
  onTestFinished(() => model.close());
  const child = spawn(process.execPath, [join(copyAction(), 'dist/builtin-agent.js')], {
    env: { PATH: process.env.PATH, HTTPS_PROXY: 'http://127.0.0.1:9' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const { stdin } = builtinAdapter.launch({
    prompt: 'Do it.',
    instructions: '',
    model: 'm-1',
    endpoint: { api, root: model.url, apiKey: 'a-key-of-a-test' },
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
