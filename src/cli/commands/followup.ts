import { randomUUID } from 'node:crypto';
import { BadRequestError } from '../../client/index.ts';
import { type Arguments, UsageError } from '../arguments.ts';
import type { ExitCode } from '../command-table.ts';
import { connectBriefly } from '../connect.ts';
import { readTyped } from '../prompt.ts';
import { noteError, type Shell } from '../shell.ts';
import { followOn } from './follow.ts';

export async function followup(args: Arguments, shell: Shell): Promise<ExitCode> {
  const [runId = '', typed, ...more] = args.words;
  if (typed === undefined || more.length > 0)
    throw new UsageError('followup takes a RUN_ID and one MESSAGE; quote a message that has blanks');
  const message = await readTyped(typed, shell, { what: 'the message', command: 'followup' });
  const brief = connectBriefly(args, shell);
  const { last_seq: after } = await brief.runs.retrieve(runId);
  try {
    // With a key a lost answer is no reason to leave the run waiting.
    await brief.runs.followup(runId, { message }, { idempotencyKey: randomUUID() });
  } catch (error) {
    if (!(error instanceof BadRequestError) || error.isPage) throw error;
    // Not the user's slip: the run was over before.
    noteError(shell, error, error.detail ?? error.message);
    return 1;
  }
  if (!args.has('no-wait')) return await followOn(args, shell, { runId, after });
  if (args.has('json')) shell.printJson({ run_id: runId });
  else shell.print(`run ${runId} goes on`);
  return 0;
}
