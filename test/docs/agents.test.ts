import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { agentKinds } from '../../src/server/config/harness-schema.ts';
import { createHarnesses } from '../../src/server/harness/harness-set.ts';
import { readServerConfig } from '../../src/server/index.ts';
import { type ModelScript, startModelServer } from '../../src/testing/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer, watchToEnd } from '../support/test-server.ts';

const root = resolve(import.meta.dirname, '../..');
const blocksOf = (page: string) => readFencedBlocks(readFileSync(join(root, page), 'utf8'));
const examples = ['README.md', 'docs/agents.md', 'docs/server.md'].flatMap(page =>
  blocksOf(page)
    .filter(({ language, code }) => language === 'yaml' && /^harnesses:/m.test(code))
    .map(({ code, line }) => ({ place: `${page}:${line}`, code })),
);

const env = {
  PATH: '/usr/bin:/bin',
  ...Object.fromEntries(
    [
      ...['OPENAI_API_KEY', 'ANTHROPIC_API_KEY', 'GEMINI_API_KEY', 'GATEWAY_KEY', 'GATEWAY_TEAM'],
      'CLAUDE_CODE_OAUTH_TOKEN',
    ].map(name => [name, `the ${name}`]),
  ),
};

function readExample(code: string) {
  const cwd = createTempFolder();
  writeFileSync(join(cwd, 'agent-run.yaml'), code);
  return readServerConfig({ env, cwd });
}

test.each(examples)('$place is a configuration that a server takes', ({ code }) => {
  const { harnesses } = readExample(code);
  expect(createHarnesses(harnesses).names).toContain(harnesses.default);
});

test('each agent has a configuration that takes its key from where the page says', () => {
  const kinds = new Set<string>();
  for (const { code, place } of examples) {
    for (const [name, { kind, endpoint }] of Object.entries(readExample(code).harnesses.agents ?? {})) {
      kinds.add(kind);
      const written: { readonly url?: string; readonly key?: string } = parse(code).harnesses[name].endpoint ?? {};
      // Of a provider its own key, of any other address the one that is named there, or none.
      const wanted = new RegExp(`^the ${written.key ?? '\\w+_API_KEY'}$`);
      if (written.url !== undefined && written.key === undefined) expect(endpoint.apiKey, place).toBeUndefined();
      else expect(endpoint.apiKey, place).toMatch(wanted);
    }
  }
  expect([...kinds].sort()).toEqual([...agentKinds].sort());
});

const program = readFileSync(join(root, 'examples/my-agent.mjs'), 'utf8');

async function runOwnAgent(script: ModelScript) {
  const model = await startModelServer(script, { apiKey: 'key-of-the-model' });
  onTestFinished(() => model.close());
  const file = join(createTempFolder(), 'my-agent.mjs');
  writeFileSync(file, program, { mode: 0o755 });
  const variables = { MY_AGENT_URL: model.url, MY_AGENT_KEY: 'key-of-the-model' };
  const { client } = await openTestServer({
    harnesses: { default: 'my-agent', script: false, commands: { 'my-agent': { argv: [file], env: variables } } },
  });
  const { run_id } = await client.runs.create({ prompt: 'Write hello.', config: { model_id: 'm-1' } });
  return { run: await watchToEnd(client, run_id), model };
}

test('the agent of forty lines works with a shell, which does not get its key', async () => {
  expect(program.trimEnd().split('\n').length).toBeLessThanOrEqual(45);
  const { run, model } = await runOwnAgent([
    { text: 'I look.', tools: [{ shell: 'echo "hello from $(pwd)"; env; exit 3' }] },
    { text: 'It is written.' },
  ]);
  expect([run.state, run.result?.text, model.problems]).toEqual(['SUCCEEDED', 'It is written.', []]);
  const [first, second] = model.requests;
  expect([first?.model, first?.messages[0]?.text, first?.isKeyRight]).toEqual(['m-1', 'Write hello.', true]);
  const output = second?.toolResults[0]?.text;
  expect(output).toMatch(/^hello from \/[\s\S]*^AGENT_RUN_ID=[\s\S]*\[exit code 3\]$/m);
  expect(output).not.toContain('key-of-the-model');
});

test.each([
  ['an error of the model', { status: 500, error: 'out of order' }, 'the model answered with 500'],
  ['an answer that is cut', { text: 'It is', stop: 'length' }, 'the answer ended with length'],
] as const)('%s makes the agent of forty lines fail', async (_what, turn, message) => {
  const { run } = await runOwnAgent([turn]);
  expect([run.state, run.status_message?.message]).toEqual(['FAILED', expect.stringContaining(message)]);
});
