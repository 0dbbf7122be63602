import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../support/temp-folder.ts';
import { readWorkflow, root, type Step } from './workflow-files.ts';
import { runWorkflow } from './workflow-runner.ts';

const sha = 'ffac537e6cbbf934b08745a378932722df287a53';
const { jobs } = readWorkflow('.github/workflows/release.yml');

/** Some steps of a job, as after a click on the default branch; `gh` answers as it is told. */
async function runSteps(
  job: string,
  isWanted: (step: Step) => boolean,
  { version, gh }: { version: string; gh: string },
) {
  const artifacts = createTempFolder();
  mkdirSync(join(artifacts, 'packages/build/packages'), { recursive: true });
  writeFileSync(join(artifacts, 'packages/build/packages/agent-run-1.10.0.tgz'), 'packed');
  writeFileSync(join(artifacts, 'packages/package.json'), readFileSync(join(root, 'package.json')));
  const steps = jobs[job]?.steps.filter(isWanted) ?? [];
  const download = { uses: 'actions/download-artifact@x', with: { name: 'packages' } };
  return await runWorkflow(
    { on: 'workflow_dispatch', jobs: { [job]: { steps: [download, ...steps] } } },
    {
      origin: '',
      event: { repository: { default_branch: 'main' } },
      github: { event_name: 'workflow_dispatch', repository: 'octo-org/agent-run', ref: 'refs/heads/main', sha },
      contexts: {},
      env: { VERSION: version, GH_REPO: 'octo-org/agent-run' },
      gh,
      artifacts,
    },
  );
}

const release = (version: string, gh: string) => runSteps('release', step => step.run !== undefined, { version, gh });
const refs = 'api repos/octo-org/agent-run/git/refs';

test('a release tags the commit, releases it, and moves the tag of its major version, in this order', async () => {
  const { ghCalls } = await release(
    'v1.10.0',
    `*git/ref/tags/v1.10.0*) exit 1 ;;\n*matching-refs*) printf 'v1.9.0\\nv1.10.0\\nv1.x\\n' ;;`,
  );
  expect(ghCalls.filter(call => !/git\/ref\/|matching-refs|release view/.test(call))).toEqual([
    `${refs} --field ref=refs/tags/v1.10.0 --field sha=${sha} --silent`,
    'release create v1.10.0 --verify-tag --title v1.10.0 --generate-notes build/packages/agent-run-1.10.0.tgz',
    `${refs}/tags/v1 --method PATCH --field sha=${sha} --field force=true --silent`,
  ]);
});

test('the first release of a major version makes its tag', async () => {
  const { ghCalls } = await release('v2.0.0', `*git/ref/*) exit 1 ;;\n*matching-refs*) printf 'v2.0.0\\n' ;;`);
  expect(ghCalls.at(-1)).toBe(`${refs} --field ref=refs/tags/v2 --field sha=${sha} --silent`);
});

test('a patch release of an old version does not take the tag of its major version back', async () => {
  const { ghCalls, printed } = await release(
    'v1.9.1',
    `*git/ref/*) exit 1 ;;\n*matching-refs*) printf 'v1.9.1\\nv1.10.0\\n' ;;`,
  );
  expect(printed).toContain('v1 is unchanged: v1.10.0 is newer');
  expect(ghCalls.some(call => call.includes('PATCH'))).toBe(false);
});

test.each([
  ['false', []],
  ['true', ['release delete v1.10.0 --yes', expect.stringContaining('release create v1.10.0')]],
])('a repeated job accepts a release that exists (a draft: %s)', async (isDraft, calls) => {
  const { ghCalls } = await release(
    'v1.10.0',
    `*commits/v1.10.0*) echo ${sha} ;;\n*'release view'*) echo ${isDraft} ;;\n*matching-refs*) echo v1.10.0 ;;`,
  );
  expect(ghCalls.filter(call => /^release (create|delete)/.test(call))).toEqual(calls);
  expect(ghCalls.at(-1)).toBe(`${refs}/tags/v1 --method PATCH --field sha=${sha} --field force=true --silent`);
});

test('a tag that names another commit is not released', async () => {
  await expect(release('v1.0.0', `*commits/v1.0.0*) echo 0000 ;;`)).rejects.toThrow();
});

test('only the version of the package is released', async () => {
  const check = (version: string) =>
    runSteps('build', step => step.name?.startsWith('Compare') === true, { version, gh: '' });
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  await check(`v${version}`);
  await expect(check('v99.0.0')).rejects.toMatchObject({
    stdout: expect.stringContaining('::error::package.json says'),
  });
  await expect(check(version)).rejects.toThrow();
});
