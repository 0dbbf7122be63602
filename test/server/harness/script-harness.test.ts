import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { wholeText } from '../../../src/contract/tables/run-text.ts';
import { createHarnesses } from '../../../src/server/harness/harness-set.ts';
import { createScriptHarness } from '../../../src/server/harness/script-harness.ts';
import { carryOut, createTask, prompt } from './harness-fixture.ts';

const harness = createScriptHarness();
const fence = (code: string, language = 'sh') => `\`\`\`${language}\n${code}\n\`\`\`\n`;

test('blocks of base prompt, skill and prompt run in this order, each in its own shell', async () => {
  const task = await createTask({
    instructions: [
      { origin: 'the base prompt', text: fence('kept=1; echo base'), firstLine: 1 },
      { origin: 'the skill', text: fence('echo "skill ${kept:-none}"', 'bash'), firstLine: 5 },
    ],
    prompt: prompt(`Do:\n${fence('echo shell >&2', 'shell')}${fence('echo never', 'python')}${fence('pwd')}`),
  });
  const { outcome, stdout, stderr } = await carryOut(harness, task);
  expect(stdout).toBe(`base\nskill none\n${task.workspace}\n`);
  expect(stderr).toBe('shell\n');
  expect(outcome).toEqual({ state: 'SUCCEEDED', result: wholeText(stdout) });
});

test('the first failing block ends the run, with its line, exit code and last lines', async () => {
  const task = await createTask({
    instructions: [{ origin: 'the skill', text: `text\n\n${fence('echo one')}`, firstLine: 6 }],
    prompt: prompt(
      `${fence('echo "\x1b[31mtwo\x1b[0m"; echo; sleep 0.1; echo three >&2; exit 3')}${fence('echo four')}`,
    ),
  });
  const { outcome, stdout } = await carryOut(harness, task);
  expect(stdout).not.toContain('four');
  expect(outcome).toMatchObject({ state: 'FAILED', code: 'agent_failed' });
  expect(outcome.state === 'FAILED' && outcome.message).toMatch(
    /^block 2 of 3 \(line 1 of the prompt\) ended with exit code 3\. It printed: .*two.*three$/,
  );
});

test.each(['sh', 'bash', 'shell'])(
  'a block of %s is run by bash and ends at its first failure, in a pipe as well',
  async language => {
    const task = await createTask({
      prompt: prompt(fence('x=(a); echo "${x[0]}"; false | cat; echo never', language)),
    });
    const { outcome, stdout } = await carryOut(harness, task);
    expect([outcome.state, stdout]).toEqual(['FAILED', 'a\n']);
  },
);

test('without bash a run is refused, and the message names the PATH', async () => {
  const task = await createTask({ prompt: prompt(fence('echo one')), searchPath: '/nowhere:relative' });
  await expect(harness.prepare(task)).rejects.toMatchObject({
    code: 'environment_setup_failed',
    message: 'bash runs shell blocks, and it is not on the PATH of the server. Install it there',
  });
});

test('the last lines are those of the failed block, never of an earlier one', async () => {
  const before = fence('echo printed before; echo error before >&2');
  const message = async (code: string) => {
    const { outcome } = await carryOut(harness, await createTask({ prompt: prompt(before + before + fence(code)) }));
    return outcome.state === 'FAILED' ? outcome.message.replace(/^.*? exit code /, '') : 'no failure';
  };
  expect(await message('exit 3')).toBe('3. It printed nothing');
  expect(await message('echo own; exit 3')).toBe('3. It printed: own');
  expect(await message('echo own >&2; exit 3')).toBe('3. It printed: own');
});

test('the divider is neither in the output nor visible to a block in /proc', async () => {
  const task = await createTask({
    prompt: prompt(
      fence('printf half') + fence('printf " line"; cat /proc/$PPID/cmdline /proc/self/environ >/dev/stderr'),
    ),
  });
  const { stdout, stderr } = await carryOut(harness, task);
  expect(stdout).toBe('half line');
  expect(stderr).not.toContain(await readFile(`${task.stateDir}/divider`, 'utf8'));
  expect(stderr).toContain('driver.sh');
  expect(stderr).not.toContain('\x1e');
});

test('line numbers of a skill are those of its file, also in bash’s errors', async () => {
  const task = await createTask({
    instructions: [{ origin: 'the skill', text: `text\n\n${fence('echo one\nno-such-command')}`, firstLine: 6 }],
  });
  const { outcome, stderr } = await carryOut(harness, task);
  expect(outcome.state === 'FAILED' && outcome.message).toMatch(
    /^block 1 of 1 \(line 8 of the skill\).* exit code 127\./,
  );
  expect(stderr).toContain('line 10: no-such-command');
});

