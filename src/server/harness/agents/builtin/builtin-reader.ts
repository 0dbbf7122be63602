import { isObject, type JsonObject } from '../../../../base/json.ts';
import type { EventDraft } from '../../../../contract/events.ts';
import type { AgentReader } from '../adapter.ts';
import { tellLine } from '../event-parts.ts';
import type { BuiltinEnd } from './builtin-lines.ts';

const eventTypes: readonly string[] = [
  'message',
  'tool_call',
  'tool_result',
  'log',
  'usage',
] satisfies readonly EventDraft['type'][];

export function createBuiltinReader(): AgentReader {
  const running = new Set<unknown>();
  let steps = 0;
  let sessionId: string | undefined;
  let end: BuiltinEnd | undefined;
  let lastText: string | undefined;

  const readEvent = ({ type, data }: JsonObject): readonly EventDraft[] => {
    if (typeof type !== 'string' || !eventTypes.includes(type) || !isObject(data)) return [];
    if (type === 'tool_call') running.add(data.id);
    if (type === 'tool_result') running.delete(data.id);
    if (type === 'message' && typeof data.text === 'string') lastText = data.text;
    // Shortened where no secret is left that could be cut.
    if (type === 'log' && typeof data.text === 'string') return [tellLine(data.text)];
    // The program is this version's own.
    return [{ type, data } as EventDraft];
  };

  return {
    read(line) {
      if (typeof line.session === 'string') sessionId = line.session;
      else if (typeof line.step === 'number') steps = line.step;
      else if (isObject(line.end)) end = line.end as BuiltinEnd;
      else return readEvent(line);
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
