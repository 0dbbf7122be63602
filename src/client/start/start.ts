/**
 * Starts a run exactly once, even if responses get lost.
 *
 * - A create that was certainly not carried out (refused connection, unresolved name, 429, the 503 of this project's
 *   server) is retried. When the retries run out, the last error is thrown: nothing was started.
 * - A create that may have been carried out (reset, timeout, 5xx, truncated response, redirect, JSON that is not a
 *   problem document, unforeseen client error) is followed by a cheap GET. If the server supports idempotency keys,
 *   the create is retried with the same key, so the server returns the existing run or starts it. It also uses the
 *   same API key, because another caller's create would start a second run.
 * - If the server does not support keys, forbids the retry or rejects the API key by now, the list is searched.
 *   Exactly one matching run is the answer; otherwise StartUnknownError is thrown. There is never a second create.
 * - A create that a proxy refused with a page (403 of a firewall, 400 of a proxy) did not reach the server. It is
 *   sent again only if the GET shows that the server supports idempotency keys. Otherwise the page is the answer,
 *   because it may have replaced the server's.
 */
import { messageOf } from '../../base/cause.ts';
import { isObject } from '../../base/json.ts';
import type { CreateRunAnswer, CreateRunBody } from '../../contract/create.ts';
import type { OpenWord } from '../../contract/open-world.ts';
import type { Run } from '../../contract/run.ts';
import { headerNames, readFeatures } from '../../contract/tables/headers.ts';
import { routePath } from '../../contract/tables/routes.ts';
import type { RunSource } from '../../contract/tables/source.ts';
import {
  ApiError,
  AuthenticationError,
  headlineOf,
  PermissionDeniedError,
  UnexpectedResponseError,
} from '../errors/answer-errors.ts';
import { AbortedError, ConfigurationError } from '../errors/errors.ts';
import { StartUnknownError } from '../errors/run-errors.ts';
import { notThere } from '../following/features.ts';
import { type Answer, replaceData } from '../http/answer.ts';
import { pause, throwIfAborted } from '../http/deadline.ts';
import { entriesOf, type Prepared } from '../http/request.ts';
import {
  isOwnServerAnswer,
  isProxyAnswer,
  isServiceAnswer,
  judgeFailure,
  mayBeDone,
  retryDelayMs,
} from '../http/retry-rules.ts';
import { isRun, isRunPage } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import { checkOptions, type RequestOptions, requestNames } from '../options/options.ts';
import { findStartedRun, fits } from './run-search.ts';

export interface CreateOptions extends RequestOptions {
  /**
   * Repeating a create with the same key and body returns the same run. 1 to 255 visible ASCII characters. @default a
   * new UUID
   */
  readonly idempotencyKey?: string | undefined;
  /** The kind of program that starts the run. @default API */
  readonly source?: OpenWord<RunSource> | undefined;
}

/** A create in progress. */
interface Start {
  readonly transport: Transport;
  readonly idempotencyKey: string;
  readonly options: RequestOptions;
  /** The request as first prepared: the caller may have changed the body since. It keeps the state of all attempts. */
  create: Prepared;
  readonly elapsedMs: () => number;
}

/** Throws StartUnknownError if a run may have been started but cannot be found. */
export async function startRun(transport: Transport, body: CreateRunBody, options: CreateOptions): Promise<Answer> {
  checkOptions('the options of a create', options, ['idempotencyKey', 'source', ...requestNames]);
  if (!isObject(body)) throw new ConfigurationError('the body of a create must be an object');
  const { idempotencyKey = crypto.randomUUID(), source, ...kept } = options;
  throwIfAborted(kept.signal);
  const began = transport.clock.monotonicMs();
  const prepared = transport.prepare({
    ...kept,
    method: 'POST',
    path: routePath('createRun'),
    body,
    headers: {
      ...Object.fromEntries(entriesOf(kept.headers)),
      ...(source === undefined ? {} : { [headerNames.source]: source }),
    },
    idempotencyKey,
    as: 'json',
    isExpected: isRun,
    isIdempotent: false,
  });
  // Retrying is allowed only after the server said that it supports keys.
  const create = { ...prepared, call: { ...prepared.call, isIdempotent: false } };
  const elapsedMs = (): number => transport.clock.monotonicMs() - began;
  const start: Start = { transport, idempotencyKey, options: kept, create, elapsedMs };
  unsettled.add(start);
  try {
    const answer = await carryOutStart(start);
    markTaken(transport, answer.data as CreateRunAnswer);
    return answer;
  } catch (error) {
    const { hasLeft, isPerhapsDone } = start.create;
    if (error instanceof AbortedError && (hasLeft || isPerhapsDone))
      throw new AbortedError(error.cause, idempotencyKey);
    throw error;
  } finally {
    unsettled.delete(start);
  }
}

