import { expect, test } from 'vitest';
import { runCommandLine } from '../../../src/cli/command-line.ts';
import { reportEnding } from '../../../src/cli/terminal/ending.ts';
import { watchRun } from '../../../src/cli/terminal/watch.ts';
import { AgentRuns, type Run } from '../../../src/client/index.ts';
import { createRun, runId } from '../../client/fixtures.ts';
import { allFeatures, answerJson, hang, type Reply, startScriptedServer } from '../../client/scripted-server.ts';
import { createFakeShell } from '../fake-shell.ts';

const problem = (status: number) => answerJson({ title: 'No', status }, {}, status);

/** A service that answers for a run and its events. `looks` are the answers for the run in turn. */
async function follow({ looks, events }: { readonly looks: readonly Reply[]; readonly events: Reply }) {
  let look = 0;
  await using server = await startScriptedServer((response, request) => {
    if (request.path.includes('/events')) return events(response, request);
    const reply = looks[Math.min(look, looks.length - 1)];
    look += 1;
    return reply?.(response, request);
  });
  const shell = createFakeShell({ cwd: '/' });
  const args = ['logs', '--follow', runId, '--base-url', server.url, '--api-key', 'some-key'];
  return { code: await runCommandLine(args, shell), notes: shell.notes, printed: shell.printed };
}

const runAs = (state: string, more: Partial<Run> = {}) => answerJson(createRun(state, more), allFeatures);

test('a run that waits for a person ends following, although its events never end', async () => {
  const startedAt = performance.now();
  const { code, notes } = await follow({ looks: [runAs('BLOCKED')], events: hang });
  expect(code).toBe(1);
  expect(notes).toEqual([
    'The run is blocked: the agent waits for an answer',
    expect.stringMatching(/^Answer it: npx agent-run followup \S+ MESSAGE$/),
  ]);
  expect(performance.now() - startedAt).toBeLessThan(4000);
});

test('the end of a run with a session names its conversation', async () => {
  const more = { session_id: 's1', conversation_id: 'c-1' };
  const { notes } = await follow({ looks: [runAs('FAILED', more)], events: problem(403) });
  expect(notes.slice(-2)).toEqual(['Continue: npx agent-run run --conversation c-1 PROMPT', 'The run failed']);
  const none = await follow({ looks: [runAs('FAILED', { conversation_id: 'c-1' })], events: problem(403) });
  expect(none.notes.join(' ')).not.toContain('c-1');
});

test.each([
  [
    { session_id: 's1' },
    'the run is over (FAILED). Continue its conversation: npx agent-run run --conversation c-1 PROMPT',
  ],
  [{}, 'the run is over (FAILED)'],
])('a message to an ended run says what to do instead (%j)', async (more, sentence) => {
  await using server = await startScriptedServer((response, request) =>
    (request.method === 'POST' ? problem(400) : runAs('FAILED', { conversation_id: 'c-1', ...more }))(
      response,
      request,
    ),
  );
  const shell = createFakeShell({ cwd: '/' });
  const args = ['followup', runId, 'go on', '--base-url', server.url, '--api-key', 'some-key'];
  expect(await runCommandLine(args, shell)).toBe(1);
  expect(shell.notes).toEqual([`agent-run: ${sentence}`]);
});

test('a service without events is followed by state alone, with a notice', async () => {
  const result = { text: 'fine', truncated: false };
  const plain = answerJson(createRun('SUCCEEDED', { result }));
  const { code, notes, printed } = await follow({ looks: [plain], events: problem(404) });
  expect([code, printed]).toEqual([0, ['state: SUCCEEDED']]);
  expect(notes).toEqual([expect.stringContaining('Only the state of the run is shown'), 'The run succeeded']);
});

test('a failure of the events does not change the verdict', async () => {
  const { code, notes } = await follow({ looks: [runAs('FAILED')], events: problem(403) });
  expect(code).toBe(1);
  expect(notes).toEqual([expect.stringContaining('Cannot read more events'), 'The run failed']);
});

test('an unknown state counts as still running', async () => {
  const { code, notes } = await follow({ looks: [runAs('DREAMING'), runAs('SUCCEEDED')], events: problem(403) });
  expect([code, notes.at(-1)]).toEqual([0, 'The run succeeded']);
});

test('a run lost from sight exits with 1, without a claim about its end', async () => {
  const { code, notes } = await follow({ looks: [runAs('INPROGRESS'), problem(403)], events: hang });
  expect(code).toBe(1);
  expect(notes.at(-1)).toContain('so its outcome is unknown');
});

test('a key that is refused from the start exits with 3', async () => {
  const { code, notes } = await follow({ looks: [problem(403)], events: hang });
  expect([code, notes]).toEqual([3, [expect.stringContaining('The API key does not allow this')]]);
});

test("the agent's last message is printed only as the result", async () => {
  const events = [
    { type: 'message', data: { role: 'assistant', text: 'Looking.' } },
    { type: 'message', data: { role: 'assistant', text: 'It is blue.\n' } },
    { type: 'state', data: { state: 'SUCCEEDED' } },
  ].map((event, index) => ({ seq: index + 1, at: '2030-01-01T00:00:00.000Z', ...event }));
  await using server = await startScriptedServer((response, request) => {
    if (!request.path.includes('/events')) {
      const result = { text: 'It is blue.', truncated: false };
      return runAs('SUCCEEDED', { result, last_seq: 3 })(response, request);
    }
    response.writeHead(200, { ...allFeatures, 'Content-Type': 'text/event-stream' });
    for (const event of events) response.write(`id: ${event.seq}\ndata: ${JSON.stringify(event)}\n\n`);
    response.end();
  });
  const shell = createFakeShell({ cwd: '/' });
  const client = new AgentRuns({ baseUrl: server.url, apiKey: 'some-key', logLevel: 'off' });
  const { signal } = new AbortController();
  const watched = await watchRun({ client, shell, runId, events: 'progress', signal });
  expect(await reportEnding({ client, shell, ...watched, output: 'result' })).toBe(0);
  expect(shell.printed).toEqual(['It is blue.']);
  expect(shell.notes).toEqual(['assistant:', '│ Looking.', 'state: SUCCEEDED', 'The run succeeded']);
});
