import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { EventDraft } from '../../../../src/contract/events.ts';
import { wholeText } from '../../../../src/contract/tables/run-text.ts';
import type { AgentAdapter } from '../../../../src/server/harness/agents/adapter.ts';
import { createAgentHarness } from '../../../../src/server/harness/agents/agent-harness.ts';
import type { HarnessOutcome, HarnessTask } from '../../../../src/server/harness/harness.ts';
import { createTask, prompt } from '../harness-fixture.ts';
import { settings } from './fake-agent.ts';

export interface Played {
  readonly events: readonly EventDraft[];
  /** By the rule for all agents. */
  readonly outcome: HarnessOutcome;
  readonly sessionId: string | undefined;
  readonly steps: number;
  readonly isToolRunning: boolean;
}

/**
 * Reads recorded output of a program (scripts/record-agents.ts) like the worker. The program need not be installed.
 */
export async function playRecording(
  kind: string,
  adapter: AgentAdapter,
  name: string,
  servers: readonly string[] = [],
): Promise<Played> {
  const mcpServers = servers.map(
    server => ({ type: 'http', name: server, url: 'https://x/', headers: {}, required: false }) as const,
  );
  const text = await readFile(join(import.meta.dirname, 'fixtures', kind, `${name}.jsonl`), 'utf8');
  const [head = '', ...lines] = text.trimEnd().split('\n');
  const { exit_code, signal, stderr } = JSON.parse(head);
  return await playLines(
    adapter,
    lines,
    { exitCode: exit_code ?? undefined, signal: signal ?? undefined, stderr },
    { mcpServers },
  );
}

export async function playLines(
  adapter: AgentAdapter,
  lines: readonly string[],
  { exitCode = 0, signal, stderr = '' }: { exitCode?: number; signal?: string; stderr?: string } = {},
  task: Partial<HarnessTask> = {},
): Promise<Played> {
  const [api = 'gemini'] = adapter.apis;
  const endpoint = { ...settings.endpoint, api };
  const harness = createAgentHarness('agent', adapter, { ...settings, endpoint, program: process.execPath });
  const { reader, conclude } = await harness.prepare(await createTask({ prompt: prompt('Do it.'), ...task }));
  if (reader === undefined) throw new Error('an agent has a reader');
  const events = lines.flatMap(line => reader.readLine(line) ?? []);
  const outcome = await conclude({
    exitCode: signal === undefined ? exitCode : undefined,
    signal,
    stdout: wholeText(''),
    outputTail: stderr,
    result: undefined,
  });
  const { sessionId, steps, isToolRunning } = reader;
  return { events, outcome, sessionId, steps, isToolRunning };
}
