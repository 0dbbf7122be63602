/** The committed action, with an agent that says every secret it can: none of them is published. */
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { createTestServer, type FakeRunner, type StepResult } from '../../src/testing/index.ts';
import { openActionRunner } from '../support/action-step.ts';
import { pathOfEvent } from '../support/event.ts';
import { type FakeGitHub, openFakeGitHub } from '../support/fake-github.ts';
import { fenced } from '../support/test-server.ts';

const token = 'ghs_job_Token_0123456789_';
/** Neither an input nor a variable of the step: the runner alone knows it. */
const other = 'sk-_other-Key_of-the_job-_42_';

/** A job of a comment by somebody who may write. */
async function openScene(secrets: readonly string[]): Promise<{ github: FakeGitHub; runner: FakeRunner }> {
  const github = await openFakeGitHub();
  const event = JSON.parse(readFileSync(pathOfEvent('issue_comment'), 'utf8'));
  const { login, id } = event.sender;
  github.permissions.set(login.toLowerCase(), { permission: 'write', id });
  const context = { api_url: github.apiUrl, event_name: 'issue_comment', actor: login, token };
  return { github, runner: await openActionRunner({ secrets: [token, other, ...secrets], event, context }) };
}

/** What the step said itself: the runner's own list of inputs and variables is not of the action. */
function logOf({ log }: StepResult): string {
  const said = log.slice(log.findIndex(line => line.kind === 'endgroup'));
  return said.map(line => line.text).join('\n');
}

function expectNone(secrets: readonly string[], texts: Readonly<Record<string, string>>): void {
  for (const [place, text] of Object.entries(texts))
    for (const secret of secrets)
      for (const form of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString('base64').replace(/=+$/, ''),
      ])
        for (const shown of [text, text.replace(/[\\\u200b]/g, '')])
          expect(shown.includes(form), `${place} holds ${form}: ${shown}`).toBe(false);
}

test('what a server’s agent says of key, token and other secrets is in no log, summary or comment', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const key = server.apiKey;
  const { github, runner } = await openScene([key]);
  const encoded = Buffer.from(key).toString('base64');
  const lines = [`it is ${key}`, `- ${token}`, `| ${encoded} |`, `[a](https://example.com/?k=${token})`];
  const prompt = fenced(
    ...lines.map(line => `echo '${line}'; echo '${line}' >> "$AGENT_RUN_RESULT"`),
    `echo '${other}'; echo 'and ${other}' >> "$AGENT_RUN_RESULT"`,
    'exit 3',
  );
  const inputs = { base_url: server.baseUrl, api_key: key, title: `with ${token}`, prompt, comment: 'on' };
  const main = await runner.startStep({ inputs }).done;
  expect([main.outputs.conclusion, github.comments.length]).toEqual(['failed', 1]);
  const comment = github.comments[0]?.body ?? '';
  expect(comment).toContain('***');
  expectNone([key, token], { summary: main.summary, log: logOf(main), comment });
  expectNone([other], { summary: main.summary, log: logOf(main) });
});

test.skipIf(process.platform === 'win32')(
  'what an agent in the step says of a variable that was passed to it is in no log, summary or comment',
  async () => {
    const { github, runner } = await openScene([]);
    const passed = 'sk-ant_AbC_dEf-_0123456789_';
    const inputs = {
      prompt: `it is ${token}`,
      command: `sh -c 'cat; echo; echo "$MODEL_KEY"; { echo "it is $MODEL_KEY"; echo "# $MODEL_KEY"; } > "$AGENT_RUN_RESULT"'`,
      pass_env: 'MODEL_KEY',
      comment: 'on',
    };
    const main = await runner.startStep({ inputs, env: { MODEL_KEY: passed } }).done;
    expect([main.outputs.conclusion, github.comments.length]).toEqual(['succeeded', 1]);
    const comment = github.comments[0]?.body ?? '';
    expect(comment).toContain('#### ');
    expectNone([passed, token], { summary: main.summary, log: logOf(main), comment });
  },
);

test('a comment that the post step corrects holds no secret', async () => {
  const server = await createTestServer();
  onTestFinished(() => server.stop());
  const key = server.apiKey;
  const { github, runner } = await openScene([key]);
  const prompt = fenced('sleep 60');
  const inputs = { base_url: server.baseUrl, api_key: key, title: `with ${key} and ${token}`, prompt, comment: 'on' };
  const step = runner.startStep({ inputs });
  await expect.poll(() => github.comments.length).toBe(1);
  step.kill();
  await step.done;
  await runner.post();
  const comment = github.comments[0]?.body ?? '';
  expect(comment).toContain('the step ended before it reported');
  expectNone([key, token], { comment });
});
