/** Conversations that go on with the real programs: by a new run, and by the answer to a question. */
import { beforeEach, describe, expect, inject, test } from 'vitest';
import { commitAll, writeTree } from '../../server/worker/worker-fixture.ts';
import { describeEnd, type EndedRun, kinds, openAgentBench, outputsOf } from '../agent-bench.ts';

const usedBy = ({ events }: EndedRun) => events.filter(({ type }) => type === 'usage').at(-1)?.data;
const usage = (output: number) => ({ input: 1000, output, cached: 0, reasoning: 0 });

describe.each(kinds)('%s', kind => {
  beforeEach(({ skip }) => skip(inject('missingAgents')[kind] !== undefined, inject('missingAgents')[kind]));

  test('goes on with a conversation: with what was said, its workspace, instructions once, a patch and usage of its own', async () => {
    const checkout = await writeTree({
      'skills/note/SKILL.md': '---\nname: note\ndescription: Takes notes\n---\nWrite notes in lower case.\n',
    });
    commitAll(checkout);
    const bench = await openAgentBench(kind, {
      repositories: { 'octo-org/notes': checkout },
      keepConversationMinutes: 5,
      script: [
        { tools: [{ write: { path: 'first.txt', content: 'one\n' } }], usage: usage(10) },
        { text: 'The number is 4711.', usage: usage(10) },
        { tools: [{ shell: 'cat first.txt && echo two > second.txt' }], usage: usage(20) },
        { text: 'It was 4711.', usage: usage(20) },
        { text: 'Still 4711.', usage: usage(30) },
      ],
    });
    const first = await bench.work('Remember a number.', {
      skill_spec: 'octo-org/notes:note',
      base_prompt: 'Speak like a sailor.',
    });
    expect([first.run.state, typeof first.run.session_id], describeEnd(first)).toEqual(['SUCCEEDED', 'string']);
    const conversation_id = first.run.conversation_id ?? '';
    const { run_id } = await bench.client.runs.create({ prompt: 'Which number was it?', conversation_id });
    const second = await bench.finish(run_id);
    expect([second.run.state, second.run.result?.text], describeEnd(second)).toEqual(['SUCCEEDED', 'It was 4711.']);
    expect(outputsOf(second)).toContain('one');
    const patch = await bench.readFile(second.run, 'changes.patch');
    expect(patch).toContain('b/second.txt');
    expect(patch).not.toContain('first.txt');
    const asked = bench.model.requests.filter(({ isSide }) => !isSide);
    const heard = asked[2]?.messages.map(({ text }) => text).join('\n') ?? '';
    expect(heard).toMatch(/Remember a number\.[\s\S]*The number is 4711\.[\s\S]*Which number was it\?/);
    const body = JSON.stringify(asked[2]?.body);
    for (const text of ['Speak like a sailor.', 'Write notes in lower case.'])
      expect(body.split(text).length - 1, text).toBe(1);
    // And once more, for a session may have another name by now.
    const again = await bench.client.runs.create({ prompt: 'And now?', conversation_id });
    const third = await bench.finish(again.run_id);
    expect([third.run.state, third.run.result?.text], describeEnd(third)).toEqual(['SUCCEEDED', 'Still 4711.']);
    const last = bench.model.requests.filter(({ isSide }) => !isSide).at(-1);
    expect(last?.messages.map(({ text }) => text).join('\n')).toMatch(
      /Remember a number\.[\s\S]*It was 4711\.[\s\S]*And now\?/,
    );
    expect([first, second, third].map(usedBy)).toMatchObject([
      { output_tokens: 20 },
      { output_tokens: 40 },
      { output_tokens: 30 },
    ]);
    expect([bench.model.problems, bench.model.remaining]).toEqual([[], 0]);
  });

  test('asks, is BLOCKED, and goes on with the answer', async () => {
    const bench = await openAgentBench(kind, {
      keepConversationMinutes: 5,
      script: [
        { tools: [{ shell: 'echo "Red or blue?" > "$AGENT_RUN_QUESTION"' }], usage: usage(10) },
        { text: 'I have asked.', usage: usage(10) },
        { text: 'It is blue.', usage: usage(20) },
      ],
    });
    const { run_id } = await bench.client.runs.create({ prompt: 'Paint it.', interactive: true });
    for await (const run of bench.client.runs.follow(run_id)) {
      if (run.state !== 'BLOCKED') continue;
      expect(run.status_message?.message).toBe('Red or blue?');
      await bench.client.runs.followup(run_id, { message: 'The blue one.' });
    }
    const ended = await bench.finish(run_id);
    expect([ended.run.state, ended.run.result?.text], describeEnd(ended)).toEqual(['SUCCEEDED', 'It is blue.']);
    const asked = bench.model.requests.filter(({ isSide }) => !isSide);
    expect(JSON.stringify(asked[0]?.body)).toContain('AGENT_RUN_QUESTION');
    const heard = asked
      .at(-1)
      ?.messages.map(({ text }) => text)
      .join('\n');
    expect(heard).toMatch(/Paint it\.[\s\S]*I have asked\.[\s\S]*The blue one\./);
    expect(usedBy(ended)).toMatchObject({ output_tokens: 40 });
  });
});