async function carryOutStart(start: Start): Promise<Answer> {
  try {
    return await start.transport.carryOut(start.create);
  } catch (failure) {
    if ((start.create.hasLeft || failure instanceof ApiError) && mayHaveStartedRun(failure))
      return await settleStart(start, failure);
    if (!isProxyRefusal(failure)) throw failure;
    try {
      return await retryPastProxy(start, failure);
    } catch (later) {
      // An attempt before the last one may have been carried out.
      if (start.create.isPerhapsDone || mayHaveStartedRun(later)) return await settleStart(start, later);
      throw later;
    }
  }
}

/** Whether the failed create may have started a run. Only the service's own answer rules that out. */
function mayHaveStartedRun(failure: unknown): boolean {
  const isOfAnother = failure instanceof ApiError && !isServiceAnswer(failure) && !isProxyRefusal(failure);
  return mayBeDone(failure) || (isOfAnother && judgeFailure(failure) === 'final');
}

/**
 * Whether a proxy refused the create with a page. A missing address or method is excluded: the base URL may be wrong.
 */
function isProxyRefusal(failure: unknown): failure is ApiError {
  return isProxyAnswer(failure) && judgeFailure(failure) === 'final' && !notThere.has(failure.status);
}

/**
 * Sends a create again that a proxy refused, if the server supports idempotency keys. Otherwise throws the proxy's
 * response.
 */
async function retryPastProxy(start: Start, page: ApiError): Promise<Answer> {
  if (!hasTimeAfter(start, page)) throw page;
  let asked: Answer;
  try {
    asked = await askServer(start, page);
  } catch (error) {
    const isRefused = error instanceof AuthenticationError || error instanceof PermissionDeniedError;
    throw error instanceof AbortedError || (isRefused && isServiceAnswer(error)) ? error : page;
  }
  if (!readFeatures(asked.headers).has('idempotency')) throw page;
  return await repeatCreate(start);
}

/** Whether the time and the options allow another attempt. */
function hasTimeAfter({ transport, options, elapsedMs }: Start, failure: unknown): boolean {
  const { totalTimeoutMs, maxRetries } = transport.limits(options);
  return maxRetries > 0 && elapsedMs() + retryDelayMs(failure, 0, transport.clock.now()) < totalTimeoutMs;
}

function remainingOf({ transport, options, elapsedMs }: Start): { readonly totalTimeoutMs: number } {
  return { totalTimeoutMs: Math.max(1, transport.limits(options).totalTimeoutMs - elapsedMs()) };
}

/** Finds out with a cheap GET what the server supports, a moment after `failure`. */
async function askServer(start: Start, failure: unknown): Promise<Answer> {
  const { transport, options } = start;
  transport.logger.info(`${headlineOf(failure)}; checking with the server before retrying`);
  transport.noteRetry(options, failure);
  await pause(transport.clock, retryDelayMs(failure, 0, transport.clock.now()), options.signal);
  return await transport.send({
    ...options,
    ...remainingOf(start),
    method: 'GET',
    path: routePath('listRuns'),
    query: { limit: 1 },
    as: 'json',
    isExpected: isRunPage,
    isIdempotent: true,
    // Retry past proxy pages only if the server may be behind one: a wrong address answers everything with a page.
    retriesProxyPages: mayBeDone(failure) || isProxyRefusal(failure),
  });
}

