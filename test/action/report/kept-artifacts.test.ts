/** Files of an agent in a step without a server, which would otherwise be lost with the server. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runAction } from '../../../src/action/run-action.ts';
import { createTestServer } from '../../../src/testing/index.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { fenced } from '../../support/test-server.ts';
import { createFakeHost } from '../fake-host.ts';

const leaving = 'mkdir -p "$AGENT_RUN_ARTIFACTS/deep"; echo page > "$AGENT_RUN_ARTIFACTS/deep/report.html"; echo done';

async function stepWith(script: string, inputs: Readonly<Record<string, string>>) {
  const variables = {
    PATH: process.env.PATH ?? '',
    RUNNER_TEMP: createTempFolder(),
    GITHUB_WORKSPACE: createTempFolder(),
  };
  const host = createFakeHost({ prompt: fenced(script), ...inputs }, variables);
  await runAction(host);
  return {
    host,
    artifacts: JSON.parse(host.outputs.artifacts ?? '') as readonly { data: { path: unknown } }[],
  };
}

test.skipIf(process.platform === 'win32')(
  'files are next to the result for a later step, and outputs and summary say where',
  async () => {
    const { host, artifacts } = await stepWith(leaving, { allow_script: 'true' });
    expect([host.outputs.conclusion, host.warnings]).toEqual(['succeeded', []]);
    const folder = join(host.outputs.result_file ?? '', '../artifacts');
    expect(host.outputs.artifacts_folder).toBe(folder);
    const path = join(folder, 'deep/report.html');
    expect(artifacts).toEqual([expect.objectContaining({ data: expect.objectContaining({ path }) })]);
    expect(readFileSync(path, 'utf8')).toBe('page\n');
    expect(host.summary.join('')).toContain(`- file: deep/report.html, 5 bytes, \`${path}\`\n`);
  },
);

test.skipIf(process.platform === 'win32')('a file that cannot be kept is reported and changes no verdict', async () => {
  // Kept names have no control characters. The folder of one would then have the name of the other's file.
  const alike = 'cd "$AGENT_RUN_ARTIFACTS"; d="a$(printf "\\033")b"; mkdir "$d"; touch "$d/c" a_b; echo fine';
  const { host, artifacts } = await stepWith(alike, { allow_script: 'true' });
  expect(host.outputs.conclusion).toBe('succeeded');
  expect(artifacts.map(({ data }) => data.path).sort()).toEqual([
    expect.stringMatching(/\/artifacts\/a_b(\/c)?$/),
    null,
  ]);
  expect(host.warnings).toEqual([expect.stringContaining('some files that the agent left could not be copied')]);
  expect(host.summary.join('')).toContain('0 bytes, not kept');
});

test('a step on a server leaves its files there', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const inputs = { base_url: server.baseUrl, api_key: server.apiKey };
  const { host, artifacts } = await stepWith(leaving, inputs);
  expect([artifacts.length, artifacts[0]?.data.path, host.outputs.artifacts_folder]).toEqual([1, undefined, '']);
});

test.skipIf(process.platform === 'win32')('a step fails if its files change after its agent ended', async () => {
  const variables = {
    PATH: process.env.PATH ?? '',
    RUNNER_TEMP: createTempFolder(),
    GITHUB_WORKSPACE: createTempFolder(),
  };
  const host = {
    ...createFakeHost({ prompt: 'x', command: 'cat' }, variables),
    restoreFiles: async () => ['GITHUB_ENV'],
  };
  await runAction(host);
  expect(host.warnings).toContainEqual(expect.stringContaining('(GITHUB_ENV). Its changes were undone'));
  expect(host.failures).toEqual([expect.stringMatching(/\(GITHUB_ENV\) after its run had ended.*do not trust/)]);
});

test.skipIf(process.platform === 'win32')(
  "a step fails if it cannot remove an agent's writes from the runner's files",
  async () => {
    const variables = {
      PATH: process.env.PATH ?? '',
      RUNNER_TEMP: createTempFolder(),
      GITHUB_WORKSPACE: createTempFolder(),
    };
    const host = {
      ...createFakeHost({ prompt: 'x', command: 'cat' }, variables),
      restoreFiles: async () => {
        throw new Error('EPERM: operation not permitted');
      },
    };
    await runAction(host);
    expect([host.outputs.conclusion, host.failures]).toEqual([
      'succeeded',
      [expect.stringMatching(/^the agent changed files of the runner.*cannot be undone: EPERM/)],
    ]);
  },
);
