/** What every agent does for real: it works, it fails, it is canceled. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { commitAll, writeTree } from '../server/worker/worker-fixture.ts';
import { describeEnd, kinds, modelKey, openAgentBench, outputsOf } from './agent-bench.ts';
import { listProcesses } from './run-processes.ts';

describe.each(kinds)('%s', kind => {
  beforeEach(({ skip }) => skip(inject('missingAgents')[kind] !== undefined, inject('missingAgents')[kind]));

  test('writes a file with its own tool, and the file is in the patch of the run', async () => {
    const checkout = await writeTree({
      'README.md': '# Notes\n',
      'skills/note/SKILL.md': '---\nname: note\ndescription: Takes notes\n---\nWrite notes in lower case.\n',
    });
    commitAll(checkout);
    const bench = await openAgentBench(kind, {
      repositories: { 'octo-org/notes': checkout },
      script: [
        { text: 'I write it down.', tools: [{ write: { path: 'note.txt', content: 'hello from the tool\n' } }] },
        { text: 'It is written down.' },
      ],
    });
    const ended = await bench.work('Write the note 4711.', {
      skill_spec: 'octo-org/notes:note',
      base_prompt: 'Speak like a sailor.',
    });
    const { run, events } = ended;
    expect(run.state, describeEnd(ended)).toBe('SUCCEEDED');
    expect(run.result?.text).toBe('It is written down.');
    expect(await bench.readFile(run, 'changes.patch')).toMatch(/^\+\+\+ b\/note\.txt\n@@.*\n\+hello from the tool$/m);
    const types = new Set(events.map(({ type }) => type));
    expect([...types]).toEqual(expect.arrayContaining(['message', 'tool_call', 'tool_result', 'usage', 'artifact']));

    const { problems, remaining, requests } = bench.model;
    expect([problems, remaining]).toEqual([[], 0]);
    const asked = requests.find(({ isSide }) => !isSide);
    expect(asked).toMatchObject({ model: 'm-1', isKeyRight: true });
    const body = JSON.stringify(asked?.body);
    for (const text of ['Write the note 4711.', 'Speak like a sailor.', 'Write notes in lower case.'])
      expect(body).toContain(text);
    expect(JSON.stringify([run, events])).not.toContain(modelKey);
    expect(listProcesses({ runId: run.run_id })).toEqual([]);
  });

  test('sends the headers of its endpoint, and no line of the run has their values', async () => {
    const headers = { 'X-Team': 'the-shop-team', 'X-Gateway': 'a-secret-of-the-gateway' };
    const bench = await openAgentBench(kind, { script: [{ text: 'Hello.' }], endpoint: { headers } });
    const ended = await bench.work('Say hello.');
    expect(ended.run.state, describeEnd(ended)).toBe('SUCCEEDED');
    const asked = bench.model.requests.find(({ isSide }) => !isSide);
    expect(asked?.headers).toMatchObject({ 'x-team': 'the-shop-team', 'x-gateway': 'a-secret-of-the-gateway' });
    expect(JSON.stringify(ended)).not.toContain('a-secret-of-the-gateway');
  });

  test.runIf(kind === 'claude')('uses an OAuth token, which its shell does not have', async () => {
    const bench = await openAgentBench(kind, {
      script: [{ tools: [{ shell: 'env; echo "token: [$CLAUDE_CODE_OAUTH_TOKEN]"' }] }, { text: 'Done.' }],
      endpoint: { keyType: 'oauth_token' },
    });
    const ended = await bench.work('Look around.');
    expect(ended.run.state, describeEnd(ended)).toBe('SUCCEEDED');
    expect(bench.model.requests.find(({ isSide }) => !isSide)).toMatchObject({ isKeyRight: true });
    expect(outputsOf(ended)).toContain('token: []');
  });

  test('a wrong key is an error that names the key, soon', async () => {
    const startMs = performance.now();
    const bench = await openAgentBench(kind, {
      script: () => ({ text: 'Never.' }),
      apiKey: 'not-the-key-of-the-model',
    });
    const ended = await bench.work('Say anything.');
    const { run, events } = ended;
    expect([run.state, run.status_message?.reason], describeEnd(ended)).toEqual(['ERROR', 'authentication_required']);
    expect(run.status_message?.message).toContain(bench.model.url);
    expect(run.result).toBeUndefined();
    expect(JSON.stringify([run, events])).not.toContain('not-the-key-of-the-model');
    expect(performance.now() - startMs).toBeLessThan(60_000);
  });

  test('a run that is canceled while its shell works leaves no process', async () => {
    const mark = `mark-${randomUUID()}`;
    const command = `for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do sleep 3; done; echo ${mark}`;
    const bench = await openAgentBench(kind, { script: [{ tools: [{ shell: command }] }, { text: 'Never.' }] });
    const runId = await bench.start('Work for a minute.');
    while (listProcesses({ runId, mark }).every(line => !line.includes(mark))) await sleep(200);
    // They can be found by the run's id, too: by it leftovers are looked for everywhere here.
    expect(listProcesses({ runId })).not.toEqual([]);
    const cancelMs = performance.now();
    await bench.client.runs.cancel(runId);
    const ended = await bench.finish(runId);
    expect(ended.run.state, describeEnd(ended)).toBe('CANCELLED');
    expect(performance.now() - cancelMs).toBeLessThan(15_000);
    expect(listProcesses({ runId, mark })).toEqual([]);
    expect(outputsOf(ended)).not.toContain(mark);
  });
});
