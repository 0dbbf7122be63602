import { drawnText } from '../../base/terminal-text.ts';
import type { RunEvent } from '../../contract/events.ts';

/** A line about a run. What is quoted is a foreign line, which the reader's own channel has yet to make harmless. */
export interface EventLine {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** An agent that never ends its line must not fill the memory, or cost more with every piece. */
const longestLineCharacters = 64 * 1024;

/** Makes lines of events, as a log shows them. A log event may end within a line; what is left waits for the next of its stream. */
export class EventLines {
  readonly #unfinished = new Map<string, string>();

  read(event: RunEvent): readonly EventLine[] {
    switch (event.type) {
      case 'log':
        // What the server itself says comes whole.
        if (event.data.stream === 'system') return quote(event.data.text);
        return this.#readLog(event.data.stream, event.data.text);
      case 'state':
        return [...this.finish(), { text: `state: ${event.data.state}`, isQuoted: false }];
      case 'message':
        return [{ text: `${event.data.role}:`, isQuoted: false }, ...quote(event.data.text)];
      case 'tool_call':
        return [{ text: `tool: ${event.data.name}`, isQuoted: false }];
      case 'tool_result':
        return event.data.is_error ? [{ text: 'the tool reported an error', isQuoted: false }] : [];
      default:
        return [];
    }
  }

  /** What came without an end of its line, where nothing more can come. */
  finish(): readonly EventLine[] {
    const left = [...this.#unfinished.values()];
    this.#unfinished.clear();
    return left.flatMap(quote);
  }

  #readLog(stream: string, text: string): readonly EventLine[] {
    const all = (this.#unfinished.get(stream) ?? '') + text;
    const end = all.length > longestLineCharacters ? all.length : all.lastIndexOf('\n') + 1;
    const rest = all.slice(end);
    if (rest === '') this.#unfinished.delete(stream);
    else this.#unfinished.set(stream, rest);
    return end === 0 ? [] : quote(all.slice(0, end));
  }
}

function quote(text: string): readonly EventLine[] {
  return drawnText(text)
    .replace(/\n$/, '')
    .split('\n')
    .map(line => ({ text: line, isQuoted: true }));
}
