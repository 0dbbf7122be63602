/** The demo with an agent: it fixes a ticket of the shop, with its own tools and a real MCP server. */
import { join } from 'node:path';
import { AgentRuns } from '../client/index.ts';
import type { Run } from '../contract/run.ts';
import { apiPrefix, routePath } from '../contract/tables/routes.ts';
import { printEvent, printText } from './agent-log.ts';
import type { DemoServer } from './demo-server.ts';
import type { Screen } from './screen.ts';
import { passesWith, shopSkill } from './shop.ts';

export interface AgentStage {
  readonly screen: Screen;
  readonly server: DemoServer;
  /** Name of the harness. */
  readonly agent: string;
  /** Replaces the ticket. */
  readonly task: string | undefined;
  /** Whether its model is scripted, so its token counts are estimates. */
  readonly isScripted: boolean;
}

const ticketTask = 'Fix ticket 42.';
const ticketTool = 'read_ticket';
const mcpServers = {
  tickets: { command: process.execPath, args: [join(import.meta.dirname, 'ticket-server.ts')], required: true },
};

/** True if the run succeeded and fixed the ticket. */
export async function showAgent({ screen, server, agent, task, isScripted }: AgentStage): Promise<boolean> {
  const client = new AgentRuns({ baseUrl: server.url, apiKey: server.key });
  screen.show(`task: ${task ?? ticketTask}`);
  const { run_id } = await client.runs.create({
    prompt: task ?? ticketTask,
    config: { harness: { type: agent }, skill_spec: shopSkill, mcp_servers: mcpServers },
  });
  let usage: Readonly<Record<string, unknown>> = {};
  let hasReadTicket = false;
  for await (const event of client.runs.events(run_id)) {
    for (const line of printEvent(event)) screen.show(line);
    if (event.type === 'usage') usage = event.data;
    if (event.type === 'tool_call' && String(event.data.name).includes(ticketTool)) hasReadTicket = true;
  }
  const run = await client.runs.retrieve(run_id);
  const patch = await readPatch(run, server);
  screen.show(`usage: ${printUsage(usage)}${isScripted ? ' (simulated)' : ''}`);
  screen.show(patch === '' ? 'changes.patch: none' : 'changes.patch:');
  for (const line of printText('  │ ', patch.slice(Math.max(patch.indexOf('@@'), 0)))) screen.show(line);
  const checks: (readonly [boolean, string])[] = [
    [
      run.state === 'SUCCEEDED',
      run.state === 'SUCCEEDED' ? 'the run succeeded' : `${run.state}: ${run.status_message?.message}`,
    ],
  ];
  if (task === undefined)
    checks.push(
      [hasReadTicket, 'it read the ticket from the MCP server'],
      [await passesWith(server.shop, patch), 'with its patch, the shop passes its check'],
    );
  for (const [isTrue, text] of checks) screen.fact(isTrue, text);
  return checks.every(([isTrue]) => isTrue);
}

/** '' if there is none. */
async function readPatch({ artifacts = [] }: Run, { url, key }: DemoServer): Promise<string> {
  const found = artifacts.find(({ data }) => 'filename' in data && data.filename === 'changes.patch');
  if (found === undefined || !('artifact_uid' in found.data)) return '';
  const path = routePath('downloadArtifact', { artifactUid: String(found.data.artifact_uid) });
  const answer = await fetch(`${url}${apiPrefix}${path}`, { headers: { authorization: `Bearer ${key}` } });
  return answer.ok ? await answer.text() : '';
}

function printUsage(usage: Readonly<Record<string, unknown>>): string {
  const count = (name: string) => Number(usage[name] ?? 0).toLocaleString('en-US');
  return `${count('requests')} requests to the model, ${count('input_tokens')} tokens in, ${count('output_tokens')} out`;
}
