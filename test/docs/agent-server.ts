/** A server with the built-in agent, as the examples of docs/agents.md need one, and the programs that they call. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { agentAdapters } from '../../src/server/harness/agents/agents.ts';
import { type ModelScript, type ModelServer, startModelServer } from '../../src/testing/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';
import { openTestServer, type TestServer } from '../support/test-server.ts';

const root = resolve(import.meta.dirname, '../..');
export const modelKey = 'key-of-the-scripted-model';
export const remembered = 'hello docs, secret of 0 characters';
export const risk = { risk: 'low', why: 'It is one line.' };

/** Uses the server `memory` where there is one, and says what that said; else the answer has the form of the examples. */
const script: ModelScript = ({ tools, toolResults }) => {
  if (!tools.some(({ name }) => name.includes('memory'))) return { text: JSON.stringify(risk) };
  const [result] = toolResults;
  if (result !== undefined) return { text: result.text };
  return { tools: [{ mcp: { server: 'memory', tool: 'greet', input: { name: 'docs' } } }] };
};

export async function openModel(): Promise<ModelServer> {
  const model = await startModelServer(script, { apiKey: modelKey });
  onTestFinished(() => model.close());
  return model;
}

/** A PATH on which `npx` starts the command of this repository, and an MCP server of the tests in the place of the one that is named. */
export function pathWithNpx(): string {
  const folder = createTempFolder();
  const server = join(root, 'test/support/mcp-server.ts');
  const lines = [
    '#!/bin/sh',
    'case "$1 $2" in',
    `  'agent-run run') shift; exec '${process.execPath}' '${root}/bin/agent-run.js' "$@" ;;`,
    `  '--yes @modelcontextprotocol/server-memory@2026.8.31') exec '${process.execPath}' '${server}' ;;`,
    'esac',
    'echo "npx is not told to: $*" >&2; exit 1',
  ];
  writeFileSync(join(folder, 'npx'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}

export async function openAgentServer(): Promise<TestServer & { readonly path: string; readonly model: ModelServer }> {
  const model = await openModel();
  const path = pathWithNpx();
  const api = agentAdapters.builtin?.apis[0];
  if (api === undefined) throw new Error('there is no built-in agent');
  const builtin = {
    kind: 'builtin',
    endpoint: { api, root: model.url, apiKey: modelKey },
    model: 'm-1',
    models: undefined,
    program: undefined,
    agentsFolder: createTempFolder(),
    steps: 20,
    stallMs: 60_000,
    env: { PATH: path },
  };
  const server = await openTestServer({
    harnesses: { default: 'builtin', script: false, commands: {}, agents: { builtin } },
  });
  return { ...server, path, model };
}
