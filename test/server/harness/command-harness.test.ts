import { expect, test } from 'vitest';
import { wholeText } from '../../../src/contract/tables/run-text.ts';
import { createCommandHarness } from '../../../src/server/harness/command-harness.ts';
import { describeCause } from '../../../src/server/harness/ending-text.ts';
import { carryOut, createTask, endedWell, prompt } from './harness-fixture.ts';

const bash = (script: string, env = {}) =>
  createCommandHarness({ name: 'my-agent', argv: ['bash', '-c', script], env });

test('the program reads instructions, an empty line and the prompt, from standard input and file', async () => {
  const task = await createTask({
    instructions: [
      { origin: 'the base prompt', text: 'Be brief.', firstLine: 1 },
      { origin: 'the skill', text: '', firstLine: 1 },
    ],
    prompt: prompt('  Fix it.\n'),
  });
  const { stdout } = await carryOut(bash('cat; echo ---; cat "$AGENT_RUN_PROMPT_FILE"'), task);
  expect(stdout).toBe('Be brief.\n\n  Fix it.\n---\nBe brief.\n\n  Fix it.\n');
});

test('the program gets the configured variables', async () => {
  const { stdout } = await carryOut(bash('echo "$MY_KEY"', { MY_KEY: 'k1' }), await createTask());
  expect(stdout).toBe('k1\n');
});

test('exit code 0 with a result succeeds, and the result file wins over standard output', async () => {
  const task = await createTask();
  expect((await carryOut(bash('echo printed'), task)).outcome).toEqual({
    state: 'SUCCEEDED',
    result: wholeText('printed\n'),
  });
  expect((await carryOut(bash('echo printed'), task, 'written')).outcome).toMatchObject({
    result: wholeText('written'),
  });
});

test('exit code 0 without a result fails, even with errors on standard error', async () => {
  const { outcome } = await carryOut(bash('echo; echo trouble >&2'), await createTask());
  expect(outcome).toMatchObject({
    state: 'FAILED',
    code: 'no_result',
    message: expect.stringContaining('AGENT_RUN_RESULT'),
  });
});

test('output of unfinished escape sequences is read in linear time', async () => {
  const began = performance.now();
  expect(describeCause(`${'\x1b]'.repeat(32_000)}\ndone`)).toBe('. It printed: done');
  expect(performance.now() - began).toBeLessThan(500);
});

test.each([
  [
    'a usage text',
    'tool: unknown option --foo\nUsage: tool [options]\n  -h  show this\n',
    'tool: unknown option --foo',
  ],
  [
    'npm',
    'npm error code ENOENT\nnpm error path /w/package.json\nnpm error enoent Could not read package.json\nnpm error A complete log of this run can be found in: /x',
    'npm error enoent Could not read package.json',
  ],
  [
    'npm below a fault',
    'npm error Missing script: "nope"\nnpm error\nnpm error To see a list of scripts, run:\nnpm error   npm run\nnpm error A complete log of this run can be found in: /x',
    'npm error Missing script: "nope"',
  ],
  [
    'an older npm without a usual word of complaint',
    'npm ERR! code ETARGET\nnpm ERR! notarget No matching version found for a@9.\nnpm ERR! notarget In most cases you or\nnpm ERR! A complete log of this run can be found in: /x',
    'npm ERR! notarget No matching version found for a@9.',
  ],
  [
    'npm behind the program of a script',
    'Error: boom\n    at a.js:1\nnpm error Lifecycle script `test` failed with error:\nnpm error code 1\nnpm error workspace a@1\nnpm error command sh -c node a.js',
    'Error: boom. npm error Lifecycle script `test` failed with error:',
  ],
  [
    'git',
    "fatal: repository 'x' not found\nPlease make sure you have the access rights\n",
    "fatal: repository 'x' not found",
  ],
  ['a stack', 'TypeError: x is not a function\n    at a.js:1\n    at b.js:2', 'TypeError: x is not a function'],
  ['no complaint', '0 errors\none\ntwo\nthree!', 'one. two. three!'],
])('of what %s prints the cause is shown', (_what, output, cause) => {
  expect(describeCause(output)).toBe(`. It printed: ${cause}`);
});

test('another exit code fails with the last lines, even with a result', async () => {
  const { outcome } = await carryOut(bash('echo all is well; exit 2'), await createTask(), 'all is well');
  expect(outcome).toEqual({
    state: 'FAILED',
    code: 'agent_failed',
    message: 'the program bash ended with exit code 2. It printed: all is well',
    result: wholeText('all is well'),
  });
});

test('a program ended by a signal fails with the signal', async () => {
  const { outcome } = await carryOut(bash('kill -SEGV $$'), await createTask());
  expect(outcome).toMatchObject({
    state: 'FAILED',
    message: 'the program bash was killed by SIGSEGV. It printed nothing',
  });
});

test('only the program of a path is named, and control characters are removed', async () => {
  const agent = createCommandHarness({ name: 'x', argv: ['/opt/agents/my-agent'], env: {} });
  const prepared = await agent.prepare(await createTask());
  const outputTail = 'a\r\x1b]0;title\x07b\x00\x1b[2Jc\n\n::error::d';
  expect(await prepared.conclude({ ...endedWell, exitCode: 1, outputTail })).toMatchObject({
    message: expect.stringMatching(/^the program my-agent ended with exit code 1\. It printed: [^\p{Cc}]*d$/u),
  });
});

test('a variable that the server sets itself is refused', () => {
  expect(() => bash('true', { AGENT_RUN_API_KEY: 'secret-value' })).toThrow(
    'harnesses.my-agent.env: AGENT_RUN_API_KEY cannot be passed on',
  );
  expect(() => bash('true', { AGENT_RUN_API_KEY: 'secret-value' })).not.toThrow('secret-value');
});
