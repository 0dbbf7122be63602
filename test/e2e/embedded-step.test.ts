/** The committed action without a server: the agent runs in the step, in the workspace of the job. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { emptyOutputs } from '../../src/action/report/outputs.ts';
import { openActionRunner, textOf, waitForLine } from '../support/action-step.ts';
import { git } from '../support/git-host.ts';
import { findSleeps } from '../support/processes.ts';
import { fenced } from '../support/test-server.ts';

const onUnix = test.skipIf(process.platform === 'win32');

/** With a file in its workspace: an empty one is warned of. */
async function openRunner(options?: Parameters<typeof openActionRunner>[0]) {
  const runner = await openActionRunner(options);
  writeFileSync(join(runner.workspace, 'README.md'), '');
  return runner;
}

onUnix(
  'a command works in the workspace, and what it changes stays; it sees the variables that it is given and no others',
  async () => {
    const runner = await openRunner();
    const inputs = {
      prompt: 'Say hello.\n',
      command:
        '["sh", "-c", "cat > told.txt; echo working; env | cut -d= -f1 | sort | tr \\"\\\\n\\" \\" \\" > \\"$AGENT_RUN_RESULT\\""]',
      pass_env: 'MODEL_KEY',
      github_token: 'token-of-the-job',
    };
    const env = { MODEL_KEY: 'model-key-123', OTHER_SECRET: 'other-secret-123' };
    const main = await runner.startStep({ inputs, env }).done;
    expect([main.outcome, main.outputs.conclusion]).toEqual(['success', 'succeeded']);
    expect(readFileSync(join(runner.workspace, 'told.txt'), 'utf8')).toBe('Say hello.\n');
    const names = main.outputs.result?.trim().split(' ') ?? [];
    expect(names).toContain('MODEL_KEY');
    expect(names.filter(name => /OTHER_SECRET|^INPUT_|^GITHUB_|^STATE_|TOKEN/.test(name))).toEqual([]);
    expect(main.outputs).toMatchObject({
      run_url: expect.stringContaining('/octo-org/shop/actions/runs/'),
      session_link: '',
      result_empty: 'false',
    });
    expect(JSON.stringify([main.summary, main.outputs])).not.toMatch(/127\.0\.0\.1|model-key-123/);
    const [post] = await runner.post();
    expect(post?.log.map(line => line.text)).toEqual(['Post job cleanup.']);
  },
);

onUnix.each([
  [
    'writes to the files of the runner',
    'for f in env path state output; do printf "EVIL=1\\nzz<<EOF\\nconclusion=evil\\n" | tee -a $F/${f}_*; done; echo "# evil" > $SUM',
  ],
  [
    'puts something else in their place',
    'for f in $F/*; do rm $f; done; mkfifo $F/$(basename $OUT); ln -s /etc/hostname $SUM',
  ],
  [
    'leaves somebody there who does it again and again',
    '(setsid sh -c "while sleep 0.01; do echo EVIL=1 | tee -a $F/env_* $F/output_* > /dev/null; done" > /dev/null 2>&1 &)',
  ],
])('an agent that %s sets nothing, spoils nothing and is told of', async (_, attack) => {
  const runner = await openRunner();
  const script = `cat > /dev/null; F=$1; OUT=$(ls -d $F/output_*); SUM=$(ls -d $F/step_summary_*); ${attack}; sleep 0.2; echo fine > "$AGENT_RUN_RESULT"`;
  const command = JSON.stringify(['sh', '-c', script, 'sh', join(runner.temp, '_runner_file_commands')]);
  const main = await runner.startStep({ inputs: { prompt: 'x', command } }).done;
  expect([main.outcome, main.outputs.conclusion, main.outputs.result]).toEqual(['success', 'succeeded', 'fine\n']);
  expect([main.env, main.path, main.outputs.EVIL, main.state.EVIL]).toEqual([{}, [], undefined, undefined]);
  expect(Object.keys(main.outputs)).toEqual(Object.keys(emptyOutputs));
  expect([main.summary.includes('fine'), main.summary.includes('evil')]).toEqual([true, false]);
  expect(main.annotations.map(({ message }) => message)).toEqual([
    expect.stringMatching(/^the agent changed files of the runner.*GITHUB_OUTPUT/),
  ]);
  expect(await runner.post()).toMatchObject([{ outcome: 'success', annotations: [] }]);
});

