/**
 * The step's part of the job's summary: what came of the run, where it is, how long it took, what it used and left, its result, and where it went
 * wrong the reason, the last lines and the states. Every word of it may be hostile.
 */
import type { Run } from '../../client/index.ts';
import type { StateChange } from '../follow/state-history.ts';
import { keepHead, keepTail, measureText, readRoom } from '../text/budget.ts';
import { fence, link, quoteInline } from '../text/markdown.ts';
import { type Redact, redactAll } from '../text/redact.ts';
import { renderMarkdownEnd } from '../text/render-markdown.ts';
import { badConclusions, type Conclusion } from '../verdict/verdict.ts';
import { printTitle } from './heading.ts';
import { icons } from './icons.ts';
import type { Result } from './result.ts';
import { noteOnPart, tellWhere } from './result-words.ts';
import { listArtifacts } from './summary-artifacts.ts';
import { listFacts } from './summary-facts.ts';

export interface Report {
  readonly conclusion: Conclusion;
  /** From `labelOfStep`. */
  readonly label?: string | undefined;
  /** Why it is not good. */
  readonly sentence?: string | undefined;
  /** As it was seen last. */
  readonly run?: Run | undefined;
  /** As much of it as could be had; undefined for what the run says. */
  readonly result?: Result | undefined;
  /** Where all of it is that the server keeps; '' or undefined where there is no such file. */
  readonly resultFile?: string | undefined;
  /** Undefined when no run is known. A run within the step has no address. */
  readonly known?: { readonly runId: string; readonly address?: string | undefined } | undefined;
  /** Whether the run is gone with the step, so that its address has no more of it. */
  readonly isWithinStep?: boolean | undefined;
  /** How long it worked, where the run's own times do not say. */
  readonly durationSeconds?: number | undefined;
  readonly lastLines?: readonly string[] | undefined;
  readonly states?: readonly StateChange[] | undefined;
  /** What the server warned of. */
  readonly warnings?: readonly string[] | undefined;
  readonly usage?: Readonly<Record<string, unknown>> | undefined;
  /** What fits in the summary of this step. @default as much as a report may have */
  readonly roomBytes?: number | undefined;
}

const cutNote = '*(The summary of this step is full, so that parts of this report are left out.)*';

/** Never more than there is room for in the summary of a step; '' where there is none. */
export function printSummary(given: Report, redact: Redact): string {
  const report = redactAll(given, redact);
  const parts: string[] = [];
  let isWhole = true;
  let left = readRoom({ surface: 'summary', room: report.roomBytes }) - measureText(`${cutNote}\n\n`, 'summary');
  const add = (part: string | undefined): void => {
    const bytes = measureText(`${part}\n\n`, 'summary');
    if (part === '') return;
    if (part === undefined || bytes > left) isWhole = false;
    else {
      parts.push(part);
      left -= bytes;
    }
  };
  add(printHead(report));
  if (!isWhole) return '';
  add(report.sentence === undefined ? '' : quoteInline(keepHead(report.sentence, { surface: 'annotation' })));
  add(printWarnings(report.warnings ?? []));
  add(printTable(listFacts(report)));
  add(listArtifacts(report.run?.artifacts ?? []));
  if (badConclusions.has(report.conclusion)) {
    add(printLastLines(report.lastLines ?? []));
    add(printStates(report.states ?? []));
  }
  add(printResult(report, left, redact));
  if (!isWhole) parts.push(cutNote);
  return parts.map(part => `${part}\n\n`).join('');
}

function printHead({ conclusion, label, run, known }: Report): string {
  const title = quoteInline(printTitle(keepHead(textOf(run?.title), { surface: 'summary', room: 800 }), label));
  const head = `### ${icons[conclusion]} ${title}: ${quoteInline(conclusion.replaceAll('_', ' '))}`;
  if (known === undefined) return head;
  const address = known.address ?? '';
  const name = `Run ${keepHead(known.runId, { surface: 'summary', room: 200 })}`;
  return `${head}\n\n${address === '' ? quoteInline(name) : link(name, address)}`;
}

function printWarnings(warnings: readonly string[]): string {
  return warnings.map(text => `- ⚠️ ${quoteInline(keepHead(text, { surface: 'annotation' }))}`).join('\n');
}

function printTable(rows: readonly (readonly [name: string, value: string])[]): string {
  if (rows.length === 0) return '';
  return ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n');
}

function printLastLines(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const text = keepTail(lines.join('\n'), { surface: 'lastLines' });
  return `<details open><summary>The last lines of the log</summary>\n\n${fence(text)}\n\n</details>`;
}

function printStates(states: readonly StateChange[]): string {
  if (states.length === 0) return '';
  const shown = (text: string) => quoteInline(keepHead(text, { surface: 'summary', room: 100 }));
  const rows = states.map(({ state, at }) => `| ${shown(state)} | ${shown(textOf(at))} |`);
  return `<details><summary>States</summary>\n\n| state | since |\n|---|---|\n${rows.join('\n')}\n\n</details>`;
}

/** '' where there is none; undefined where there is no room for it. */
function printResult(report: Report, leftBytes: number, redact: Redact): string | undefined {
  const result = report.result ?? { text: textOf(report.run?.result?.text), isPart: false };
  const { text, isPart } = result;
  if (text.trim() === '') return '';
  const opening = '<details open><summary>Result</summary>\n\n';
  const closing = '\n\n</details>';
  // Of what is the beginning nobody knows where the whole is.
  const place = report.resultFile || (report.isWithinStep === true ? undefined : report.known?.address) || undefined;
  const cut = isPart
    ? {}
    : { missingBytes: result.cut?.leftOutBytes, where: tellWhere(result, place && `in ${place}`) };
  const note = isPart ? `*${noteOnPart(result)}*\n\n` : '';
  const frameBytes = measureText(`${opening}${note}${closing}\n\n`, 'summary');
  const shown = renderMarkdownEnd(text, { surface: 'summaryResult', room: leftBytes - frameBytes, ...cut, redact });
  return shown === '' ? undefined : `${opening}${note}${shown}${closing}`;
}

/** Other services may write null, or anything. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
