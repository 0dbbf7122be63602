/** What becomes of files that an agent left in a step without a server, where they would go with the server. */
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
  'they are beside the result for a later step, and outputs and summary say where',
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

test.skipIf(process.platform === 'win32')(
  'a file that cannot be kept is said not to be, and changes no verdict',
  async () => {
    // What a terminal obeys stands in no name that is kept, so that the folder of one would be the file of the other.
    const alike = 'cd "$AGENT_RUN_ARTIFACTS"; d="a$(printf "\\033")b"; mkdir "$d"; touch "$d/c" a_b; echo fine';
    const { host, artifacts } = await stepWith(alike, { allow_script: 'true' });
    expect(host.outputs.conclusion).toBe('succeeded');
    expect(artifacts.map(({ data }) => data.path).sort()).toEqual([
      expect.stringMatching(/\/artifacts\/a_b(\/c)?$/),
      null,
    ]);
    expect(host.warnings).toEqual([expect.stringContaining('some files that the agent left could not be copied')]);
    expect(host.summary.join('')).toContain('0 bytes, not kept');
  },
);

test('a step on a server leaves its files there', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const inputs = { base_url: server.baseUrl, api_key: server.apiKey };
  const { host, artifacts } = await stepWith(leaving, inputs);
  expect([artifacts.length, artifacts[0]?.data.path, host.outputs.artifacts_folder]).toEqual([1, undefined, '']);
});

test.skipIf(process.platform === 'win32')(
  'a step is red whose files are changed after its agent has ended',
  async () => {
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
  },
);

test.skipIf(process.platform === 'win32')(
  'a step is red that cannot take out of the files of the runner what an agent wrote there',
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
