import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { makeTitle } from '../../base/wording/prompt-title.ts';
import { type AgentRuns, ApiError, type Run } from '../../client/index.ts';
import type { CreateRunAnswer } from '../../contract/create.ts';
import { skillName } from '../../contract/tables/skill-spec.ts';
import type { Connection } from '../connect/connect.ts';
import { retryProxyResponses } from '../connect/proxy-responses.ts';
import type { ActionHost } from '../host/host.ts';
import { saveStepState } from '../host/step-state.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import { nameMembers } from '../inputs/option-names.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { InputError } from '../inputs/values.ts';
import { printTask, readLeaseSeconds } from './run-body.ts';
import { answerOf, type Started, startRun } from './start-run.ts';
import { makeStepKey } from './step-key.ts';

interface Begin {
  readonly host: ActionHost;
  readonly inputs: ActionInputs;
  readonly context: StepContext;
  readonly connection: Connection;
  /** The event for the agent: a block before the prompt, and fields of the request. */
  readonly event: EventNews;
  readonly signal: AbortSignal;
  /** Called just before a run may be created. */
  readonly onStart: () => void;
}

export interface EventNews {
  readonly block: string | undefined;
  readonly fields: {
    readonly repository?: string | undefined;
    readonly ref?: string | undefined;
    readonly sha?: string | undefined;
  };
}

export const noNews: EventNews = { block: undefined, fields: {} };

/** Limits for a server that accepts a create and does not respond. The least covers a restart. */
const startLimits = { leastMs: 30_000, mostMs: 180_000 };

/** Starts a run or takes up the existing one. Throws InputError and the client's errors. */
export async function beginRun(begin: Begin): Promise<Started> {
  const { host, inputs, context, connection, event, signal } = begin;
  const { client } = connection;
  const { task, follow } = inputs;
  if (follow.runId !== undefined)
    return { answer: answerOf(await readRun(client, follow.runId, signal)), attached: true };
  const leaseSeconds = follow.wait && follow.lease ? readLeaseSeconds(host) : undefined;
  // The block comes first: after a prompt with an open fence it would be part of that fence.
  const prompt = [event.block, task.prompt].filter(part => part !== undefined).join('\n');
  const { repository, ref, sha } = event.fields;
  // The server takes the title from the prompt's first line, which would be the block's.
  const made = event.block && makeTitle(task.prompt ?? '', task.skill === undefined ? '' : skillName(task.skill));
  const title = task.title ?? (made || undefined);
  const body = printTask({ ...task, title }, prompt === '' ? undefined : prompt, {
    trigger_url: context.jobUrl,
    repository,
    ref,
    sha,
  });
  const starting = startRun({
    client,
    task: body,
    key: makeStepKey(context, inputs, body),
    looksForEarlier: context.attempt > 1 && follow.rerun === 'attach' && !connection.isEmbedded,
    leaseSeconds,
    limitMs: Math.min(Math.max(follow.timeoutMs, startLimits.leastMs), startLimits.mostMs),
    signal,
    print: host.print,
    onStart: key => {
      if (key !== undefined && !connection.isEmbedded) saveStepState(host, 'step_key', key);
      begin.onStart();
    },
  });
  const started = await (connection.isEmbedded ? starting.catch(explainOwnRefusal(inputs, context)) : starting);
  if (started.attached && leaseSeconds !== undefined) await renewLease(connection, started.answer, leaseSeconds);
  return started;
}

async function readRun(client: AgentRuns, runId: string, signal: AbortSignal): Promise<Run> {
  return await retryProxyResponses(() => client.runs.retrieve(runId, { signal }), { signal });
}

/** The addresses of the server inside the step mean nothing to a user, so name the inputs. */
function explainOwnRefusal({ task }: ActionInputs, { workspace = '.' }: StepContext) {
  return (error: unknown): never => {
    if (!(error instanceof ApiError) || error.status >= 500) throw error;
    const isChecked = error.status !== 404 || task.skill === undefined || existsSync(join(workspace, '.git'));
    const hint = isChecked ? '' : '. Add a step with actions/checkout before this one';
    throw new InputError(`${nameMembers(error.detail ?? error.message)}${hint}`);
  };
}

/** Renews the lease of an earlier attempt's run, which may be about to end. */
async function renewLease({ client }: Connection, { run_id }: CreateRunAnswer, seconds: number): Promise<void> {
  try {
    await client.runs.renewLease(run_id, seconds, { totalTimeoutMs: 10_000 });
  } catch {
    // A service without leases ends no runs. Following renews the lease as well.
  }
}
