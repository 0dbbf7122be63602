import { closeSync, fstatSync, lstatSync, opendirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../../base/json.ts';
import { openPlainFileSync } from '../../../../border/files.ts';
import { readCount, readObject, readText } from '../event-parts.ts';

/** Tokens of a thread since its beginning, over all its runs. */
export interface ThreadTokens {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
}

/**
 * Reads the log that Codex writes of a thread. It has the usage of each answer; its output reports only that of a
 * successful turn.
 */
export interface SessionLog {
  /** Reads new records, up to a size limit. Returns whether there are more. */
  update(): boolean;
  /** Usage as of the last answer. Undefined if there is none. */
  readonly tokens: ThreadTokens | undefined;
  /** Number of answers. */
  readonly answers: number;
}

const mark = Buffer.from('"type":"token_usage_record"');
const objectStart = 0x7b;
const lineEnd = 0x0a;
const pieceBytes = 1024 * 1024;
/** The rest is not read: the agent can make the file any size, and reading blocks the server. */
const logBytesMax = 256 * 1024 * 1024;
/** Limit for one read, which takes one or two tenths of a second. */
const updateBytesMax = 32 * 1024 * 1024;
/** Limits on marked lines and their bytes. A thread has one such line per answer, of less than a kilobyte. */
const recordsMax = 20_000;
const recordBytesMax = 16 * 1024 * 1024;
/**
 * Limit on folders of years, months and days, over all searches for a thread's log. Each line of the program before
 * the log exists is one search.
 */
const entriesMax = 5000;
/** No record of an answer is longer. */
const lineBytesMax = 64 * 1024;

/**
 * The log of a thread below CODEX_HOME, which may not exist yet. Never throws: without a log, a run lacks some
 * numbers.
 */
export function openSessionLog(codexHome: string, threadId: string): SessionLog {
  let file: string | undefined;
  const budget = { left: entriesMax };
  let at = 0;
  let rest: Buffer = Buffer.alloc(0);
  let tokens: ThreadTokens | undefined;
  let answers = 0;
  const left = { records: recordsMax, bytes: recordBytesMax };
  const isFull = (): boolean => left.records <= 0 || left.bytes <= 0;
  const takeLine = (line: Buffer): void => {
    left.records -= 1;
    if (line[0] !== objectStart || line.length > lineBytesMax) return;
    left.bytes -= line.length;
    const { thread_id, thread_token_usage } = readObject(readObject(parseLine(line)).payload);
    if (readText(thread_id) !== threadId || !isObject(thread_token_usage)) return;
    tokens = readThreadTokens(thread_token_usage);
    answers += 1;
  };
  const takePiece = (piece: Buffer): void => {
    const text = rest.length === 0 ? piece : Buffer.concat([rest, piece]);
    // Found by their marks, not line by line, because an agent could write any number of lines.
    const end = text.lastIndexOf(lineEnd) + 1;
    for (let found = text.indexOf(mark); found >= 0 && found < end && !isFull(); ) {
      const from = text.lastIndexOf(lineEnd, found) + 1;
      const to = text.indexOf(lineEnd, found);
      takeLine(text.subarray(from, to));
      found = text.indexOf(mark, to);
    }
    // A line longer than any record is skipped after its first part.
    rest = Buffer.from(text.subarray(end, end + lineBytesMax + 1));
  };
  return {
    update() {
      try {
        file ??= findLog(codexHome, threadId, budget);
        if (file === undefined || isFull()) return false;
        const from = at;
        at = readOn(file, from, takePiece);
        return at - from === updateBytesMax;
      } catch {
        // The file was removed or replaced.
        return false;
      }
    },
    get tokens() {
      return tokens;
    },
    get answers() {
      return answers;
    },
  };
}

function parseLine(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString());
  } catch {
    return undefined;
  }
}

/** Codex counts cached tokens as input, and tokens of reasoning as output. */
export function readThreadTokens(usage: unknown): ThreadTokens {
  const { input_tokens, output_tokens, cached_input_tokens, reasoning_output_tokens } = readObject(usage);
  return {
    input_tokens: readCount(input_tokens),
    output_tokens: readCount(output_tokens),
    cached_tokens: readCount(cached_input_tokens),
    reasoning_tokens: readCount(reasoning_output_tokens),
  };
}

/**
 * Searches the folder of its day, within the rest of the budget, because searching blocks the server. Does not follow
 * links.
 */
function findLog(codexHome: string, threadId: string, budget: { left: number }): string | undefined {
  budget.left -= 1;
  const look = (folder: string, levels: number): string | undefined => {
    if (budget.left <= 0 || !lstatSync(folder).isDirectory()) return undefined;
    const within: string[] = [];
    const entries = opendirSync(folder);
    try {
      for (let entry = entries.readSync(); entry !== null && budget.left > 0; entry = entries.readSync()) {
        budget.left -= 1;
        if (entry.isFile() && entry.name.endsWith(`-${threadId}.jsonl`)) return join(folder, entry.name);
        if (entry.isDirectory() && levels > 0) within.push(join(folder, entry.name));
      }
    } finally {
      entries.closeSync();
    }
    for (const path of within) {
      const found = look(path, levels - 1);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return look(join(codexHome, 'sessions'), 3);
}

/** Reads a file from an offset, up to the limit for one read. Returns the new offset. */
function readOn(file: string, from: number, take: (piece: Buffer) => void): number {
  const handle = openPlainFileSync(file);
  try {
    const size = Math.min(fstatSync(handle).size, logBytesMax, from + updateBytesMax);
    const piece = Buffer.allocUnsafe(pieceBytes);
    let at = from;
    while (at < size) {
      const bytes = readSync(handle, piece, 0, Math.min(pieceBytes, size - at), at);
      if (bytes === 0) break;
      take(piece.subarray(0, bytes));
      at += bytes;
    }
    return at;
  } finally {
    closeSync(handle);
  }
}
