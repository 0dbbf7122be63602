import { closeSync, fstatSync, lstatSync, opendirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '../../../../base/json.ts';
import { openPlainFileSync } from '../../../../border/files.ts';
import { readCount, readObject, readText } from '../event-parts.ts';

/** Tokens of a thread from its beginning, over all runs that went on with it. */
export interface ThreadTokens {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly cached_tokens: number;
  readonly reasoning_tokens: number;
}

/** What Codex writes down of a thread while it works: it says what each answer used, which its output says only of a turn that ended well. */
export interface SessionLog {
  /** Reads what is new, of much a part; whether there is more. */
  update(): boolean;
  /** Of the last answer in it; undefined when there is none. */
  readonly tokens: ThreadTokens | undefined;
  /** How many there are. */
  readonly answers: number;
}

const mark = Buffer.from('"type":"token_usage_record"');
const objectStart = 0x7b;
const lineEnd = 0x0a;
const pieceBytes = 1024 * 1024;
/** What comes behind is not read: the agent can make the file as large as it likes, and nothing else is done meanwhile. */
const logBytesMax = 256 * 1024 * 1024;
/** In one go, which is a tenth of a second or two. */
const updateBytesMax = 32 * 1024 * 1024;
/** Of lines with the mark no more are looked at, nor more bytes of them: a thread has one for each answer, of less than a kilobyte. */
const recordsMax = 20_000;
const recordBytesMax = 16 * 1024 * 1024;
/** Of the folders of years, months and days, over all searches for the log of a thread: each line of the program that comes before it was found is one. */
const entriesMax = 5000;
/** No record of an answer is longer. */
const lineBytesMax = 64 * 1024;

/** The log of a thread below CODEX_HOME, also before it is there. Never throws: without it, a run lacks some numbers. */
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
    // By its marks, not line by line: whoever writes lines without end is not made to have each looked at.
    const end = text.lastIndexOf(lineEnd) + 1;
    for (let found = text.indexOf(mark); found >= 0 && found < end && !isFull(); ) {
      const from = text.lastIndexOf(lineEnd, found) + 1;
      const to = text.indexOf(lineEnd, found);
      takeLine(text.subarray(from, to));
      found = text.indexOf(mark, to);
    }
    // Of a line that is longer than any record a part is enough: it is none.
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
        // It is gone, or not what it was.
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

/** Tokens as Codex counts them: input is with the cached ones, output with those of the reasoning. */
export function readThreadTokens(usage: unknown): ThreadTokens {
  const { input_tokens, output_tokens, cached_input_tokens, reasoning_output_tokens } = readObject(usage);
  return {
    input_tokens: readCount(input_tokens),
    output_tokens: readCount(output_tokens),
    cached_tokens: readCount(cached_input_tokens),
    reasoning_tokens: readCount(reasoning_output_tokens),
  };
}

/** In the folder of its day. Links lead nowhere, and no more is looked through than is left of the budget: nothing else is done meanwhile. */
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

/** Reads a file from a place on, no more than is read in one go, and gives the new place. */
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
