/** Prints the agent's work in the step's log. Tools and output are in folded groups, which do not nest. */
import { type OpenCall, OpenCalls } from '../../base/wording/open-calls.ts';
import { describeCallEnd, textOfValue, toolUnits } from '../../base/wording/tool-text.ts';
import { quoteLines } from '../../border/log-text.ts';
import type { Redact } from '../../border/secrets.ts';
import { EventLines, type RunEvent } from '../../client/index.ts';
import type { ActionHost } from '../host/host.ts';
import { budgets, keepHead, keepTail, lineBudgets, measureText } from '../text/budget.ts';
import { redactAll } from '../text/redact.ts';
import { RecentLines } from './recent-lines.ts';

export type LogLevel = 'full' | 'normal' | 'quiet';

interface Printing {
  readonly host: Pick<ActionHost, 'print' | 'group' | 'endGroup'>;
  readonly level: LogLevel;
  readonly redact: Redact;
  /** Where all output can be seen, if anywhere. */
  readonly address: string | undefined;
}

const outputTitle = 'Output';
const streams: ReadonlySet<string> = new Set(['stdout', 'stderr', 'system']);

/** Lines about the run between two lines of its agent. */
const toldLinesMax = 3;
/** An agent's line about its model. It explains a run that produced nothing else. */
const ofModel = /^(?:the model|Codex|Gemini CLI|opencode)\b/;
/** Output lines of one call among the last lines. Leaves room for what led to it. */
const keptOutputLines = 20;
const waitingMax = 200;

export class EventPrinter {
  readonly #printing: Printing;
  readonly #lines = new EventLines();
  /** Since the agent's last line. */
  #told = new RecentLines(toldLinesMax);
  readonly #recent = new RecentLines(lineBudgets.logEnd);
  /** Lines left out because the budget was used up. */
  readonly #hidden = new RecentLines(lineBudgets.logEnd);
  readonly #calls = new OpenCalls();
  /** Calls that are not shown yet. Another call is open, and its result would appear below theirs. */
  #waiting: OpenCall[] = [];
  #shownCall: OpenCall | undefined;
  #group: string | undefined;
  #lastEvent = { atMs: 0, seenMs: performance.now() };
  #linesLeft: number;
  #bytesLeft: number;

  constructor(printing: Printing) {
    this.#printing = printing;
    const isCut = printing.level !== 'full';
    this.#linesLeft = isCut ? lineBudgets.log : Number.POSITIVE_INFINITY;
    this.#bytesLeft = isCut ? budgets.log.max : Number.POSITIVE_INFINITY;
  }

  /** Prints a line of our own, outside every group, at every level and beyond the budget. */
  say(line: string): void {
    this.#closeGroup();
    this.#printing.host.print(line);
  }