test('an unset variable and a failing part of a pipe end a block', async () => {
  for (const code of ['echo "$no_such_variable"', 'false | cat', 'false; echo on']) {
    const { outcome, stdout } = await carryOut(harness, await createTask({ prompt: prompt(fence(code)) }));
    expect([outcome.state, stdout]).toEqual(['FAILED', '']);
  }
});

test('a block ended by a signal is named with the signal, without other messages', async () => {
  const task = await createTask({ prompt: prompt(`${fence('kill -KILL $$')}${fence('echo on')}`) });
  const { outcome, stdout, stderr } = await carryOut(harness, task);
  expect(outcome).toMatchObject({
    message: 'block 1 of 2 (line 1 of the prompt) ended with exit code 137 (128 + 9, SIGKILL). It printed nothing',
  });
  expect(stdout + stderr).toBe('');
});

test('a block that exits the whole script is named, too', async () => {
  const task = await createTask({ prompt: prompt(`${fence('true')}${fence('kill -KILL $PPID; sleep 5')}`) });
  const { outcome } = await carryOut(harness, task);
  expect(outcome).toMatchObject({ message: expect.stringMatching(/^block 2 of 2 .* was killed by SIGKILL/) });
});

test('the message is short after any output', async () => {
  const task = await createTask({ prompt: prompt(fence('head -c 100000 /dev/zero | tr "\\0" x; exit 1')) });
  const { outcome } = await carryOut(harness, task);
  expect(outcome.state === 'FAILED' && outcome.message.length).toBeLessThan(800);
});

test('the result is the result file, otherwise the output, otherwise a sentence', async () => {
  const task = await createTask({ prompt: prompt(fence('echo printed') + fence('echo more')) });
  expect((await carryOut(harness, task, 'written')).outcome).toEqual({
    state: 'SUCCEEDED',
    result: wholeText('written'),
  });
  expect((await carryOut(harness, task)).outcome).toEqual({ state: 'SUCCEEDED', result: wholeText('printed\nmore\n') });
  const silent = await createTask({ prompt: prompt(fence('true') + fence('echo only an error >&2')) });
  expect((await carryOut(harness, silent)).outcome).toEqual({
    state: 'SUCCEEDED',
    result: wholeText('All 2 blocks ended with exit code 0 and printed nothing to standard output.'),
  });
});

test('a result written before the failure is kept', async () => {
  const task = await createTask({ prompt: prompt(fence('exit 1')) });
  expect((await carryOut(harness, task, 'half')).outcome).toMatchObject({ state: 'FAILED', result: wholeText('half') });
});

test('blocks find the prompt in a file', async () => {
  const text = `Look at ü.\n${fence('cat "$AGENT_RUN_PROMPT_FILE"')}`;
  const { stdout } = await carryOut(harness, await createTask({ prompt: prompt(text) }));
  expect(stdout).toBe(text);
});

test('a task without a block is refused with advice', async () => {
  const task = await createTask({
    prompt: prompt(`Please fix the bug.\n${fence('print(1)', 'python')}${fence('  ')}`),
  });
  await expect(harness.prepare(task)).rejects.toMatchObject({
    name: 'HarnessRefusal',
    code: 'invalid_request',
    message: expect.stringMatching(
      /no fenced sh or bash block.* Add a block\. .* this server has no agent; ask its owner to add one$/,
    ),
  });
});

test('a task in prose names the server’s other harnesses, or what the step can set', async () => {
  const settings = { default: 'script', script: true, commands: { lint: { argv: ['true'], env: {} } } } as const;
  const task = await createTask({ prompt: prompt('Please fix the bug.') });
  const refusalOf = (more: { readonly scriptAdvice?: string }) =>
    expect(
      createHarnesses({ ...settings, ...more })
        .get('script')
        ?.prepare(task),
    ).rejects;
  await refusalOf({}).toThrow('A prompt in prose needs an agent: set `harness` (in the command `--harness`) to lint');
  await refusalOf({ scriptAdvice: 'set `model_id`' }).toThrow('needs an agent: set `model_id`');
});

test('the files of a run are in its state folder', async () => {
  const task = await createTask({ prompt: prompt(fence('true')) });
  await harness.prepare(task);
  expect(await readFile(`${task.stateDir}/block-1.sh`, 'utf8')).toBe('\ntrue\n');
});
