/**
 * Starts a run once, although answers get lost.
 *
 * - What certainly was not carried out (refused connection, unresolved name, 429, the 503 of a server of this project) is repeated, and
 *   where it goes on like that, the last such error is the answer: nothing was started.
 * - Where it may have been (reset, time-out, 5xx, cut answer, a redirect, JSON that is no problem document, an unforeseen fault of the client) the server
 *   is asked what it can, with a cheap GET. If it honours idempotency keys, the create is repeated with the same key: the server answers with the run that there is, or makes it.
 *   It goes under the API key of the attempt, for another caller's would make a second run.
 * - If not, or where the server forbids the repetition or refuses the key by now, the run is looked for in the list. Exactly one that fits
 *   is the answer; else StartUnknownError, never a second create.
 * - What something before the server refused with a page (403 of a firewall, 400 of a proxy) did not reach it. Where the server says to a cheap GET that it
 *   honours idempotency keys, the create is sent again with the same key; else the page is the answer, for it may have come in place of the server's.
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
  isOfThisService,
  isWordOfAnother,
  isWordOfService,
  judgeFailure,
  mayBeDone,
  retryDelayMs,
} from '../http/retry-rules.ts';
import { isRun, isRunPage } from '../http/shape.ts';
import type { Transport } from '../http/transport.ts';
import { checkOptions, type RequestOptions, requestNames } from '../options/options.ts';
import { findStartedRun, fits } from './run-search.ts';

export interface CreateOptions extends RequestOptions {
  /** Repeating a create with the same key and body returns the same run. 1 to 255 visible ASCII characters. @default a new UUID */
  readonly idempotencyKey?: string | undefined;
  /** The kind of program that starts the run. @default API */
  readonly source?: OpenWord<RunSource> | undefined;
}

/** A create on its way. */
interface Start {
  readonly transport: Transport;
  readonly idempotencyKey: string;
  readonly options: RequestOptions;
  /** As it was called for: the caller may have changed the body since. */
  readonly create: Prepared;
  readonly elapsedMs: () => number;
}

/** Throws StartUnknownError where a run may have been started and cannot be found. */
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
  // Whether the server honours the key is to be asked first.
  const create = { ...prepared, call: { ...prepared.call, isIdempotent: false } };
  const elapsedMs = (): number => transport.clock.monotonicMs() - began;
  const start: Start = { transport, idempotencyKey, options: kept, create, elapsedMs };
  unsettled.add(start);
  try {
    const answer = await carryOutStart(start);
    noteTaken(transport, answer.data as CreateRunAnswer);
    return answer;
  } catch (error) {
    if (error instanceof AbortedError && create.hasLeft) throw new AbortedError(error.cause, idempotencyKey);
    throw error;
  } finally {
    unsettled.delete(start);
  }
}

async function carryOutStart(start: Start): Promise<Answer> {
  try {
    return await start.transport.carryOut(start.create);
  } catch (failure) {
    if ((start.create.hasLeft || failure instanceof ApiError) && isOpen(failure))
      return await settleStart(start, failure);
    if (!isInTheWay(failure)) throw failure;
    try {
      return await passThePage(start, failure);
    } catch (later) {
      if (isOpen(later)) return await settleStart(start, later);
      throw later;
    }
  }
}

/** Whether a run may have come of a create that failed so: no other word than the service's says that there is none. */
function isOpen(failure: unknown): boolean {
  const isOfAnother = failure instanceof ApiError && !isWordOfService(failure) && !isInTheWay(failure);
  return mayBeDone(failure) || (isOfAnother && judgeFailure(failure) === 'final');
}

/** A page with which something before the server refused a create. One that says that there is no such address or method may be that of a wrong address. */
function isInTheWay(failure: unknown): failure is ApiError {
  return isWordOfAnother(failure) && judgeFailure(failure) === 'final' && !notThere.has(failure.status);
}

