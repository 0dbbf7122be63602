/**
 * A JSON Schema is turned into a program, and both schema and value come from others: compiling and checking can take for ever and fill the memory. So both happen in a
 * thread (schema-program.ts) that has its own memory, is ended when it takes too long, and leaves the server free meanwhile.
 */
import { Worker } from 'node:worker_threads';
import type { JsonObject } from '../../base/json.ts';

/** A schema alone, or with a document that it is to hold for. */
export interface SchemaQuestion {
  readonly schema: JsonObject;
  readonly document?: string | undefined;
}

export type SchemaAnswer =
  /** What is wrong with the document, a few faults of many; empty when it satisfies the schema. */
  | { readonly faults: readonly string[] }
  /** Why the schema cannot be used. */
  | { readonly refused: string };

const checkMs = 2000;
const memoryMb = 256;
/** Whoever sends many of them waits, and does not take every core. */
const threadsMax = 2;

const waiting: (() => void)[] = [];
let threads = 0;

/** Never rejects: what the thread does not get through with is refused. */
export async function askSchema(question: SchemaQuestion): Promise<SchemaAnswer> {
  if (threads < threadsMax) threads += 1;
  else {
    const { promise: turn, resolve } = Promise.withResolvers<void>();
    // A run that waits for its end goes before one that is not there yet.
    if (question.document === undefined) waiting.push(resolve);
    else waiting.unshift(resolve);
    await turn;
  }
  try {
    return await askThread(question);
  } finally {
    const next = waiting.shift();
    if (next === undefined) threads -= 1;
    else next();
  }
}

async function askThread(question: SchemaQuestion): Promise<SchemaAnswer> {
  const { promise, resolve } = Promise.withResolvers<SchemaAnswer>();
  // Beside this file, as source or as built: whichever this one is.
  const ending = import.meta.url.endsWith('.ts') ? 'ts' : 'js';
  const thread = new Worker(new URL(`./schema-program.${ending}`, import.meta.url), {
    env: {},
    execArgv: [],
    resourceLimits: { maxOldGenerationSizeMb: memoryMb },
  });
  let timer: NodeJS.Timeout | undefined;
  thread.on('message', (message: 'ready' | SchemaAnswer) => {
    if (message !== 'ready') return resolve(message);
    // How long a thread takes to start is no fault of the schema.
    timer = setTimeout(() => resolve({ refused: `it takes longer than ${checkMs / 1000} seconds` }), checkMs);
    thread.postMessage(question);
  });
  thread.on('error', (error: NodeJS.ErrnoException) => {
    const isMemory = error.code === 'ERR_WORKER_OUT_OF_MEMORY';
    resolve({ refused: isMemory ? `it takes more than ${memoryMb} MiB of memory` : error.message });
  });
  thread.on('exit', () => resolve({ refused: 'its check ended without an answer' }));
  const answer = await promise;
  clearTimeout(timer);
  await thread.terminate();
  return answer;
}
