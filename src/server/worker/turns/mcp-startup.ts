import { noSecrets } from '../../../border/secrets.ts';
import type { ExecutorEnd, ExecutorRequest } from '../../executor/executor.ts';
import { prepareMcpCheck, readMcpCheck } from '../../harness/agents/mcp-check.ts';
import type { HarnessTask, PreparedCommand } from '../../harness/harness.ts';
import type { EventWriter } from '../../output/event-writer.ts';
import { redactOutput } from '../../output/redacted-output.ts';
import { TextTail } from '../../output/text-tail.ts';
import { RunFailure } from '../../run-failure.ts';

const optional = '. Set `"required": false` in its entry to run without it.';
/** Output of a server during the check is not output of the agent. */
const printedBytes = 256 * 1024;

/**
 * Reports every MCP server that cannot be used and returns their names. Throws RunFailure if one of them is required.
 */
export async function probeMcpServers(
  task: HarnessTask,
  {
    execute,
    events,
  }: {
    readonly execute: (prepared: PreparedCommand, onOutput: ExecutorRequest['onOutput']) => Promise<ExecutorEnd>;
    readonly events: EventWriter;
  },
): Promise<readonly string[]> {
  const check = prepareMcpCheck(task);
  if (check === undefined) return [];
  const printed = new TextTail(printedBytes);
  const text = redactOutput(noSecrets);
  const end = await execute(
    { ...check, conclude: () => Promise.reject(new Error('a check is no run')) },
    async (stream, chunk) => {
      if (stream === 'stdout') printed.push(await text.push(chunk));
    },
  );
  // The run itself was stopped.
  if (end.kind === 'ended' && end.stopped !== undefined) return [];
  const { dead, untried } = readMcpCheck(task, end.kind === 'ended' ? printed.text : '');
  for (const { name, isRequired, problem } of dead) {
    if (isRequired)
      throw new RunFailure('environment_setup_failed', `the MCP server ${name} cannot be used: ${problem}${optional}`);
    await events.writeWarning(`the MCP server ${name} cannot be used, so the agent runs without it: ${problem}`);
  }
  const names = dead.map(({ name }) => name);
  if (untried.length === 0) return names;
  const unknown = untried.map(server => server.name).join(', ');
  const message = `the MCP servers ${unknown} could not be checked before the agent starts: ${describeSilence(task, end)}`;
  const required = untried.filter(server => server.required).map(server => server.name);
  if (required.length > 0) throw new RunFailure('environment_setup_failed', `${message}${optional}`);
  await events.writeWarning(message);
  return names;
}

/** In a container, the checking program may be missing or too old. Anywhere, it may run out of memory. */
function describeSilence({ image }: HarnessTask, end: ExecutorEnd): string {
  if (end.kind === 'not_started') return end.message;
  const how = end.exitCode === undefined ? `by ${end.signal ?? 'a signal'}` : `with exit code ${end.exitCode}`;
  const need = image === undefined ? '' : `; it needs Node 22 or newer as \`node\` in the image ${image}`;
  return `the program that checks them ended ${how} without a report${need}`;
}
