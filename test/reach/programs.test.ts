/** The packed client, imported by name from node_modules, in the runtimes that have such folders. */
import { execFile, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { openTestServer } from '../support/test-server.ts';
import { expectedReport } from './exercise.ts';
import { bun, deno, prepareExercise, testOn } from './runtime.ts';

const prepared = await prepareExercise();
afterAll(() => prepared[Symbol.dispose]());
writeFileSync(join(prepared.folder, 'package.json'), '{ "type": "module", "dependencies": { "agent-run": "*" } }');
writeFileSync(
  join(prepared.folder, 'program.js'),
  `import { exercise } from './exercise.js';
  // Where the environment may be read, address and key come from there.
  const [baseUrl, apiKey] = typeof Deno === 'undefined' ? [] : Deno.args;
  console.log(JSON.stringify(await exercise({ baseUrl, apiKey })));`,
);

/** The report of a program that has to end by itself. */
async function runProgram(
  command: string,
  args: (baseUrl: string, apiKey: string) => readonly string[],
): Promise<unknown> {
  const { url, key } = await openTestServer();
  const { stdout } = await promisify(execFile)(command, args(url, key), {
    cwd: prepared.folder,
    env: { PATH: process.env.PATH, HOME: prepared.folder, AGENT_RUN_BASE_URL: url, AGENT_RUN_API_KEY: key },
    timeout: 50_000,
  });
  return JSON.parse(stdout);
}

test('the packed client works in bare Node', async () => {
  // CI names the Nodes of other versions here.
  const node = process.env.AGENT_RUN_TEST_NODE ?? process.execPath;
  expect(await runProgram(node, () => ['program.js'])).toEqual(expectedReport);
});

const node20 = (process.env.PATH ?? '')
  .split(delimiter)
  .map(folder => join(folder, 'node'))
  .find(node => /^v20\./.test(spawnSync(node, ['--version'], { encoding: 'utf8' }).stdout ?? ''));

test.skipIf(node20 === undefined)('the packed client works in Node 20', async () => {
  expect(await runProgram(node20 ?? '', () => ['program.js'])).toEqual(expectedReport);
});

testOn(deno, 'the packed client works in Deno, where it may use the network alone', async () => {
  const flags = ['--no-prompt', '--no-remote', '--no-lock', '--node-modules-dir=manual', '--allow-net=127.0.0.1'];
  expect(await runProgram(deno.path, (url, key) => ['run', ...flags, 'program.js', url, key])).toEqual(expectedReport);
});

testOn(bun, 'the packed client works in Bun', async () => {
  expect(await runProgram(bun.path, () => ['run', '--no-install', 'program.js'])).toEqual(expectedReport);
});
