import { OpenCalls } from '../../base/wording/open-calls.ts';
import { describeCallEnd, textOfValue, toolUnits } from '../../base/wording/tool-text.ts';
import { drawnText } from '../../border/terminal-text.ts';
import type { RunEvent } from '../../contract/events.ts';

/** A line about a run. A quoted line is untrusted text that still needs escaping for where it is shown. */
export interface EventLine {
  readonly text: string;
  readonly isQuoted: boolean;
}

/** Limits the memory and time for an agent that never ends its line. */
const longestLineCharacters = 64 * 1024;

/**
 * Turns events into log lines. A log event may end in the middle of a line; the rest waits for the next event of its
 * stream.
 */
export class EventLines {
  readonly #unfinished = new Map<string, string>();
  readonly #calls = new OpenCalls();
  /** The call shown last, if no other line followed. */
  #lastCall: string | undefined;

  read(event: RunEvent): readonly EventLine[] {
    const lastCall = this.#lastCall;
    if (event.type !== 'usage') this.#lastCall = undefined;
    switch (event.type) {
      case 'log':
        // The server's own lines are always whole, and about what was printed before them.
        if (event.data.stream === 'system') return [...this.finish(), ...quote(event.data.text)];
        return this.#readLog(event.data.stream, event.data.text);
      case 'state':
        return [...this.finish(), { text: `state: ${event.data.state}`, isQuoted: false }];
      case 'message':
        return [{ text: `${event.data.role}:`, isQuoted: false }, ...quote(event.data.text)];
      case 'tool_call':
        return this.#readCall(event.data, Date.parse(event.at));
      case 'tool_result':
        return this.#readResult(event.data, { lastCall, atMs: Date.parse(event.at) });
      default:
        return [];
    }
  }

  /** Returns unfinished lines, when other lines or no more events follow. */
  finish(): readonly EventLine[] {
    const left = [...this.#unfinished.values()];
    this.#unfinished.clear();
    return left.flatMap(quote);
  }

  #readCall({ id, name, input }: ToolData<'tool_call'>, atMs: number): readonly EventLine[] {
    const call = this.#calls.begin(textOfValue(id), textOfValue(name), { input, atMs });
    this.#lastCall = call.id;
    return [{ text: call.title, isQuoted: false }, ...quoteTool(headOf(call.text))];
  }

  #readResult(
    data: ToolData<'tool_result'>,
    { lastCall, atMs }: { readonly lastCall: string | undefined; readonly atMs: number },
  ): readonly EventLine[] {
    const call = this.#calls.end(textOfValue(data.id));
    const lines = quoteTool(tailOf(textOfValue(data.output)));
    // The output is shown in the lines above.
    const end = describeCallEnd({ ...data, output: undefined }, call && atMs - call.sinceMs);
    if (end !== undefined) lines.push({ text: end, isQuoted: false });
    // Name the call unless its line is right above.
    if (lines.length === 0 || lastCall === textOfValue(data.id)) return lines;
    return [{ text: `${call?.title ?? 'tool'} (result)`, isQuoted: false }, ...lines];
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

/** Newer and older servers may send other types. */
type Said<Data> = { readonly [Name in keyof Data]: unknown };
type ToolData<T extends 'tool_call' | 'tool_result'> = Said<Extract<RunEvent, { type: T }>['data']>;

/** The start of a tool's input. */
function headOf(text: string): string {
  return text.length <= toolUnits ? text : `${text.slice(0, toolUnits).replace(/[\ud800-\udbff]$/, '')}…`;
}

/** The end of a tool's output, where its result is. */
function tailOf(text: string): string {
  const left = text.length - toolUnits;
  return left <= 0
    ? text
    : `(the first ${left} characters are left out)\n${text.slice(left).replace(/^[\udc00-\udfff]/, '')}`;
}

function quoteTool(text: string): EventLine[] {
  return text === '' ? [] : quote(text);
}

function quote(text: string): EventLine[] {
  return drawnText(text)
    .replace(/\n$/, '')
    .split('\n')
    .map(line => ({ text: line, isQuoted: true }));
}
