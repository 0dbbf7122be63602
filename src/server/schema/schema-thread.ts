/**
 * Compiles JSON Schemas and checks documents with them. Schema and value come from outside, and Ajv turns the schema
 * into code, which may run forever or fill the memory. So it runs in a thread (schema-program.ts) with its own memory
 * and time limit, and the server stays responsive.
 */
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '../../base/json.ts';
import { findShortage } from '../../base/process/shortage.ts';
import { siblingProgram } from '../../base/process/sibling-program.ts';

/** A schema alone, or with a document to check. */
export interface SchemaQuestion {
  readonly schema: JsonObject;
  readonly document?: string | undefined;
}

export type SchemaAnswer =
  /** Some of the document's faults. Empty if it matches the schema. */
  | { readonly faults: readonly string[] }
  /** Why the schema cannot be used. */
  | { readonly refused: string }
  /** Why it was not checked: too many checks are waiting, or the caller is gone. */
  | { readonly unasked: string };

const checkMs = 2000;
const memoryMb = 256;
/** Threads at a time. A caller with many checks waits instead of taking every core. */
const threadsMax = 2;
/** Schemas that may wait for a thread. With more, the last one would wait longer than its caller. */
const waitingMax = 20;
const gone: SchemaAnswer = { unasked: 'the caller is gone' };

const waiting: (() => void)[] = [];
let threads = 0;

/**
 * Never rejects: a check that fails or takes too long counts as refused. Aborting the signal drops the check. Checks
 * with a document, which a run waits for, are always done.
 */
export async function askSchema(question: SchemaQuestion, signal?: AbortSignal): Promise<SchemaAnswer> {
  if (signal?.aborted === true) return gone;
  if (threads < threadsMax) threads += 1;
  else {
    const isOfRun = question.document !== undefined;
    if (!isOfRun && waiting.length >= waitingMax)
      return { unasked: `${waiting.length} schemas wait to be checked already` };
    if (!(await waitForTurn({ isOfRun, signal }))) return gone;
  }
  try {
    return await askThread(question, signal);
  } finally {
    const next = waiting.shift();
    if (next === undefined) threads -= 1;
    else next();
  }
}

/** Whether it got its turn. */
async function waitForTurn({
  isOfRun,
  signal,
}: {
  readonly isOfRun: boolean;
  readonly signal: AbortSignal | undefined;
}): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const take = (): void => resolve(true);
  const leave = (): void => {
    const place = waiting.indexOf(take);
    // The called check owns the turn and passes it on.
    if (place < 0) return;
    waiting.splice(place, 1);
    resolve(false);
  };
  // A run that waits for its end goes before a run that is not created yet.
  if (isOfRun) waiting.unshift(take);
  else waiting.push(take);
  signal?.addEventListener('abort', leave, { once: true });
  const isTurn = await promise;
  signal?.removeEventListener('abort', leave);
  return isTurn;
}

/**
 * Idle threads for the next check. In a step, the second check comes after the agent, which may have rewritten the
 * program's file.
 */
const idle: Worker[] = [];
let hasStarted = false;
let isOneThreadEnough = false;

/** From now on, ended threads are not replaced, so a step runs no code that its agent may have rewritten. */
export function startOneSchemaThread(): void {
  isOneThreadEnough = true;
}

async function askThread(question: SchemaQuestion, signal: AbortSignal | undefined): Promise<SchemaAnswer> {
  const { promise, resolve } = Promise.withResolvers<SchemaAnswer>();
  const kept = idle.pop();
  if (kept === undefined && hasStarted && isOneThreadEnough) return { unasked: 'an earlier check took too long' };
  const thread = kept ?? startThread();
  let timer: NodeJS.Timeout | undefined;
  let hasAnswered = false;
  const ask = () => {
    timer = setTimeout(() => resolve({ refused: `it takes longer than ${checkMs / 1000} seconds` }), checkMs);
    thread.postMessage(question);
  };
  const hear = (message: 'ready' | SchemaAnswer) => {
    // Starting a thread does not count toward the schema's time.
    if (message === 'ready') return ask();
    hasAnswered = true;
    resolve(message);
  };
  const fail = (error: NodeJS.ErrnoException) => {
    if (findShortage(error) !== undefined) return resolve({ unasked: `no thread can be started (${error.message})` });
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    resolve({ refused: isMemory ? `it takes more than ${memoryMb} MiB of memory` : error.message });
  };
  const end = (): void => resolve({ refused: 'its check ended without an answer' });
  thread.on('message', hear).on('error', fail).on('exit', end);
  if (kept !== undefined) {
    kept.ref();
    ask();
  }
  const leave = (): void => resolve(gone);
  if (signal?.aborted === true) leave();
  signal?.addEventListener('abort', leave, { once: true });
  const answer = await promise;
  signal?.removeEventListener('abort', leave);
  clearTimeout(timer);
  thread.off('message', hear).off('error', fail).off('exit', end);
  if (hasAnswered) {
    thread.unref();
    idle.push(thread);
  } else await thread.terminate();
  return answer;
}

function startThread(): Worker {
  const thread = new Worker(siblingProgram('schema-program', import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  hasStarted = true;
  const drop = (): void => {
    if (idle.includes(thread)) idle.splice(idle.indexOf(thread), 1);
  };
  return thread.on('error', drop).on('exit', drop);
}