/** An agent is the step's own user: what the step keeps of its runs lies open to it. */
const everyFile = 'find "$1"/agent-run-*/data -type f';
onUnix.each([
  ['cuts them', `${everyFile} | while read f; do : > "$f"; done`],
  ['puts pipes in their place', `${everyFile} | while read f; do rm "$f"; mkfifo "$f"; done`],
  ['puts folders in their place', `${everyFile} | while read f; do rm "$f"; mkdir "$f"; done`],
  [
    'puts pipes where a database has its files',
    'for d in "$1"/agent-run-*/data; do for n in agent-run.sqlite lock.sqlite; do for e in "" -journal -wal -shm; do rm -f $d/$n$e; mkfifo $d/$n$e; done; done; done',
  ],
  ['removes all', 'rm -rf "$1"/agent-run-*/data'],
])('an agent that looks for the files that the step keeps of its runs, and %s, holds nothing up', async (_, attack) => {
  const runner = await openRunner();
  const script = `for f in "$1"/_runner_file_commands/env_*; do echo EVIL=1 > $f; done; ${attack}; sleep 1; echo fine`;
  const command = JSON.stringify(['sh', '-c', script, 'sh', runner.temp]);
  const main = await runner.startStep({ inputs: { prompt: 'x', command } }).done;
  expect([main.signal, main.outcome, main.outputs.result, main.env]).toEqual([undefined, 'success', 'fine\n', {}]);
  const messages = main.annotations.map(({ message }) => message);
  expect(messages).toContainEqual(expect.stringMatching(/^the agent changed files of the runner/));
});

onUnix('an agent cannot have the debugger of the step opened, by which it would be the step', async () => {
  const runner = await openRunner();
  const command = JSON.stringify(['sh', '-c', 'until [ -e go ]; do sleep 0.02; done; echo fine']);
  const main = runner.startStep({ inputs: { prompt: 'x', command } });
  await waitForLine(main, 'state: INPROGRESS');
  main.signal('SIGUSR1');
  await new Promise(wake => setTimeout(wake, 200));
  writeFileSync(join(runner.workspace, 'go'), '');
  expect((await main.done).outcome).toBe('success');
  expect(main.lines.map(({ text }) => text).filter(text => text.includes('Debugger'))).toEqual([]);
});

onUnix('a step without a checkout says that there is no code, outside of all groups', async () => {
  const runner = await openActionRunner();
  const step = async () => await runner.startStep({ inputs: { prompt: 'x', command: 'echo fine' } }).done;
  const first = (await step()).log.map(({ text }) => text);
  const at = first.findIndex(text => text.startsWith('The workspace is empty'));
  expect([at > 0, first[at + 1]?.startsWith('run ')]).toEqual([true, true]);
  writeFileSync(join(runner.workspace, 'a-file'), '');
  expect(textOf(await step())).not.toContain('workspace is empty');
});

onUnix('everything that the post step reads is said by the step: an agent may have printed it to its log', async () => {
  const runner = await openRunner();
  const main = await runner.startStep({ inputs: { prompt: 'x', command: 'echo fine' } }).done;
  expect(main.state).toEqual({
    is_embedded: 'true',
    last_state: 'SUCCEEDED',
    is_done: 'true',
    run_id: main.outputs.run_id,
    ...Object.fromEntries(
      ['step_key', 'comment', 'is_comment_final', 'verdict', 'is_cancelled', 'title'].map(key => [key, '']),
    ),
  });
});

onUnix('an agent makes no other event of it for later steps', async () => {
  const runner = await openRunner({ event: { ref: 'refs/heads/main' } });
  const path = join(runner.temp, '_github_workflow/event.json');
  const before = readFileSync(path, 'utf8');
  const command = JSON.stringify(['sh', '-c', 'echo "{}" > "$1"; echo fine', 'sh', path]);
  const main = await runner.startStep({ inputs: { prompt: 'x', command } }).done;
  expect([main.outcome, readFileSync(path, 'utf8')]).toEqual(['success', before]);
  expect(main.annotations).toMatchObject([{ message: expect.stringContaining('GITHUB_EVENT_PATH') }]);
});

onUnix('a file that the agent is given holds the step up no more than others when it is a pipe', async () => {
  const runner = await openRunner();
  const command = JSON.stringify(['sh', '-c', 'rm "$GITHUB_STEP_SUMMARY"; mkfifo "$GITHUB_STEP_SUMMARY"; echo fine']);
  const main = runner.startStep({ inputs: { prompt: 'x', command, pass_env: 'GITHUB_STEP_SUMMARY' } });
  // The runner of the tests would wait for who writes to the pipe.
  await waitForLine(main, 'conclusion: succeeded');
  for (const file of readdirSync(join(runner.temp, '_runner_file_commands')))
    if (file.startsWith('step_summary')) rmSync(join(runner.temp, '_runner_file_commands', file));
  const { outcome, annotations } = await main.done;
  expect([outcome, annotations.map(({ message }) => message)]).toEqual([
    'success',
    [expect.stringContaining('the summary could not be written: GITHUB_STEP_SUMMARY')],
  ]);
});

