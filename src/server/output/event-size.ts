import { isObject } from '../../base/json.ts';
import { headOfUtf8, tailOfUtf8 } from '../../base/text.ts';
import type { EventDraft } from '../../contract/events.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { replaceNul } from './nul.ts';

/** People read messages, so they may be long. */
const messageBytes = 64 * 1024;
const toolBytes = 16 * 1024;
/** A role, a name, an id. */
const wordBytes = 256;

/** An agent's event, cut to the size limit with a note. NUL is removed, because Postgres cannot store it. */
export function fitEvent(event: EventDraft): EventDraft {
  switch (event.type) {
    case 'message': {
      const { role, text } = event.data;
      return { type: 'message', data: { role: fitWord(role), text: cutMiddle(text, messageBytes) } };
    }
    case 'tool_call': {
      const { id, name, input } = event.data;
      return { type: 'tool_call', data: { id: fitWord(id), name: fitWord(name), input: fitValue(input) } };
    }
    case 'tool_result': {
      const { id, output } = event.data;
      return { type: 'tool_result', data: { ...event.data, id: fitWord(id), output: fitValue(output) } };
    }
    case 'log':
      return { type: 'log', data: { ...event.data, text: cutMiddle(event.data.text, sizes.logEventBytes) } };
    case 'usage': {
      const data = fitValue(event.data);
      return { type: 'usage', data: isObject(data) ? data : {} };
    }
    default:
      return event;
  }
}

function fitWord(word: string): string {
  return headOfUtf8(replaceNul(word), wordBytes);
}

/** A missing value is null: every event has all its members. */
function fitValue(value: unknown): unknown {
  if (typeof value === 'string') return cutMiddle(value, toolBytes);
  if (value === undefined) return null;
  const json = JSON.stringify(value);
  if (Buffer.byteLength(json) > toolBytes) return cutMiddle(json, toolBytes);
  return json.includes('\\u0000') ? JSON.parse(json.replaceAll('\\u0000', '\\ufffd')) : value;
}

/** Keeps beginning and end: the one says what a tool was asked, the other how it went. */
function cutMiddle(text: string, bytesMax: number): string {
  const withoutNul = replaceNul(text);
  const bytes = Buffer.byteLength(withoutNul);
  if (bytes <= bytesMax) return withoutNul;
  const half = Math.floor(bytesMax / 2) - 64;
  const head = headOfUtf8(withoutNul, half);
  const tail = tailOfUtf8(withoutNul, half);
  return `${head}\n[${bytes - Buffer.byteLength(head) - Buffer.byteLength(tail)} bytes omitted]\n${tail}`;
}
