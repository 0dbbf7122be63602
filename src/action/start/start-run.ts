/** Starts one run per step, even if a response, an attempt of the job or an earlier step is lost. */

import type { JsonObject } from '../../base/json.ts';
import { type AgentRuns, ApiError, isFinal, type Run } from '../../client/index.ts';
import type { CreateRunAnswer } from '../../contract/create.ts';
import { headerNames } from '../../contract/tables/headers.ts';
import { isProxyResponse, retryProxyResponses } from '../connect/proxy-responses.ts';
import { InputError } from '../inputs/values.ts';
import { completeBody, stepLabel } from './run-body.ts';
import type { StepKey } from './step-key.ts';

const warningsMax = 20;

interface Start {
  readonly client: AgentRuns;
  readonly task: JsonObject;
  /** Undefined outside a workflow run. */
  readonly key: StepKey | undefined;
  /** True to take up a run of an earlier attempt of the job. */
  readonly looksForEarlier: boolean;
  /** Undefined for a run that nobody follows. */
  readonly leaseSeconds: number | undefined;
  readonly limitMs: number;
  readonly signal: AbortSignal;
  readonly print: (line: string) => void;
  /** Called just before a run may be created, with the key to find it by. */
  readonly onStart: (key: string | undefined) => void;
}

export interface Started {
  readonly answer: CreateRunAnswer;
  /** True if the run existed before this step. */
  readonly attached: boolean;
}

/** Starts the step's run or takes up the existing one. Throws InputError and the client's errors. */
export async function startRun(start: Start): Promise<Started> {
  const earlier = start.looksForEarlier ? await findEarlier(start) : undefined;
  if (earlier !== undefined) {
    start.print(`an earlier attempt of this job has a run that is still open; following it (\`rerun: attach\`)`);
    return { answer: answerOf(earlier), attached: true };
  }
  const key = start.key?.ofAttempt;
  start.onStart(start.key?.ofStep);
  const first = await create(start, key);
  if (!first.isForeign) return { answer: first.answer, attached: false };
  if (!isFinal(first.answer.state)) {
    start.print(
      'a step with the same job, matrix leg and inputs already started this run; following it. Set a different `name` or `title` to start another one',
    );
    return { answer: first.answer, attached: true };
  }
  // A runner may give the same number to several workflow runs. A run that ended under it is not this step's task.
  start.print('a step with the same inputs started a run that has ended; starting a new one');
  const again = await create(start, `${key}-${crypto.randomUUID()}`);
  return { answer: again.answer, attached: false };
}

/** `isForeign`: the server had a run with the key before this process sent a request. */
async function create(
  { client, task, key, leaseSeconds, limitMs, signal }: Start,
  idempotencyKey: string | undefined,
): Promise<{ readonly answer: CreateRunAnswer; readonly isForeign: boolean }> {
  let isRepeated = false;
  const { data, response } = await client.runs
    .create(completeBody(task, { stepKey: key?.ofStep, leaseSeconds }), {
      source: 'GITHUB_ACTION',
      totalTimeoutMs: limitMs,
      signal,
      onRetry: () => {
        isRepeated = true;
      },
      ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
    })
    .withResponse()
    .catch(explainOtherBody);
  return { answer: data, isForeign: !isRepeated && response.headers.get(headerNames.idempotentReplayed) === 'true' };
}

/** The key covers the whole request except the lease, so no other request can have the same key. */
function explainOtherBody(error: unknown): never {
  const isOther = error instanceof ApiError && error.status === 422 && error.headers.has('location');
  if (!isOther) throw error;
  throw new InputError(
    'another step of this job has the same inputs and differs only in `wait` or `lease`; give each step its own `name` or `title`',
  );
}

/** Finds a live run that an earlier attempt of the job started. A service without label search has none. */
async function findEarlier({ client, key, signal }: Start): Promise<Run | undefined> {
  return key === undefined ? undefined : await findAlive(client, key.ofStep, { signal });
}

/** Returns the newest one. Throws the client's errors, except if the service lacks the search. */
export async function findAlive(
  client: AgentRuns,
  stepKey: string,
  options: { readonly signal?: AbortSignal; readonly totalTimeoutMs?: number } = {},
): Promise<Run | undefined> {
  const filter = { metadata: { [stepLabel]: stepKey }, sort_by: 'created_at', sort_order: 'desc', limit: 10 } as const;
  try {
    const page = await retryProxyResponses(async () => await client.runs.list(filter, options), {
      limitMs: options.totalTimeoutMs,
      signal: options.signal,
    });
    return page.runs.find(run => run.metadata?.[stepLabel] === stepKey && isAlive(run));
  } catch (error) {
    if (error instanceof ApiError && cannotLook(error)) return undefined;
    throw error;
  }
}

/** Believes a non-JSON response only if it says "no such address" or "no such method". */
function cannotLook(error: ApiError): boolean {
  if (error.status === 404 || error.status === 405) return true;
  return error.status < 500 && ![401, 403, 429].includes(error.status) && !isProxyResponse(error);
}

/** A run that is being canceled counts as ended. */
function isAlive(run: Run): boolean {
  return !isFinal(run.state) && (run.cancel_requested_at ?? undefined) === undefined;
}

/** The server's warnings about the request. Another service may send any value. */
export function readWarnings({ warnings }: CreateRunAnswer): readonly string[] {
  const said: readonly unknown[] = Array.isArray(warnings) ? warnings : [];
  return said.slice(0, warningsMax).filter(warning => typeof warning === 'string');
}

export function answerOf(run: Run): CreateRunAnswer {
  const { run_id, task_id, state, session_link } = run;
  return { run_id, task_id, state, ...(session_link === undefined ? {} : { session_link }) };
}
