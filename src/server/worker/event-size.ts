import { headOfUtf8, tailOfUtf8 } from '../../base/text.ts';
import type { EventDraft } from '../../contract/events.ts';
import { utf8Bytes } from '../../contract/sizes.ts';

/** A message is what people read: it may be long. */
const messageBytes = 64 * 1024;
const toolBytes = 16 * 1024;

/** An event of an agent, no larger than one may be; what is cut says so. Text without NUL, which no database keeps. */
export function fitEvent(event: EventDraft): EventDraft {
  switch (event.type) {
    case 'message':
      return { type: 'message', data: { ...event.data, text: cutMiddle(event.data.text, messageBytes) } };
    case 'tool_call':
      return { type: 'tool_call', data: { ...event.data, input: fitValue(event.data.input) } };
    case 'tool_result':
      return { type: 'tool_result', data: { ...event.data, output: fitValue(event.data.output) } };
    default:
      return event;
  }
}

function fitValue(value: unknown): unknown {
  if (typeof value === 'string') return cutMiddle(value, toolBytes);
  const json = JSON.stringify(value) ?? 'null';
  if (utf8Bytes(json) > toolBytes) return cutMiddle(json, toolBytes);
  return json.includes('\\u0000') ? JSON.parse(json.replaceAll('\\u0000', '\\ufffd')) : value;
}

/** Beginning and end: what a tool was asked stands in the one, how it went in the other. */
function cutMiddle(text: string, bytesMax: number): string {
  const clean = text.replaceAll('\0', '\uFFFD');
  const bytes = utf8Bytes(clean);
  if (bytes <= bytesMax) return clean;
  const half = Math.floor(bytesMax / 2) - 64;
  const head = headOfUtf8(clean, half);
  const tail = tailOfUtf8(clean, half);
  return `${head}\n[${bytes - utf8Bytes(head) - utf8Bytes(tail)} bytes were left out here]\n${tail}`;
}
