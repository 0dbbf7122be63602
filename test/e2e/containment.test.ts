import { expect, test } from 'vitest';
import { openActionRunner, startActionStep, waitForLine } from '../support/action-step.ts';
import { findSleeps, pidsIn } from '../support/processes.ts';
import { fenced, openTestServer, watchToEnd } from '../support/test-server.ts';

const seconds = `300.${process.pid}`;
/** Ways of an agent to outlive its parent; each prints `pid N` for the process that stays. */
const escapes = {
  'in the background': `sleep ${seconds} & echo "pid $!"`,
  nohup: `nohup sleep ${seconds} >/dev/null 2>&1 & echo "pid $!"`,
  setsid: `setsid sleep ${seconds} & echo "pid $!"`,
  'a double fork': `( ( sleep ${seconds} & echo "pid $!" ) & )\nsleep 0.3`,
  'a double fork in a session of its own': `setsid bash -c 'sleep ${seconds} & echo "pid $!"'\nsleep 0.3`,
  'an empty environment in a session of its own': `setsid env -i sleep ${seconds} & echo "pid $!"\nsleep 0.4`,
  'ignoring signals': `( trap "" TERM HUP INT; sleep ${seconds} ) & echo "pid $!"`,
};
const allEscapes = Object.values(escapes).join('\n');

test.skipIf(process.platform !== 'linux').each(Object.entries(escapes))(
  '%s: nothing survives a run that succeeds',
  async (_name, script) => {
    const { client } = await openTestServer();
    const { run_id } = await client.runs.create({ prompt: fenced(script) });
    const run = await client.runs.wait(run_id);
    const pids = pidsIn(run.result?.text ?? '');
    expect([run.state, pids.length, findSleeps(seconds)]).toEqual(['SUCCEEDED', 1, []]);
  },
);

test.skipIf(process.platform !== 'linux').each([
  ['fails', `${allEscapes}\nexit 1`, 'FAILED'],
  ['is cancelled', `${allEscapes}\necho ready\nsleep 300`, 'CANCELLED'],
])('nothing survives a run that %s', async (_name, script, state) => {
  const { client } = await openTestServer();
  const { run_id } = await client.runs.create({ prompt: fenced(script) });
  let text = '';
  for await (const event of client.runs.events(run_id)) {
    if (event.type === 'log') text += event.data.text;
    if (event.type === 'log' && event.data.text.includes('ready')) await client.runs.cancel(run_id);
  }
  const pids = pidsIn(text);
  expect([(await client.runs.retrieve(run_id)).state, pids.length, findSleeps(seconds)]).toEqual([
    state,
    Object.keys(escapes).length,
    [],
  ]);
});

test.skipIf(process.platform !== 'linux')(
  'a step killed with SIGKILL, without a post step, leaves nothing once its lease is over',
  async () => {
    const target = await openTestServer();
    const runner = await openActionRunner();
    const step = startActionStep(
      runner,
      target,
      { prompt: fenced(`${allEscapes}\necho ready\nsleep 300`) },
      { AGENT_RUN_LEASE_SECONDS: '2' },
    );
    await waitForLine(step, 'ready');
    step.kill();
    const { outputs, log } = await step.done;
    const pids = pidsIn(log.map(line => line.text).join('\n'));
    const run = await watchToEnd(target.client, outputs.run_id ?? '');
    expect([run.state, pids.length, findSleeps(seconds)]).toEqual(['CANCELLED', Object.keys(escapes).length, []]);
    expect(run.status_message?.message).toContain('lease of 2 s');
  },
);

test('a step that follows for longer than its lease keeps its run alive', async () => {
  const target = await openTestServer();
  const runner = await openActionRunner();
  const main = await startActionStep(
    runner,
    target,
    { prompt: fenced('sleep 4; echo done') },
    { AGENT_RUN_LEASE_SECONDS: '1' },
  ).done;
  expect(main.outputs.conclusion).toBe('succeeded');
});
