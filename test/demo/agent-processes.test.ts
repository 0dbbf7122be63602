import { expect, test } from 'vitest';
import { findAgentProcesses } from '../../src/demo/agent-processes.ts';
import { fenced, openTestServer, watchToEnd } from '../support/test-server.ts';

test('processes of a run are found by their own pids, without others of the same numbers', async () => {
  const { client } = await openTestServer();
  const { run_id } = await client.runs.create({ prompt: fenced('sleep 60 &\necho "pid $!."\nwait') });
  let pid = 0;
  for await (const event of client.runs.events(run_id)) {
    pid = Number(event.type === 'log' && /pid (\d+)\./.exec(String(event.data.text))?.[1]);
    if (pid > 0) break;
  }
  expect(findAgentProcesses(run_id, [pid])).toHaveLength(1);
  expect(findAgentProcesses(run_id, [1_000_000])).toEqual([]);
  if (process.platform === 'linux') expect(findAgentProcesses('another-run', [pid, process.pid])).toEqual([]);
  await client.runs.cancel(run_id);
  await watchToEnd(client, run_id);
  expect(findAgentProcesses(run_id, [pid])).toEqual([]);
});
