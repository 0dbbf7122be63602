/** From the lines that an agent program prints to its events, whoever wrote them: nothing of them costs the server its time or its memory. */
import { isNestedBeyond, isObject } from '../../../base/json.ts';
import { type Redact, redactValue } from '../../../border/secrets.ts';
import { sizes } from '../../../contract/tables/sizes.ts';
import type { OutputReader } from '../harness.ts';
import type { AgentReader } from './adapter.ts';

/**
 * What one run may have read as events, in characters. Readers remember ids and gather texts; whoever can write where the program writes, as its tools can, is
 * not made to fill the memory of the server.
 */
export const eventCharactersMax = 128 * 1024 * 1024;
/** Lines that begin as an event and are none. Each costs as much as a thousand others, for it takes an error to find out; programs print a few. */
const brokenMax = 10_000;
/** What is said of the program whose events were too many. */
export const tooManyEvents = `it printed more than ${eventCharactersMax / 1024 / 1024} MiB of events, or ${brokenMax} invalid lines, so the rest was not read`;
/** Arrays, objects and members of one line. Each costs the time of a whole text, and nothing else is done meanwhile. */
const valuesMax = 200_000;

/** Programs name sessions by UUIDs and the like. It is kept, shown and given to the program again, which must not take it for an option. */
const sessionForm = /^[A-Za-z0-9_][A-Za-z0-9_-]{0,127}$/;

export interface EventReader extends OutputReader {
  /** Whether events were left unread, for there were too many. */
  readonly isFull: boolean;
}

/** Secrets are taken out before an event is read, for readers shorten texts, and afterwards, for they join pieces. */
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
        // Not the program wrote it, but something that it started: no number, say, but an object with a `toString` of its own.
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

/** Whether JSON has more values than an event ever has, counted without making any of them. */
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
