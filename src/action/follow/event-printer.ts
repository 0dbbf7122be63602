/** What an agent says and does, in the step's log: its messages as they are, its tools and its output folded away in groups, which do not nest. */
import { ToolNames, textOfValue, titleOfTool, toolUnits } from '../../base/tool-text.ts';
import { EventLines, type RunEvent } from '../../client/index.ts';
import type { ActionHost } from '../host/host.ts';
import { budgets, keepHead, keepTail, lineBudgets, measureText } from '../text/budget.ts';
import { guardLine, guardLines, guardTitle } from '../text/guard.ts';
import { RecentLines } from './recent-lines.ts';

export type LogLevel = 'full' | 'normal' | 'quiet';

interface Printing {
  readonly host: Pick<ActionHost, 'print' | 'group' | 'endGroup'>;
  readonly level: LogLevel;
  /** Where all of it can be seen; undefined where that is nowhere. */
  readonly address: string | undefined;
}

const outputTitle = 'Output';
const streams: ReadonlySet<string> = new Set(['stdout', 'stderr', 'system']);

/** Of what is said of a run since the last line of its agent. */
const toldLinesMax = 3;

export class EventPrinter {
  readonly #printing: Printing;
  readonly #lines = new EventLines();
  /** Since the last line of the agent. */
  #told = new RecentLines(toldLinesMax);
  readonly #recent = new RecentLines(lineBudgets.logEnd);
  /** What was not shown because the budget was over. */
  readonly #hidden = new RecentLines(lineBudgets.logEnd);
  readonly #tools = new ToolNames();
  #group: string | undefined;
  #linesLeft: number;
  #bytesLeft: number;

  constructor(printing: Printing) {
    this.#printing = printing;
    const isCut = printing.level !== 'full';
    this.#linesLeft = isCut ? lineBudgets.log : Number.POSITIVE_INFINITY;
    this.#bytesLeft = isCut ? budgets.log.max : Number.POSITIVE_INFINITY;
  }

  /** A line of our own, outside every group. It comes in each level, however much was printed. */
  say(line: string): void {
    this.#closeGroup();
    this.#printing.host.print(guardLine(line));
  }

  print(event: RunEvent): void {
    switch (event.type) {
      case 'log': {
        // Each stream has its unfinished line, and another service may name any number of streams.
        const { stream } = event.data;
        const data = { stream: streams.has(stream) ? stream : 'stdout', text: textOfValue(event.data.text) } as const;
        const lines = this.#lines.read({ ...event, data }).map(({ text }) => text);
        if (data.stream === 'system') for (const line of lines) this.#told.add(line);
        else this.#keepRecent(lines);
        this.#showOutput(lines);
        return;
      }
      case 'message': {
        const { role, text } = event.data;
        this.#closeGroup();
        const lines = this.#linesOf(textOfValue(text));
        this.#keepRecent(lines);
        this.#show([guardLine(`${textOfValue(role)}:`), ...lines.flatMap(guardLines)]);
        return;
      }
      case 'tool_call': {
        const name = textOfValue(event.data.name);
        this.#tools.noteCall(textOfValue(event.data.id), name);
        this.#openGroup(titleOfTool(name));
        this.#show(this.#linesOf(textOfValue(event.data.input), keepHead).flatMap(guardLines));
        return;
      }
      case 'tool_result':
        this.#showResult(event.data);
        return;
      default:
    }
  }

  /** Shows what came without an end of its line, where nothing more can come. */
  endLines(): void {
    const lines = this.#lines.finish().map(({ text }) => text);
    this.#keepRecent(lines);
    this.#showOutput(lines);
  }

  /** The end: the last lines, where they were not shown. */
  finish(): void {
    this.endLines();
    this.#closeGroup();
    const { count } = this.#hidden;
    if (count === 0 || this.#printing.level === 'quiet') return;
    const lines = this.#hidden.last(lineBudgets.logEnd);
    this.#printing.host.group(guardTitle(`The last ${lines.length} of ${count} lines that were left out`));
    for (const line of lines) this.#printing.host.print(line);
    this.#printing.host.endGroup();
  }

  /** The last lines of the agent's messages and output, as they came, and what was said of the run since then: that its model does not answer, say. */
  lastLines(): readonly string[] {
    const told = this.#told.last(toldLinesMax);
    return [...this.#recent.last(lineBudgets.lastLines - told.length), ...told];
  }

  #keepRecent(lines: readonly string[]): void {
    if (lines.length > 0 && this.#told.count > 0) this.#told = new RecentLines(toldLinesMax);
    for (const line of lines) this.#recent.add(line);
  }

  #showOutput(lines: readonly string[]): void {
    if (lines.length === 0) return;
    this.#openGroup(outputTitle);
    this.#show(lines.flatMap(line => guardLines(this.#cutLine(line))));
  }

  #showResult({ id, output, is_error }: Extract<RunEvent, { type: 'tool_result' }>['data']): void {
    const name = this.#tools.takeName(textOfValue(id));
    // Its call stands right above it, or other things have come between.
    if (this.#group !== titleOfTool(name)) this.#openGroup(`${titleOfTool(name)} (result)`);
    this.#show(this.#linesOf(textOfValue(output), keepTail).flatMap(guardLines));
    this.#closeGroup();
    if (is_error) this.#show([guardLine(`the tool ${name} reported an error`)]);
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
    this.#printing.host.group(guardTitle(title));
  }

  #closeGroup(): void {
    if (this.#group !== undefined) this.#printing.host.endGroup();
    this.#group = undefined;
  }

  /** Prints guarded lines as long as there is room for them. */
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
    const where = address === undefined ? '`log: full` shows all of it' : `all of it is at ${address}`;
    this.say(`the log is long and goes on here without what the agent prints; ${where}`);
  }
}