/** The same idempotency key makes it the same run. */
async function repeatCreate(start: Start): Promise<Answer> {
  const call = { ...start.create.call, isIdempotent: true, retriesProxyPages: true };
  start.create = { ...start.create, ...remainingOf(start), call };
  return await start.transport.carryOut(start.create);
}

/** Finds out what became of a create that failed with `failure`. */
async function settleStart(start: Start, failure: unknown): Promise<Answer> {
  const { transport, idempotencyKey, options } = start;
  const unknown = (afterwards?: string) => new StartUnknownError({ idempotencyKey, cause: failure, afterwards });
  if (!hasTimeAfter(start, failure)) throw unknown();
  let asked: Answer | undefined;
  let afterwards = 'no run in the list could be identified as this one';
  try {
    asked = await askServer(start, failure);
    const askedMs = start.elapsedMs();
    const isForbidden =
      failure instanceof ApiError &&
      (mayBeDone(failure)
        ? judgeFailure(failure) === 'final'
        : failure.headers.get(headerNames.shouldRetry) === 'false');
    if (readFeatures(asked.headers).has('idempotency') && !isForbidden) {
      start.create.pinnedKey ??= start.create.key;
      try {
        return await repeatCreate(start);
      } catch (error) {
        // The API key expired. A create with another one would start a second run.
        if (!(error instanceof AuthenticationError)) throw error;
        afterwards = messageOf(error);
      }
    }
    const run = await findStartedRun(transport, {
      body: bodyOf(start),
      serverDate: asked.headers.get('date'),
      elapsedMs: askedMs,
      options: () => ({ ...options, ...remainingOf(start) }),
      isTaken: run => isTaken(start, run),
    });
    if (run !== undefined) return replaceData(asked, createAnswer(run));
  } catch (error) {
    if (error instanceof AbortedError || refusesBody(error)) throw error;
    // Neither response came from the service, so there is no server at this address and no run.
    if (asked === undefined && isForeignAnswer(failure) && isForeignAnswer(error)) throw failure;
    throw unknown(messageOf(error));
  }
  throw unknown(afterwards);
}

/** Creates of this process whose run is not known yet. */
const unsettled = new Set<Start>();
/** The runs of this process's last creates. No search returns one of them. */
const taken = new Set<string>();
const takenMax = 1000;

/** Whether the run belongs to another create, or may belong to one that is still unsettled. */
function isTaken(start: Start, run: Run): boolean {
  const name = nameOf(start.transport, run);
  return (
    taken.has(name) ||
    [...unsettled].some(other => other !== start && nameOf(other.transport, run) === name && fits(run, bodyOf(other)))
  );
}

function bodyOf({ create }: Start): CreateRunBody {
  const body: unknown = JSON.parse(create.body ?? '{}');
  // A `toJSON` method may return anything.
  return isObject(body) ? (body as CreateRunBody) : {};
}

/** Keeps searches for other creates from returning the run. */
export function markTaken(transport: Transport, run: Pick<Run, 'run_id'>): void {
  taken.add(nameOf(transport, run));
  for (const oldest of taken) {
    if (taken.size <= takenMax) break;
    taken.delete(oldest);
  }
}

function nameOf(transport: Transport, run: Pick<Run, 'run_id'>): string {
  return `${transport.host} ${run.run_id}`;
}

/** Whether a proxy or another service answered. Truncated or mislabeled JSON may still come from this service. */
function isForeignAnswer(error: unknown): boolean {
  if (error instanceof ApiError)
    return !isServiceAnswer(error) && (notThere.has(error.status) || [401, 403].includes(error.status));
  return error instanceof UnexpectedResponseError && !error.cut && !error.excerpt.includes('"run_id"');
}

/**
 * Whether the server refused the body itself, so the first attempt was refused too. A proxy may have other reasons.
 */
function refusesBody(error: unknown): boolean {
  const isOfCreate = error instanceof ApiError && error.method === 'POST';
  return isOfCreate && [400, 413, 415, 422].includes(error.status) && isOwnServerAnswer(error);
}

function createAnswer({ run_id, state, session_link }: Run): unknown {
  return { run_id, task_id: run_id, state, ...(typeof session_link === 'string' ? { session_link } : {}) };
}
