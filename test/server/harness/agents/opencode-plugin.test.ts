import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { pluginText } from '../../../../src/server/harness/agents/opencode/opencode-plugin.ts';

/**
 * Output of the plugin for events, called like the program calls it, and its changes to the environment of a shell.
 */
function runPlugin(events: readonly object[]) {
  const text = `${pluginText}
    const hooks = await AgentRun({ client: { mcp: { status: async () => ({ data: { notes: { status: 'connected' } } }) } } });
    for (const event of ${JSON.stringify(events)}) await hooks.event({ event });
    const output = { env: {} };
    await hooks['shell.env']({}, output);
    console.log(JSON.stringify(output.env));`;
  const printed = execFileSync(process.execPath, ['--input-type=module', '--eval', text], { encoding: 'utf8' });
  return printed
    .trim()
    .split('\n')
    .map(text => JSON.parse(text));
}

const updated = (part: object) => ({ type: 'message.part.updated', properties: { part } });

test('the plugin reports parts at start and end, the servers once, and never the prompt', () => {
  const running = { type: 'tool', id: 'c', state: { status: 'running', metadata: { output: 'a lot' } } };
  const lines = runPlugin([
    { type: 'session.created', properties: { info: { id: 'ses_below', parentID: 'ses_own' } } },
    { type: 'session.status', properties: { sessionID: 'ses_own', status: { type: 'busy' } } },
    { type: 'session.status', properties: { sessionID: 'ses_own', status: { type: 'retry', attempt: 1 } } },
    updated({ type: 'text', id: 'p', text: 'Do it.' }),
    updated({ type: 'step-start', id: 'a' }),
    updated({ type: 'tool', id: 'c', state: { status: 'pending' } }),
    updated(running),
    updated(running),
    updated(running),
    updated({ type: 'step-start', id: 'b' }),
    { type: 'message.part.delta', properties: {} },
  ]);
  expect(lines.map(({ type, part }) => [type, part?.id])).toEqual([
    ['agent_run_session', undefined],
    ['agent_run_session', undefined],
    ['agent_run_part', 'a'],
    ['agent_run_mcp', undefined],
    ['agent_run_part', 'c'],
    ['agent_run_life', undefined],
    ['agent_run_part', 'b'],
    [undefined, undefined],
  ]);
  expect(lines[0]).toMatchObject({ sessionID: 'ses_below', parentID: 'ses_own' });
  expect(lines[1]).toMatchObject({ sessionID: 'ses_own', status: { type: 'retry', attempt: 1 } });
});

test('the plugin reports a summary once', () => {
  const message = (info: object) => ({ type: 'message.updated', properties: { info } });
  const summary = message({ id: 'm', role: 'assistant', summary: true });
  const others = [message({ id: 'a', role: 'assistant' }), message({ id: 'u', role: 'user', summary: { diffs: [] } })];
  expect(runPlugin([...others, summary, summary]).slice(0, -1)).toEqual([
    { type: 'agent_run_summary', messageID: 'm' },
  ]);
});

test('a shell of the agent uses the folders of its user', () => {
  expect(runPlugin([])).toEqual([{ XDG_CONFIG_HOME: '', XDG_DATA_HOME: '', XDG_STATE_HOME: '', XDG_CACHE_HOME: '' }]);
});
