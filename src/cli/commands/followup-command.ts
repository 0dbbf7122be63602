import { randomUUID } from 'node:crypto';
import { BadRequestError, isFinal, type Run } from '../../client/index.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import { connectToRun } from '../command-client.ts';
import type { ExitCode } from '../command-table.ts';
import { readTyped } from '../prompt.ts';
import { noteError, type Shell } from '../terminal/command-shell.ts';
import { followRun } from './logs-command.ts';

export async function followup(args: Arguments, shell: Shell): Promise<ExitCode> {
  const [, typed, ...more] = args.words;
  if (typed === undefined || more.length > 0)
    throw new UsageError('followup takes a RUN_ID and one MESSAGE; quote a message that has spaces');
  const message = await readTyped(typed, shell, { what: 'the message', command: 'followup' });
  const { client, runId } = await connectToRun(args, shell);
  const before = await client.runs.retrieve(runId);
  try {
    // With a key, the client can retry a message whose response was lost.
    await client.runs.followup(runId, { message }, { idempotencyKey: randomUUID() });
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.isProxyResponse) throw error;
    // Not a usage error: the run ended before.
    noteError(shell, error, isFinal(before.state) ? explainOver(before) : (error.detail ?? error.message));
    return 1;
  }
  const [events, output] = args.has('json') ? (['json', 'none'] as const) : (['progress', 'result'] as const);
  if (!args.has('no-wait')) return await followRun(args, shell, { runId, after: before.last_seq, events, output });
  if (args.has('json')) shell.printJson({ run_id: runId });
  else shell.print(`Run ${runId} continues`);
  return 0;
}

/** Only agents that keep a session have a conversation to continue. */
function explainOver({ state, session_id, conversation_id }: Run): string {
  const next = `Continue its conversation: npx agent-run run --conversation ${conversation_id} PROMPT`;
  return session_id === undefined ? `the run is over (${state})` : `the run is over (${state}). ${next}`;
}
