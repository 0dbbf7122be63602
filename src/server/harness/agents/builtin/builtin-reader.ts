import * as z from 'zod';
import type { JsonObject } from '../../../../base/json.ts';
import { type EventDraft, readEventDraft } from '../../../../contract/events.ts';
import type { AgentReader } from '../adapter.ts';
import { faultKinds } from '../agent-fault.ts';
import { createWarning, readCount, remember, tellLine } from '../event-parts.ts';
import type { BuiltinEnd } from './builtin-lines.ts';

const eventTypes: readonly string[] = [
  'message',
  'tool_call',
  'tool_result',
  'log',
  'usage',
] satisfies readonly EventDraft['type'][];

const endSchema: z.ZodType<BuiltinEnd> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('succeeded'), text: z.string() }),
  z.object({
    kind: z.literal('failed'),
    text: z.string().optional(),
    fault: z.enum(faultKinds),
    httpStatus: z.number().optional(),
    message: z.string(),
  }),
]);

/**
 * The lines come from this version's own program, but its tools can write to its output. Other lines are not events.
 */
export function createBuiltinReader(): AgentReader {
  const running = new Set<string>();
  let steps = 0;
  let sessionId: string | undefined;
  let end: BuiltinEnd | undefined;
  let lastText: string | undefined;

  const readEvent = (line: JsonObject): readonly EventDraft[] | undefined => {
    const event = readEventDraft(line);
    if (event === undefined || !eventTypes.includes(event.type)) return undefined;
    if (event.type === 'tool_call') remember(running, event.data.id);
    if (event.type === 'tool_result') running.delete(event.data.id);
    if (event.type === 'message') lastText = event.data.text;
    // Shortened only after redaction, so that no secret is cut.
    if (event.type !== 'log') return [event];
    return [event.data.level === 'warning' ? createWarning(event.data.text) : tellLine(event.data.text)];
  };
  const readEnd = (value: unknown): readonly EventDraft[] | undefined => {
    const read = endSchema.safeParse(value);
    if (!read.success) return undefined;
    end = read.data;
    return [];
  };

  return {
    read(line) {
      if (typeof line.session === 'string') sessionId = line.session;
      else if (typeof line.step === 'number') steps = Math.max(steps, readCount(line.step));
      else if (line.end !== undefined) return readEnd(line.end);
      else if (line.alive !== true) return readEvent(line);
      return [];
    },
    claim: () => end ?? { kind: 'none', text: lastText },
    get steps() {
      return steps;
    },
    get isToolRunning() {
      return running.size > 0;
    },
    get sessionId() {
      return sessionId;
    },
  };
}
