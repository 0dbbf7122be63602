import { randomUUID } from 'node:crypto';
import { BadRequestError } from '../../client/index.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connectToRun } from '../connect.ts';
import { readTyped } from '../prompt.ts';
import { noteError, type Shell } from '../shell.ts';
import { followRun } from './logs.ts';

export async function followup(args: Arguments, shell: Shell): Promise<ExitCode> {
  const [, typed, ...more] = args.words;
  if (typed === undefined || more.length > 0)
    throw new UsageError('followup takes a RUN_ID and one MESSAGE; quote a message that has spaces');
  const message = await readTyped(typed, shell, { what: 'the message', command: 'followup' });
  const { client, runId } = await connectToRun(args, shell);
  const { last_seq: after } = await client.runs.retrieve(runId);
  try {
    // With a key, a message whose answer got lost can be sent again.
    await client.runs.followup(runId, { message }, { idempotencyKey: randomUUID() });
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.isPage) throw error;
    // Not the user's slip: the run was over before.
    noteError(shell, error, error.detail ?? error.message);
    return 1;
  }
  const [events, output] = args.has('json') ? (['json', 'none'] as const) : (['progress', 'result'] as const);
  if (!args.has('no-wait')) return await followRun(args, shell, { runId, after, events, output });
  if (args.has('json')) shell.printJson({ run_id: runId });
  else shell.print(`Run ${runId} continues`);
  return 0;
}