onUnix("what an agent leaves where its files would be kept is in nobody's way", async () => {
  const runner = await openRunner();
  git(runner.workspace, 'init', '--quiet');
  git(runner.workspace, 'commit', '--quiet', '--allow-empty', '--message=first');
  const script =
    'd="$1/agent-run/$AGENT_RUN_ID"; mkdir -p "$d/artifacts"; mkfifo "$d/changes.patch"; ln -s /proc/self/environ "$d/artifacts/leak"; echo a > a; echo page > "$AGENT_RUN_ARTIFACTS/page"; echo fine';
  const command = JSON.stringify(['sh', '-c', script, 'sh', runner.temp]);
  const main = await runner.startStep({ inputs: { prompt: 'x', command } }).done;
  expect([main.outcome, main.annotations]).toEqual(['success', []]);
  expect(readFileSync(main.outputs.patch_file ?? '', 'utf8')).toContain('+++ b/a');
  expect(readdirSync(main.outputs.artifacts_folder ?? '')).toEqual(['page']);
});

onUnix(
  'a command that fails turns the step red with its last lines, and one that is not there is said before it runs',
  async () => {
    const runner = await openRunner();
    const failed = await runner.startStep({ inputs: { prompt: 'x', command: '["sh", "-c", "echo why >&2; exit 4"]' } })
      .done;
    expect([failed.outcome, failed.outputs.conclusion]).toEqual(['failure', 'failed']);
    expect(failed.annotations[0]?.message).toMatch(/exit code 4.*why/);
    const missing = await runner.startStep({ inputs: { prompt: 'x', command: 'no-such-agent --print' } }).done;
    expect([missing.outputs.conclusion, missing.outputs.failure_phase]).toEqual(['start_failed', 'inputs']);
    expect(missing.outputs.failure_reason).toContain('no-such-agent');
  },
);

test.skipIf(process.platform !== 'linux')(
  'a file of the result that can be made nowhere is warned of, holds up no step and changes no verdict',
  async () => {
    const runner = await openRunner();
    const command = '["sh", "-c", "cat > /dev/null; ln -s /proc out; echo fine > \\"$AGENT_RUN_RESULT\\""]';
    const main = await runner.startStep({ inputs: { prompt: 'x', command, result_file: 'out/deep/report.md' } }).done;
    expect([main.outcome, main.outputs.result, main.outputs.result_file]).toEqual(['success', 'fine\n', '']);
    expect(main.annotations.map(({ message }) => message)).toEqual([expect.stringContaining('`result_file`')]);
  },
);

onUnix.each(['cancel', 'kill'] as const)('after a %s of the step nothing of the agent is left', async how => {
  const runner = await openRunner();
  const seconds = `60.${process.pid}`;
  const agent = `setsid sleep ${seconds} & (trap "" TERM; sleep ${seconds}; :) & sleep 0.2; echo up; sleep ${seconds}`;
  const step = runner.startStep({ inputs: { prompt: fenced(agent), allow_script: 'true' } });
  await waitForLine(step, 'up');
  await expect.poll(() => findSleeps(seconds)).toHaveLength(3);
  if (how === 'kill') step.kill();
  const main = await (how === 'kill' ? step.done : step.cancel());
  await expect.poll(() => findSleeps(seconds)).toEqual([]);
  if (how === 'cancel') expect(main.outputs.conclusion).toBe('cancelled');
  const [post] = await runner.post();
  expect([post?.outcome, post?.annotations]).toEqual(['success', []]);
});

onUnix(
  'without an address, a command or scripts, and with a server and a command at once, the step says what to give',
  async () => {
    const runner = await openRunner();
    const reasonOf = async (inputs: Readonly<Record<string, string>>) =>
      (await runner.startStep({ inputs: { prompt: 'x', ...inputs } }).done).outputs.failure_reason;
    expect(await reasonOf({})).toMatch(/`command`.*`allow_script: true`.*`base_url`/);
    expect(await reasonOf({ command: 'cat', base_url: 'https://agents.example.com' })).toContain(
      'set only one of the two',
    );
    expect(await reasonOf({ command: 'cat', wait: 'false' })).toContain('`wait`');
    expect(await reasonOf({ command: 'cat', pass_env: 'NOT_THERE' })).toContain('NOT_THERE');
    expect(existsSync(join(runner.workspace, '.agent-run'))).toBe(false);
  },
);

onUnix('a log that is cut leads nowhere else, for there is no other', async () => {
  const runner = await openRunner();
  const main = await runner.startStep({ inputs: { prompt: 'x', command: 'seq 1 6000' } }).done;
  const cut = textOf(main).match(/The log is long.*/g);
  expect(cut).toEqual([
    "The log is long, so the rest of the agent's output is left out here. Set `log: full` to see all of it",
  ]);
});
