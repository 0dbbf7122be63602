import { createHash } from 'node:crypto';
import type { Context, Handler } from 'hono';
import { canonicalJson, type JsonObject } from '../../../base/json.ts';
import { makeTitle } from '../../../base/wording/prompt-title.ts';
import { type CreateRunAnswer, createRunSchema } from '../../../contract/create.ts';
import { headerNames } from '../../../contract/tables/headers.ts';
import { apiPrefix, routePath } from '../../../contract/tables/routes.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import { type RunSource, runSources } from '../../../contract/tables/source.ts';
import type { Checkout, CreateOutcome, NewRun } from '../../store/store.ts';
import type { Handlers, HttpEnv } from '../app.ts';
import { invalidRequest, RequestError } from '../problem-response.ts';
import { parseWith, readJsonBody } from '../request-body.ts';
import { continueConversation, findConversation, refuseBusy } from './conversation.ts';
import { resolveConfig, settleModel } from './resolve-config.ts';
import { describeIgnored, refuseRestrictions } from './unknown-members.ts';

/** POST /agent/runs and /agent/run. */
export function createRunHandler(parts: Handlers): Handler<HttpEnv> {
  return async c => {
    const json = await readJsonBody(c.req.raw, parts.limits.body_bytes);
    const body = settleModel(parseWith(createRunSchema, json));
    const idempotency = readIdempotencyKey(c.req.header(headerNames.idempotencyKey), json);
    // A repeated request gets its run, even if the server's settings have changed.
    const earlier = idempotency && (await parts.store.findCreated(c.get('caller').uid, idempotency));
    if (earlier !== undefined) return answerCreated(c, parts, { json, outcome: earlier, isBusy: false });
    refuseRestrictions(json);
    if (parts.isDraining())
      throw new RequestError('resource_unavailable', 'the server is stopping and takes no new runs');
    if (body.lease_seconds !== undefined) checkLease(body.lease_seconds, parts.limits.min_lease_seconds);
    const continued = await findConversation(body, parts);
    const { config, skillLabel } = await resolveConfig(
      continued === undefined ? body : continueConversation(body, continued.run, parts),
      {
        ...parts,
        signal: c.req.raw.signal,
      },
    );
    const prompt = body.prompt ?? '';
    const run: NewRun = {
      title: body.title ?? makeTitle(prompt, continued?.run.title ?? skillLabel ?? 'untitled'),
      prompt,
      config,
      source: readSource(c.req.header(headerNames.source)),
      triggerUrl: body.trigger_url,
      metadata: body.metadata,
      checkout: continued === undefined ? readCheckout(body) : continued.run.checkout,
      conversation: continued && { id: continued.run.conversationId, continuation: continued.continuation },
      isInteractive: body.interactive,
      creator: c.get('caller'),
      leaseSeconds: body.lease_seconds,
      idempotency,
    };
    const isBusy = parts.isAtCapacity();
    return answerCreated(c, parts, { json, outcome: await parts.store.createRun(run), isBusy });
  };
}

function answerCreated(
  c: Context<HttpEnv>,
  { log, publicUrl, links }: Handlers,
  { json, outcome, isBusy }: { readonly json: JsonObject; readonly outcome: CreateOutcome; readonly isBusy: boolean },
): Response {
  const locate = (id: string) => `${publicUrl()}${apiPrefix}${routePath('readRun', { runId: id })}`;
  if (outcome.kind === 'key_conflict')
    throw new RequestError(
      'operation_not_supported',
      `nothing was started: this ${headerNames.idempotencyKey} was used before with a different body, for the run ${outcome.runId}; use a new key for a new run`,
      { headers: { Location: locate(outcome.runId) } },
    );
  if (outcome.kind === 'conversation_busy') throw refuseBusy(outcome.run);
  const { runId, state, creator, source, config } = outcome.run;
  const warnings = describeIgnored(json, config);
  if (outcome.kind === 'replayed') c.header(headerNames.idempotentReplayed, 'true');
  else log('info', 'run accepted', { run: runId, creator: creator.uid, source });
  if (outcome.kind === 'created' && warnings.length > 0)
    log('warn', 'unknown members of a create request were ignored', { run: runId, warnings: warnings.join(' ') });
  c.header('Location', locate(runId));
  const answer: CreateRunAnswer = {
    run_id: runId,
    task_id: runId,
    state,
    ...(state === 'QUEUED' && isBusy ? { at_capacity: true } : {}),
    session_link: `${publicUrl()}${links.pathFor(runId)}`,
    ...(warnings.length > 0 ? { warnings } : {}),
  };
  return c.json(answer);
}

function readCheckout({ repository, ref, sha }: Checkout): Checkout | undefined {
  return (repository ?? ref ?? sha) === undefined ? undefined : { repository, ref, sha };
}

/** The minimum lease is a setting of the server. */
export function checkLease(seconds: number, least: number): void {
  if (seconds < least)
    throw invalidRequest([
      { path: 'lease_seconds', message: `must be ${least} to ${sizes.leaseSecondsMax} on this server, not ${seconds}` },
    ]);
}

export function readIdempotencyKey(key: string | undefined, body: JsonObject): NewRun['idempotency'] {
  if (key === undefined) return undefined;
  if (key.length > sizes.idempotencyKeyCharacters || !/^[\x21-\x7e]+$/.test(key))
    throw invalidRequest([
      {
        path: headerNames.idempotencyKey,
        message: `must have 1 to ${sizes.idempotencyKeyCharacters} visible ASCII characters`,
      },
    ]);
  return { key, bodyHash: createHash('sha256').update(canonicalJson(body)).digest('hex') };
}

/** An unknown source comes from a newer client and counts as API. */
function readSource(header: string | undefined): RunSource {
  return runSources.find(source => source === header?.trim().toUpperCase()) ?? 'API';
}
