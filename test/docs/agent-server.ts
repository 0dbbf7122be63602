/** The scripted model and the programs that the examples of docs/agents.md need. */
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { type ModelScript, type ModelServer, startModelServer } from '../../src/testing/index.ts';
import { createTempFolder } from '../support/temp-folder.ts';

const root = resolve(import.meta.dirname, '../..');
export const modelKey = 'key-of-the-scripted-model';
export const remembered = 'hello docs, secret of 0 characters';
export const risk = { risk: 'low', why: 'It is one line.' };

/**
 * Uses the server `memory` where there is one, and says what that said; else the answer has the form of the examples.
 */
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

/** A PATH on which `npx` starts an MCP server of the tests in place of the one that is named. */
export function pathWithNpx(): string {
  const folder = createTempFolder();
  const server = join(root, 'test/support/mcp-server.ts');
  const lines = [
    '#!/bin/sh',
    'case "$1 $2" in',
    `  '--yes @modelcontextprotocol/server-memory@2026.8.31') exec '${process.execPath}' '${server}' ;;`,
    'esac',
    'echo "npx is not told to: $*" >&2; exit 1',
  ];
  writeFileSync(join(folder, 'npx'), `${lines.join('\n')}\n`, { mode: 0o755 });
  return `${folder}:${process.env.PATH}`;
}
