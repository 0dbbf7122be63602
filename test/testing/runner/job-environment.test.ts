import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { createTempFolder } from '../../support/temp-folder.ts';
import { openRunner, writeAction } from '../throwaway-action.ts';

const printEnvironment = `put('OUTPUT', 'env<<E\\n' + JSON.stringify({ ...process.env, cwd: process.cwd() }) + '\\nE\\n');`;
const environmentOf = (outputs: Readonly<Record<string, string>>): Readonly<Record<string, string>> =>
  JSON.parse(outputs.env ?? '{}');

test('only PATH of this process’s environment reaches the action', async () => {
  process.env.AGENT_RUN_TEST_LEAK = 'leaked';
  const runner = await openRunner({ main: printEnvironment });
  const env = environmentOf((await runner.startStep().done).outputs);
  delete process.env.AGENT_RUN_TEST_LEAK;
  const known = /^(GITHUB_.*|RUNNER_.*|CI|HOME|LANG|PATH|TMPDIR|cwd)$/;
  expect(Object.keys(env).filter(name => !known.test(name))).toEqual([]);
  expect(env.PATH).toBe(process.env.PATH);
});

test('the runner’s variables follow the context, including derived ones', async () => {
  const runner = await openRunner(
    { main: printEnvironment },
    { context: { repository: 'octo-org/docs', ref: 'refs/tags/v1/x', run_id: '42', api_url: 'http://127.0.0.1:1' } },
  );
  const env = environmentOf((await runner.startStep({ id: 'agent' }).done).outputs);
  expect(env).toMatchObject({
    CI: 'true',
    GITHUB_ACTIONS: 'true',
    GITHUB_ACTION: 'agent',
    GITHUB_ACTOR: 'octocat',
    GITHUB_API_URL: 'http://127.0.0.1:1',
    GITHUB_EVENT_NAME: 'workflow_dispatch',
    GITHUB_JOB: 'build',
    GITHUB_REF: 'refs/tags/v1/x',
    GITHUB_REF_NAME: 'v1/x',
    GITHUB_REF_TYPE: 'tag',
    GITHUB_REPOSITORY: 'octo-org/docs',
    GITHUB_REPOSITORY_OWNER: 'octo-org',
    GITHUB_RUN_ATTEMPT: '1',
    GITHUB_RUN_ID: '42',
    GITHUB_SERVER_URL: 'https://github.com',
    GITHUB_WORKFLOW: 'CI',
    GITHUB_WORKSPACE: runner.workspace,
    RUNNER_TEMP: runner.temp,
    cwd: runner.workspace,
  });
  expect(env.GITHUB_SHA).toMatch(/^[0-9a-f]{40}$/);
  expect(existsSync(env.RUNNER_TOOL_CACHE ?? '')).toBe(true);
  expect(env).not.toHaveProperty('GITHUB_TOKEN');
  expect(env).not.toHaveProperty('RUNNER_DEBUG');
});

test('the runner’s variables override those of job and step; a step’s override the job’s', async () => {
  const runner = await openRunner({ main: printEnvironment }, { env: { GITHUB_RUN_ID: '1', A: 'job', B: 'job' } });
  const { outputs } = await runner.startStep({ env: { RUNNER_TEMP: '/elsewhere', B: 'step', CI: 'false' } }).done;
  const env = environmentOf(outputs);
  expect(env).toMatchObject({ A: 'job', B: 'step', CI: 'false', RUNNER_TEMP: runner.temp });
  expect(env.GITHUB_RUN_ID).not.toBe('1');
});

test('the event is the file at GITHUB_EVENT_PATH', async () => {
  const runner = await openRunner(
    { main: `put('OUTPUT', 'n=' + JSON.parse(fs.readFileSync(process.env.GITHUB_EVENT_PATH)).issue.number);` },
    { event: { issue: { number: 7 } } },
  );
  expect((await runner.startStep().done).outputs).toEqual({ n: '7' });
});

test('exports of a step reach later steps and no earlier one', async () => {
  const bin = createTempFolder();
  const exporting = writeAction({
    main: `put('ENV', 'COLOR<<E\\ndark\\nblue\\nE\\nCOUNT=1\\n'); put('PATH', '/first\\n${bin}\\n');`,
  });
  const runner = await openRunner({ main: printEnvironment }, { env: { COUNT: '0' } });
  const before = environmentOf((await runner.startStep().done).outputs);
  const exported = await runner.startStep({ actionDir: exporting }).done;
  const after = environmentOf((await runner.startStep().done).outputs);
  expect(before.COUNT).toBe('0');
  expect(exported).toMatchObject({ env: { COLOR: 'dark\nblue', COUNT: '1' }, path: ['/first', bin] });
  expect(after).toMatchObject({ COLOR: 'dark\nblue', COUNT: '1' });
  expect(after.PATH).toBe([bin, '/first', before.PATH].join(delimiter));
});

test('a folder that is added to PATH again moves to the front', async () => {
  const runner = await openRunner({ main: `put('PATH', '/a\\n/b\\n/a\\n');${printEnvironment}` });
  await runner.startStep().done;
  const { outputs } = await runner.startStep().done;
  expect(environmentOf(outputs).PATH).toBe(['/a', '/b', process.env.PATH].join(delimiter));
});

test('NODE_OPTIONS cannot be exported; the rest of the file is', async () => {
  const runner = await openRunner({ main: `put('ENV', 'node_options=--inspect\\nOTHER=1\\n');` });
  const result = await runner.startStep().done;
  expect(result.env).toEqual({ OTHER: '1' });
  expect(result.outcome).toBe('success');
  expect(result.annotations).toEqual([
    { level: 'error', message: "Can't store NODE_OPTIONS output parameter using '$GITHUB_ENV' command." },
  ]);
});

test('debug lines are shown only in a debug run, which sets RUNNER_DEBUG', async () => {
  const main = `say('::debug::one%0Atwo'); put('OUTPUT', 'debug=' + process.env.RUNNER_DEBUG);`;
  const quiet = await (await openRunner({ main })).startStep().done;
  const loud = await (await openRunner({ main }, { debug: true })).startStep().done;
  const debugLines = (log: typeof loud.log) => log.filter(({ kind }) => kind === 'debug').map(({ text }) => text);
  expect([quiet.outputs.debug, debugLines(quiet.log)]).toEqual(['undefined', []]);
  expect([loud.outputs.debug, debugLines(loud.log)]).toEqual(['1', ['one', 'two']]);
});

test('a given workspace is used and stays; all other folders are removed with the job', async () => {
  const workspace = createTempFolder();
  writeFileSync(join(workspace, 'kept.txt'), '');
  const runner = await openRunner({ main: `fs.writeFileSync('made.txt', '');` }, { workspace });
  await runner.startStep().done;
  await runner.close();
  expect(readdirSync(workspace).sort()).toEqual(['kept.txt', 'made.txt']);
  expect(existsSync(runner.temp)).toBe(false);
});
