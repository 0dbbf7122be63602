/** Runs .env.example with GitHub's local-action, as in CONTRIBUTING.md. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { expect } from 'vitest';
import { type Runtime, testOn } from '../reach/runtime.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
const packages = join(root, 'test/local-action/node_modules');
const localAction: Runtime = {
  name: 'local-action',
  path: join(packages, '@github/local-action/bin/local-action.js'),
  remedy: 'npm ci --prefix test/local-action',
};

/** `more`: lines after those of the example. */
function runLocally(more = '') {
  const folder = createTempFolder();
  const summary = join(folder, 'summary.md');
  const variables = join(folder, '.env');
  const example = readFileSync(join(root, '.env.example'), 'utf8');
  // Not the clone: the step would end processes of other tests that are started there.
  const workspace = join(folder, 'work');
  mkdirSync(workspace);
  writeFileSync(join(workspace, 'README.md'), 'A project.\n');
  const places = { GITHUB_STEP_SUMMARY: summary, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: folder };
  const lines = Object.entries(places).map(([name, value]) => `${name}=${value}`);
  writeFileSync(variables, [example, ...lines, more].join('\n'));
  // The tool starts `npm exec tsx`, which finds a global program without the registry.
  mkdirSync(join(folder, 'bin'));
  symlinkSync(join(packages, 'tsx/dist/cli.mjs'), join(folder, 'bin/tsx'));
  const options = ['run', '.', 'src/action/main.ts', variables, '--post', 'src/action/post.ts'];
  const { status, stdout, stderr } = spawnSync(process.execPath, [localAction.path, ...options], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      npm_config_prefix: folder,
      npm_config_cache: join(folder, 'cache'),
      npm_config_offline: 'true',
    },
    encoding: 'utf8',
  });
  return { status, log: stripVTControlCharacters(stdout + stderr), summary };
}

testOn(localAction, 'the example step succeeds under GitHub’s local-action', async () => {
  const { status, log, summary } = runLocally();
  expect([status, log]).toEqual([0, expect.stringContaining('::info::conclusion: succeeded')]);
  expect(log).toContain("'Say hello.\\ndone\\n'");
  expect(log).toContain('Running Post Step');
  expect(log).not.toContain('::warning::');
  expect(readFileSync(summary, 'utf8')).toMatch(/Say hello\.\s+done/);
});

testOn(localAction, 'the embedded server finds its programs under GitHub’s local-action', async () => {
  const { status, log } = runLocally(
    `INPUT_COMMAND='["sh", "-c", "echo {} > $AGENT_RUN_RESULT; sleep 8"]'\nINPUT_OUTPUT_SCHEMA='{"type": "object"}'\n`,
  );
  // The watchdog, the schema program.
  expect([status, log]).toEqual([0, expect.stringContaining('::info::conclusion: succeeded')]);
  expect(log).not.toContain('::warning::');
});

testOn(localAction, 'an invalid input fails the step under GitHub’s local-action', async () => {
  const { status, log } = runLocally('INPUT_WAIT=yes\n');
  expect([status, log]).toEqual([1, expect.stringContaining('::error::')]);
  expect(log).toContain('`wait` must be true or false, not "yes"');
});
