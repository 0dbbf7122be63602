/**
 * A JSON Schema is turned into a program, and both schema and value come from others: compiling and checking can take for ever and fill the memory. So both happen in a
 * thread (schema-program.ts) that has its own memory, is ended when it takes too long, and leaves the server free meanwhile.
 */
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '../../base/json.ts';
import { findShortage } from '../../base/process/shortage.ts';
import { siblingProgram } from '../../base/process/sibling-program.ts';

/** A schema alone, or with a document that it is to hold for. */
export interface SchemaQuestion {
  readonly schema: JsonObject;
  readonly document?: string | undefined;
}

export type SchemaAnswer =
  /** What is wrong with the document, a few faults of many; empty when it satisfies the schema. */
  | { readonly faults: readonly string[] }
  /** Why the schema cannot be used. */
  | { readonly refused: string }
  /** Why nobody looked: too many wait already, or whoever asked is gone. */
  | { readonly unasked: string };

const checkMs = 2000;
const memoryMb = 256;
/** Whoever sends many of them waits, and does not take every core. */
const threadsMax = 2;
/** Schemas that wait for a thread. With more of them the last one would wait longer than whoever sent it. */
const waitingMax = 20;
const gone: SchemaAnswer = { unasked: 'the caller is gone' };

const waiting: (() => void)[] = [];
let threads = 0;

/**
 * Never rejects: what the thread does not get through with is refused. Once the signal is aborted the question neither waits nor keeps a thread; one
 * with a document, which a run waits for, is always asked.
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

/** Whether it came to its turn. */
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
    // Whoever was called has its turn, and gives it on.
    if (place < 0) return;
    waiting.splice(place, 1);
    resolve(false);
  };
  // A run that waits for its end goes before one that is not there yet.
  if (isOfRun) waiting.unshift(take);
  else waiting.push(take);
  signal?.addEventListener('abort', leave, { once: true });
  const isTurn = await promise;
  signal?.removeEventListener('abort', leave);
  return isTurn;
}

/**
 * Threads that have answered and are kept for the next question. In a step the second question comes after the agent, which may have rewritten the
 * file of the program.
 */
const idle: Worker[] = [];
let hasStarted = false;
let isOneThreadEnough = false;

/** From here on a thread that was ended is not replaced, so that a step runs no code that its agent may have rewritten. */
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
    // The time that a thread takes to start is not the schema's.
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
