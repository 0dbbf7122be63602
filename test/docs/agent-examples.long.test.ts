/**
 * The examples of docs/agents.md that start runs: in a workflow. Those of the client are run with the other programs.
 */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { runAction } from '../../src/action/run-action.ts';
import { readFencedBlocks } from '../../src/border/fenced-blocks.ts';
import { createFakeHost } from '../action/fake-host.ts';
import { fillInAll } from '../examples/workflow-files.ts';
import { startMcpServer } from '../support/mcp-server.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { modelKey, openModel, pathWithNpx, remembered, risk } from './agent-server.ts';

const page = readFileSync(resolve(import.meta.dirname, '../../docs/agents.md'), 'utf8');

/** The one block of a language below a heading that says this. */
function findBlock(heading: string, language: string, words: string): string {
  const section = page.split(/^## /m).find(text => text.startsWith(heading)) ?? '';
  const found = readFencedBlocks(section).filter(block => block.language === language && block.code.includes(words));
  expect(found, `${heading}: ${words}`).toHaveLength(1);
  return found[0]?.code ?? '';
}

async function runStep(heading: string, more: (text: string) => string = text => text) {
  const [step] = parse(more(findBlock(heading, 'yaml', 'uses: YOUR-ORG/agent-run@FULL_HASH')));
  const model = await openModel();
  const secrets = { ANTHROPIC_API_KEY: modelKey, TICKETS_TOKEN: 'token-of-the-tickets' };
  const host = createFakeHost(fillInAll(step.with, { secrets }), {
    PATH: pathWithNpx(),
    RUNNER_TEMP: createTempFolder(),
    GITHUB_WORKSPACE: createTempFolder(),
    ANTHROPIC_BASE_URL: model.url,
    ...fillInAll(step.env, { secrets }),
  });
  await runAction(host);
  expect(host.outputs).toMatchObject({ conclusion: 'succeeded', failure_reason: '' });
  return { host, model };
}

const onUnix = test.skipIf(process.platform === 'win32');

onUnix('the step with MCP servers uses both', async () => {
  await using tickets = await startMcpServer();
  const { host, model } = await runStep('MCP servers', text => text.replace(/https:\/\/tickets\S+/, tickets.url));
  expect(host.outputs.result).toBe(remembered);
  const names = model.requests.flatMap(({ tools }) => tools.map(({ name }) => name));
  expect(names).toContain('mcp__memory__greet');
  expect(names).toContain('mcp__tickets__greet');
});

onUnix('the step with a schema has the answer as JSON', async () => {
  const { host } = await runStep('Structured results');
  expect(JSON.parse(host.outputs.result_json ?? '')).toEqual(risk);
});
