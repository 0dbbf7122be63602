import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { readServerConfig } from '../../src/server/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer } from '../support/test-server.ts';

/** The pages whose examples are programs. */
const pages = ['README.md', 'docs/client.md', 'docs/coming-from-another-client.md', 'docs/testing.md'];

const root = resolve(import.meta.dirname, '../..');
// Inside the repository, so that `agent-run` is found by its name.
const folder = join(root, 'build/doc-examples');
const examples = pages.flatMap(page =>
  readFencedBlocks(readFileSync(join(root, page), 'utf8'))
    .filter(({ language }) => language === 'ts')
    .map(({ code, line }) => ({ place: `${page}:${line}`, file: `${page.replace(/\W/g, '-')}-${line}.ts`, code })),
);
const run = promisify(execFile);

beforeAll(() => {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const { file, code } of examples) writeFileSync(join(folder, file), `${code}\nexport {};\n`);
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ extends: '../../tsconfig.json', include: ['*.ts'] }));
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('every example of the docs is a program that the compiler takes', { timeout: 120_000 }, async () => {
  expect(examples.length).toBeGreaterThan(7);
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder], { cwd: root }).catch(
    error => error,
  );
  expect(stdout).toBe('');
});

const echoing = () =>
  openTestServer({
    harnesses: {
      default: 'echo',
      script: false,
      commands: { echo: { argv: ['sh', '-c', 'sleep 0.3; cat'], env: {} } },
    },
    environments: readEnvironments(),
  });

/** `shop`, without a repository. */
function readEnvironments() {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), 'environments: { shop: { setup: ["true"] } }\n');
  return readServerConfig({ env: {}, cwd }).environments;
}

test.each(examples)('$place runs to its end', async ({ file }) => {
  const server = await echoing();
  const env = { PATH: process.env.PATH, AGENT_RUN_BASE_URL: server.url, AGENT_RUN_API_KEY: server.key };
  const { stdout, stderr } = await run(process.execPath, [join(folder, file)], { cwd: root, env, timeout: 50_000 });
  expect(stderr).toBe('');
  expect(stdout).not.toBe('');
});
