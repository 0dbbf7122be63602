import { prepareMcpCheck, readMcpCheck } from '../harness/agents/mcp-check.ts';
import type { HarnessTask } from '../harness/harness.ts';
import { RunFailure } from './run-ending.ts';
import type { TaskParts } from './task-work.ts';
import { TextTail } from './text-tail.ts';

/** What a server prints while it is tried is none of the agent's. */
const printedBytes = 256 * 1024;

/** Tells of every MCP server that cannot be used. Throws RunFailure for one that the run requires. */
export async function probeMcpServers(
  { execute, events }: Pick<TaskParts, 'execute' | 'events'>,
  task: HarnessTask,
): Promise<void> {
  const check = prepareMcpCheck(task);
  if (check === undefined) return;
  const printed = new TextTail(printedBytes);
  const end = await execute(
    { ...check, conclude: () => Promise.reject(new Error('a check is no run')) },
    async (stream, chunk) => {
      if (stream === 'stdout') printed.push(Buffer.from(chunk).toString());
    },
  );
  // In a container the program that tries them may be missing, and then nothing is known of any.
  if (end.kind === 'not_started') {
    const required = task.mcpServers.filter(server => server.required).map(server => server.name);
    const message = `the MCP servers cannot be tried before the agent starts: ${end.message}`;
    if (required.length > 0)
      throw new RunFailure('environment_setup_failed', `${message}; the run requires ${required.join(', ')}`);
    return await events.writeSystem(message);
  }
  for (const { name, isRequired, problem } of readMcpCheck(task, printed.text)) {
    if (isRequired)
      throw new RunFailure(
        'environment_setup_failed',
        `the MCP server ${name}, which the run requires, cannot be used: ${problem}`,
      );
    await events.writeSystem(`the MCP server ${name} cannot be used, and the agent goes without it: ${problem}`);
  }
}
