import { expect, test } from 'vitest';
import type { ActionInputs } from '../../../src/action/inputs/inputs.ts';
import { readStepContext, type StepContext } from '../../../src/action/inputs/step-context.ts';
import { printTask } from '../../../src/action/start/run-body.ts';
import { makeStepKey } from '../../../src/action/start/step-key.ts';
import { createFakeHost } from '../fake-host.ts';

const variables = {
  GITHUB_REPOSITORY: 'octo-org/shop',
  GITHUB_REPOSITORY_ID: '42',
  GITHUB_RUN_ID: '1658821493',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_WORKFLOW: 'CI',
  GITHUB_JOB: 'agent',
  GITHUB_ACTION: '__octo-org_agent-run',
  GITHUB_SERVER_URL: 'https://github.com',
};
const task = { prompt: 'look around', config: {} };
const leg = { matrix: '{"package":"a","os":"linux"}', jobIndex: '0' };
const keyOf = (changed: Readonly<Record<string, string>> = {}, more: Partial<typeof leg> = {}, body: object = task) =>
  makeStepKey(
    readStepContext(createFakeHost({}, { ...variables, ...changed })),
    { leg: { ...leg, ...more } } as ActionInputs,
    body as typeof task,
  );

test('the same step of the same job has the same key, whatever the order of its parts', () => {
  expect(keyOf()).toEqual(
    keyOf({}, { matrix: '{\n  "os": "linux",\n  "package": "a"\n}' }, { config: task.config, prompt: task.prompt }),
  );
  // A renamed repository is the same one.
  expect(keyOf({ GITHUB_REPOSITORY: 'octo-org/store' })).toEqual(keyOf());
  expect(keyOf()?.ofAttempt).toMatch(/^step-[0-9a-f]{40}-1$/);
});

test('another attempt of the job has another key and the same label', () => {
  const [first, second] = [keyOf(), keyOf({ GITHUB_RUN_ATTEMPT: '2' })];
  expect(second?.ofStep).toBe(first?.ofStep);
  expect(second?.ofAttempt).not.toBe(first?.ofAttempt);
});

test.each([
  ['repository', () => keyOf({ GITHUB_REPOSITORY_ID: '43' })],
  ['workflow run', () => keyOf({ GITHUB_RUN_ID: '1658821494' })],
  ['workflow', () => keyOf({ GITHUB_WORKFLOW: 'nightly' })],
  ['job', () => keyOf({ GITHUB_JOB: 'other' })],
  ['step', () => keyOf({ GITHUB_ACTION: '__octo-org_agent-run_2' })],
  ['leg of the matrix', () => keyOf({}, { matrix: '{"package":"b","os":"linux"}' })],
  ['number of the leg', () => keyOf({}, { jobIndex: '1' })],
  ['prompt', () => keyOf({}, {}, { ...task, prompt: 'look again' })],
  ['name', () => keyOf({}, {}, { ...task, config: { name: 'second' } })],
])('another %s has another key', (_what, make) => {
  expect(make()?.ofStep).not.toBe(keyOf()?.ofStep);
});

test('outside a workflow run there is no key', () => {
  expect(keyOf({ GITHUB_RUN_ID: '' })).toBeUndefined();
  expect(makeStepKey(readStepContext(createFakeHost({})), { leg } as ActionInputs, task)).toBeUndefined();
});

test('a context is read from the variables that exist', () => {
  const bare: StepContext = readStepContext(createFakeHost({}, { GITHUB_RUN_ATTEMPT: 'x' }));
  expect(bare).toMatchObject({ attempt: 1, jobUrl: undefined, apiUrl: 'https://api.github.com', workspace: undefined });
  expect(readStepContext(createFakeHost({}, variables)).jobUrl).toBe(
    'https://github.com/octo-org/shop/actions/runs/1658821493',
  );
});

test('empty inputs are not in the body', () => {
  const empty = { prompt: undefined, title: undefined } as ActionInputs['task'];
  const nothing = { trigger_url: undefined, repository: undefined, ref: undefined, sha: undefined };
  expect(printTask(empty, 'x', nothing)).toEqual({ prompt: 'x', config: {} });
});
