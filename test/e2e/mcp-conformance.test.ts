/** The conformance suite of the Model Context Protocol, against real runs of the built-in agent. */
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../..');
const suite = resolve(root, 'node_modules/@modelcontextprotocol/conformance/dist/index.js');
const client = resolve(root, 'test/support/mcp-conformance-client.ts');

async function check(scenario: string) {
  const args = [suite, 'client', '--scenario', scenario, '--timeout', '50000', '--verbose', '--command'];
  const child = spawn(process.execPath, [...args, `${process.execPath} ${client}`], { cwd: root });
  const exited = new Promise<number | null>(done => child.once('close', done));
  const [said, complained] = await Promise.all([text(child.stdout), text(child.stderr)]);
  return { code: await exited, printed: `${said}\n${complained}` };
}

// The suite has bounds of its own in time, of half a second.
test.each(['initialize', 'tools_call', 'sse-retry'])('a run passes the scenario %s', { retry: 2 }, async scenario => {
  const { code, printed } = await check(scenario);
  expect({ code, printed }).toMatchObject({ code: 0 });
});

test('a run answers a question of a server with a decline', async () => {
  const { printed } = await check('elicitation-sep1034-client-defaults');
  expect(printed).toContain("Expected action 'accept', got 'decline'");
});
