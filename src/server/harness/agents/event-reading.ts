/** Turns the lines of an agent program into events. The lines are untrusted, so time and memory are limited. */
import { isNestedBeyond, isObject } from '../../../base/json.ts';
import { type Redact, redactValue } from '../../../border/secrets.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import type { OutputReader } from '../harness.ts';
import type { AgentReader } from './adapter.ts';

/**
 * Limit on the events of one run, in characters. Readers remember ids and collect texts, and tools can write to the
 * program's output.
 */
export const eventCharactersMax = 128 * 1024 * 1024;
/**
 * Limit on lines that begin like an event but are not JSON. Each costs as much as a thousand others, because parsing
 * throws. Programs print a few.
 */
const brokenMax = 10_000;
/** Logged when a program printed too many events. */
export const tooManyEvents = `it printed more than ${eventCharactersMax / 1024 / 1024} MiB of events, or ${brokenMax} invalid lines, so the rest was not read`;
/** Limit on arrays, objects and members of one line. Each costs time, and parsing blocks the server. */
const valuesMax = 200_000;

/**
 * Programs name sessions by UUIDs and the like. The id is stored, shown and passed to the program again, which must
 * not take it for an option.
 */
const sessionForm = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;

export interface EventReader extends OutputReader {
  /** Whether events were skipped because there were too many. */
  readonly isFull: boolean;
}

/** Redacts before reading, because readers shorten texts, and again afterwards, because they join pieces. */
export function readEventLines(reader: AgentReader, redact: Redact): EventReader {
  let characters = 0;
  let broken = 0;
  let isFull = false;
  const noteBroken = (): undefined => {
    broken += 1;
    isFull ||= broken > brokenMax;
  };
  return {
    readLine(line) {
      if (isFull || !line.startsWith('{')) return undefined;
      const event = parseEvent(line);
      if (event === undefined) return noteBroken();
      characters += line.length;
      isFull = characters > eventCharactersMax;
      try {
        const events = reader.read(redactValue(event, redact));
        return events && redactValue(events, redact);
      } catch {
        // Written by one of its tools: for example, an object with a `toString` instead of a number.
        return noteBroken();
      }
    },
    get isFull() {
      return isFull;
    },
    get steps() {
      return reader.steps;
    },
    get isToolRunning() {
      return reader.isToolRunning;
    },
    get sessionId() {
      const { sessionId } = reader;
      return sessionId !== undefined && sessionForm.test(sessionId) ? sessionId : undefined;
    },
  };
}

function parseEvent(line: string): Record<string, unknown> | undefined {
  if (hasManyValues(line)) return undefined;
  try {
    const event: unknown = JSON.parse(line);
    return isObject(event) && !isNestedBeyond(event, sizes.jsonLevels) ? event : undefined;
  } catch {
    return undefined;
  }
}

/** Whether JSON has more values than an event ever has, counted without parsing. */
function hasManyValues(json: string): boolean {
  if (json.length < valuesMax) return false;
  let values = 0;
  let isInText = false;
  for (let at = 0; at < json.length && values <= valuesMax; at += 1) {
    const code = json.charCodeAt(at);
    if (code === 0x22) isInText = !isInText;
    else if (isInText) at += code === 0x5c ? 1 : 0;
    else if (code === 0x2c || code === 0x5b || code === 0x7b) values += 1;
  }
  return values > valuesMax;
}
