import { expect, onTestFinished, test } from 'vitest';
import { modelScript } from '../../src/demo/model-script.ts';
import { type ModelScript, startModelServer } from '../../src/testing/index.ts';
import { startDemo } from '../demo/demo-process.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const key = 'key-of-the-asked-model';

async function openModel(script: ModelScript) {
  const model = await startModelServer(script, { apiKey: key });
  onTestFinished(() => model.close());
  return model;
}

const facts = [
  'the run succeeded',
  'it read the ticket from the MCP server',
  'with its patch, the shop passes its check',
];
const readFacts = (stdout: string) => stdout.split('\n').filter(line => /^(yes|NO ) {2}/.test(line));

test('an agent mends the ticket with real tools, and what is played is said to be', async () => {
  const { code, stdout, stderr, left } = await startDemo(['--agent', 'builtin']).ended;
  expect(stderr).toBe('');
  expect([code, left]).toEqual([0, []]);
  expect(readFacts(stdout)).toEqual(facts.map(fact => `yes  ${fact}`));
  expect(stdout).toContain('Only the model is simulated:');
  expect(stdout).toMatch(/tool: mcp__tickets__read_ticket \{"number":42\}\n {4}│ #42 /);
  expect(stdout).toMatch(
    /│ not ok {2}an order for 100[\s\S]*│ ok {6}an order for 100[\s\S]*│ \+ {2}return total >= 100/,
  );
  expect(stdout).not.toContain('One step of a workflow');
});

test('a model of your own is asked in its language with its key, which is not shown', async () => {
  const model = await openModel(modelScript);
  const flags = ['--model', 'm-1', '--model-api', 'anthropic', '--model-url', model.url];
  const { code, stdout, stderr, left } = await startDemo([...flags, '--model-key-variable', 'MY_KEY'], { MY_KEY: key })
    .ended;
  expect([code, stderr, left]).toEqual([0, '', []]);
  expect(readFacts(stdout)).toEqual(facts.map(fact => `yes  ${fact}`));
  expect(stdout).toContain(`so is the model: m-1 at ${model.url}`);
  expect(stdout).not.toContain(key);
  expect(new Set(model.requests.map(({ api, isKeyRight }) => `${api} ${isKeyRight}`))).toEqual(
    new Set(['anthropic true']),
  );
});

test('a model that only says that it has done it makes the demo fail', async () => {
  const model = await openModel(() => ({ text: 'Done.' }));
  const flags = ['--model', 'm-1', '--model-url', model.url, '--model-key-variable', 'MY_KEY'];
  const { code, stdout } = await startDemo(flags, { MY_KEY: key }).ended;
  expect([code, readFacts(stdout)]).toEqual([1, [`yes  ${facts[0]}`, `NO   ${facts[1]}`, `NO   ${facts[2]}`]]);
});

test('a task of your own goes to the model as it is', async () => {
  const model = await openModel(() => ({ text: 'It is 5.' }));
  const flags = ['--model', 'm-1', '--model-url', model.url, '--model-key-variable', 'K', '--prompt', 'What is 2 + 3?'];
  const { code, stdout } = await startDemo(flags, { K: key }).ended;
  expect([code, readFacts(stdout)]).toEqual([0, [`yes  ${facts[0]}`]]);
  expect(model.requests[0]?.messages.at(-1)?.text).toBe('What is 2 + 3?');
});

test('SIGINT while an agent works leaves no folder behind', async () => {
  const { child, ended, says } = startDemo(['--agent', 'builtin']);
  await says("agent: I'll read the ticket");
  child.kill('SIGINT');
  expect(await ended).toMatchObject({ code: 130, stderr: '', left: [] });
});

test('programs that are not there are named with the one command that installs them', async () => {
  const env = { PATH: '/usr/bin:/bin', AGENT_RUN_AGENTS: createTempFolder() };
  const { code, stdout, left } = await startDemo(['--agent', 'claude', '--agent', 'codex'], env).ended;
  expect([code, left]).toEqual([1, []]);
  expect(stdout).toMatch(/^NO {3}.*claude, codex.*: npx agent-run agents install claude codex\n$/);
});