/** Sends a create again that a page was in the way of, where the server honours its key. Throws the page where that cannot be found out, or is not so. */
async function passThePage(start: Start, page: ApiError): Promise<Answer> {
  if (!hasTimeAfter(start, page)) throw page;
  let asked: Answer;
  try {
    asked = await askServer(start, page);
  } catch (error) {
    const isRefused = error instanceof AuthenticationError || error instanceof PermissionDeniedError;
    throw error instanceof AbortedError || (isRefused && isWordOfService(error)) ? error : page;
  }
  if (!readFeatures(asked.headers).has('idempotency')) throw page;
  return await repeatCreate(start);
}

/** Whether there is time, and leave, for another attempt. */
function hasTimeAfter({ transport, options, elapsedMs }: Start, failure: unknown): boolean {
  const { totalTimeoutMs, maxRetries } = transport.limits(options);
  return maxRetries > 0 && elapsedMs() + retryDelayMs(failure, 0, transport.clock.now()) < totalTimeoutMs;
}

function remainingOf({ transport, options, elapsedMs }: Start): { readonly totalTimeoutMs: number } {
  return { totalTimeoutMs: Math.max(1, transport.limits(options).totalTimeoutMs - elapsedMs()) };
}

/** Finds out by a cheap GET what the server can, a moment after `failure`. */
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
    // Where one answer was not the service's, the next one tells: a wrong address answers everything so.
    bearsPages: mayBeDone(failure) || isInTheWay(failure),
  });
}

/** Under the same key, so that it is the same run. */
async function repeatCreate(start: Start): Promise<Answer> {
  const { transport, create } = start;
  return await transport.carryOut({
    ...create,
    ...remainingOf(start),
    call: { ...create.call, isIdempotent: true, bearsPages: true },
  });
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
        // The key is no longer good. With another one the create would be another's, and make another run.
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
    // Neither answer is in this service's language: there is no such server here, and so no run.
    if (asked === undefined && isForeign(failure) && isForeign(error)) throw failure;
    throw unknown(messageOf(error));
  }
  throw unknown(afterwards);
}

/** The creates of this process that nobody knows the run of yet. */
const unsettled = new Set<Start>();
/** The runs of its last creates. No search takes one of them for its own. */
const taken = new Set<string>();
const takenMax = 1000;

/** Whether it is the run of another create, or may be that of one whose answer is still to come. */
function isTaken(start: Start, run: Run): boolean {
  const name = nameOf(start.transport, run);
  return (
    taken.has(name) ||
    [...unsettled].some(other => other !== start && nameOf(other.transport, run) === name && fits(run, bodyOf(other)))
  );
}

function bodyOf({ create }: Start): CreateRunBody {
  const body: unknown = JSON.parse(create.body ?? '{}');
  // A `toJSON` can make anything of it.
  return isObject(body) ? (body as CreateRunBody) : {};
}

/** No search takes the run for that of another create from now on. */
export function noteTaken(transport: Transport, run: Pick<Run, 'run_id'>): void {
  taken.add(nameOf(transport, run));
  for (const oldest of taken) {
    if (taken.size <= takenMax) break;
    taken.delete(oldest);
  }
}

function nameOf(transport: Transport, run: Pick<Run, 'run_id'>): string {
  return `${transport.host} ${run.run_id}`;
}

/** What comes from a page, a proxy or another service; JSON that was cut, or that is called something else on the way, may well be from this one. */
function isForeign(error: unknown): boolean {
  if (error instanceof ApiError)
    return !isWordOfService(error) && (notThere.has(error.status) || [401, 403].includes(error.status));
  return error instanceof UnexpectedResponseError && !error.cut && !error.excerpt.includes('"run_id"');
}

/** An answer to the create that depends on nothing but its body, so the first attempt was refused as well; a proxy may have other reasons. */
function refusesBody(error: unknown): boolean {
  const isOfCreate = error instanceof ApiError && error.method === 'POST';
  return isOfCreate && [400, 413, 415, 422].includes(error.status) && isOfThisService(error);
}

function createAnswer({ run_id, state, session_link }: Run): unknown {
  return { run_id, task_id: run_id, state, ...(typeof session_link === 'string' ? { session_link } : {}) };
}