  /** Redacts before cutting, because masks do not match a part of a secret. */
  print(given: RunEvent): void {
    const event = { ...given, data: redactAll(given.data, this.#printing.redact) } as RunEvent;
    const atMs = Date.parse(event.at);
    this.#lastEvent = { atMs, seenMs: performance.now() };
    switch (event.type) {
      case 'log': {
        // Each stream keeps an unfinished line, and another service may name any number of streams.
        const { stream } = event.data;
        const data = { stream: streams.has(stream) ? stream : 'stdout', text: textOfValue(event.data.text) } as const;
        if (data.stream === 'system') this.endLines();
        const lines = this.#lines.read({ ...event, data }).map(({ text }) => text);
        if (data.stream !== 'system') this.#showOutput(lines);
        else {
          // Skip the workspace line, which says nothing about the agent, and warnings, which the summary lists
          // separately.
          if (event.data.level !== 'warning')
            for (const line of lines) if (!line.startsWith('workspace: ')) this.#told.add(line);
          this.#showLines(lines);
        }
        return;
      }
      case 'message': {
        const { role, text } = event.data;
        this.#showWaiting();
        this.#closeGroup();
        const lines = this.#linesOf(textOfValue(text));
        this.#keepRecent(lines);
        this.#show([`${textOfValue(role)}:`, ...lines.flatMap(quoteLines)]);
        return;
      }
      case 'tool_call': {
        const { id, name, input } = event.data;
        if (this.#waiting.length === waitingMax) this.#showWaiting();
        const call = this.#calls.begin(textOfValue(id), textOfValue(name), { input, atMs });
        if (this.#shownCall === undefined) this.#showCall(call);
        else this.#waiting.push(call);
        return;
      }
      case 'tool_result':
        this.#showResult(event.data, atMs);
        return;
      default:
    }
  }

  /** Tells which open call the time went to: `, 28 of them in \`npm test\``. '' if no call is open. */
  describeOpenCall(allMs: number): string {
    const { atMs, seenMs } = this.#lastEvent;
    return this.#calls.describeOldest(atMs + performance.now() - seenMs, allMs);
  }

  /** Shows unfinished lines, when other lines or no more output follow. */
  endLines(): void {
    this.#showOutput(this.#lines.finish().map(({ text }) => text));
  }

  finish(): void {
    this.endLines();
    this.#showWaiting();
    this.#closeGroup();
    const { count } = this.#hidden;
    if (count === 0 || this.#printing.level === 'quiet') return;
    const lines = this.#hidden.last(lineBudgets.logEnd);
    this.#printing.host.group(`The last ${lines.length} of ${count} lines that were left out`);
    for (const line of lines) this.#printing.host.print(line);
    this.#printing.host.endGroup();
  }

  /** The last lines of the agent's messages, calls and output, as shown, with the lines about the run among them. */
  lastLines(): readonly string[] {
    const told = this.#told.last(toldLinesMax);
    if (this.#recent.count === 0 && !told.some(line => ofModel.test(line))) return [];
    return [...this.#recent.last(lineBudgets.lastLines - told.length), ...told];
  }

  #keepRecent(lines: readonly string[]): void {
    if (lines.length === 0) return;
    for (const line of [...this.#told.last(toldLinesMax), ...lines]) this.#recent.add(line);
    this.#told = new RecentLines(toldLinesMax);
  }

  #showOutput(lines: readonly string[]): void {
    // Waiting calls precede the output.
    if (lines.length > 0) this.#showWaiting();
    this.#keepRecent(lines);
    this.#showLines(lines);
  }

  #showLines(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#showWaiting();
    this.#openGroup(outputTitle);
    this.#show(lines.flatMap(line => quoteLines(this.#cutLine(line))));
  }

  #showCall(call: OpenCall): void {
    this.#closeGroup();
    this.#openGroup(call.title);
    this.#shownCall = call;
    this.#keepRecent([call.title]);
    this.#show(this.#linesOf(call.text, keepHead).flatMap(quoteLines));
  }

  #showWaiting(): void {
    const calls = this.#waiting;
    this.#waiting = [];
    for (const call of calls) this.#showCall(call);
  }

  #showResult(data: Extract<RunEvent, { type: 'tool_result' }>['data'], atMs: number): void {
    const call = this.#calls.end(textOfValue(data.id));
    if (call !== undefined && this.#waiting.includes(call)) {
      this.#waiting = this.#waiting.filter(other => other !== call);
      this.#showCall(call);
    } else if (call === undefined || this.#shownCall !== call) {
      // Other lines came in between.
      const title = `${call?.title ?? 'tool'} (result)`;
      this.#closeGroup();
      this.#openGroup(title);
      this.#keepRecent([title]);
    }
    const lines = this.#linesOf(textOfValue(data.output), keepTail);
    this.#show(lines.flatMap(quoteLines));
    const end = describeCallEnd(data, call && atMs - call.sinceMs);
    const [first = '', second] = lines;
    if (second !== undefined || end?.endsWith(`: ${first}`) !== true)
      this.#keepRecent(lines.slice(-keptOutputLines).map(line => `  ${line}`));
    if (end !== undefined) this.#keepRecent([end]);
    // Groups are folded, and failures must be visible.
    if (data.is_error) this.#closeGroup();
    if (end !== undefined) this.#show([end]);
    this.#closeGroup();
    const next = this.#waiting.shift();
    if (next !== undefined) this.#showCall(next);
  }

  #linesOf(text: string, cut?: typeof keepHead): readonly string[] {
    const shown =
      cut === undefined || this.#printing.level === 'full' ? text : cut(text, { surface: 'logLine', room: toolUnits });
    return shown === ''
      ? []
      : shown
          .replace(/\n$/, '')
          .split('\n')
          .map(line => this.#cutLine(line));
  }

  #cutLine(line: string): string {
    return this.#printing.level === 'full' ? line : keepHead(line, { surface: 'logLine' });
  }

  #openGroup(title: string): void {
    if (this.#group === title) return;
    this.#closeGroup();
    if (this.#printing.level === 'quiet' || this.#linesLeft <= 0) return;
    this.#group = title;
    this.#printing.host.group(title);
  }

  #closeGroup(): void {
    if (this.#group !== undefined) this.#printing.host.endGroup();
    this.#group = undefined;
    this.#shownCall = undefined;
  }

  #show(lines: readonly string[]): void {
    if (this.#printing.level === 'quiet') return;
    for (const line of lines) {
      if (this.#linesLeft <= 0) {
        this.#hidden.add(line);
        continue;
      }
      this.#linesLeft -= 1;
      this.#bytesLeft -= measureText(line, 'log') + 1;
      if (this.#linesLeft > 0 && this.#bytesLeft >= 0) this.#printing.host.print(line);
      else this.#cut(line);
    }
  }

  #cut(line: string): void {
    this.#linesLeft = 0;
    this.#hidden.add(line);
    const { address } = this.#printing;
    const where = address === undefined ? 'Set `log: full` to see all of it' : `All of it is at ${address}`;
    this.say(`The log is long, so the rest of the agent's output is left out here. ${where}`);
  }
}
