/**
 * The step's part of the job's summary, in the order of a reader's questions: the outcome and its reason, the
 * changes, the cost, the agent's result, and the warnings. Every word of it may be hostile.
 */

import type { Redact } from '../../../border/secrets.ts';
import type { StateChange } from '../../follow/state-history.ts';
import { keepHead, keepTail, measureText, readRoom } from '../../text/budget.ts';
import { fence, link, quoteInline } from '../../text/markdown.ts';
import { redactAll } from '../../text/redact.ts';
import { renderMarkdownEnd } from '../../text/render-markdown.ts';
import { badConclusions, type Conclusion } from '../../verdict/verdict.ts';
import { printChanges } from '../changed-files.ts';
import type { Result } from '../result.ts';
import { describeWhere, noteOnPart } from '../result-words.ts';
import { emptyWorkspaceWarning, printTitle } from './heading.ts';
import { icons } from './icons.ts';
import { listArtifacts } from './summary-artifacts.ts';
import { type Facts, printFacts } from './summary-facts.ts';

export interface Report extends Facts {
  readonly conclusion: Conclusion;
  /** The task's title, if no run is known. */
  readonly title?: string | undefined;
  /** From `labelOfStep`. */
  readonly label?: string | undefined;
  /** The reason for a bad outcome. */
  readonly sentence?: string | undefined;
  /** As much of it as could be read. Undefined to use the result inside the run. */
  readonly result?: Result | undefined;
  /** File with everything that the server keeps of the result. '' or undefined without one. */
  readonly resultFile?: string | undefined;
  /** Undefined if no run is known. A run inside the step has no address. */
  readonly known?: { readonly runId: string; readonly address?: string | undefined } | undefined;
  /** True if the run ends with the step. Its address is the job's, and this is the job's summary. */
  readonly isWithinStep?: boolean | undefined;
  readonly lastLines?: readonly string[] | undefined;
  readonly states?: readonly StateChange[] | undefined;
  readonly warnings?: readonly string[] | undefined;
  /** Bytes free in this step's summary. @default the budget of a report */
  readonly roomBytes?: number | undefined;
}

const cutNote = '*(The summary of this step is full. Parts of this report are left out.)*';

/** Stays within the room of a step's summary. '' if there is none. */
export function printSummary(given: Report, redact: Redact): string {
  const report = redactAll(given, redact);
  const parts: string[] = [];
  const isBad = badConclusions.has(report.conclusion);
  let isWhole = true;
  let left = readRoom({ surface: 'summary', room: report.roomBytes }) - measureText(`${cutNote}\n\n`, 'summary');
  const add = (part: string | undefined, at = parts.length): void => {
    const bytes = measureText(`${part}\n\n`, 'summary');
    if (part === '') return;
    if (part === undefined || bytes > left) isWhole = false;
    else {
      parts.splice(at, 0, part);
      left -= bytes;
    }
  };
  add(printHead(report));
  if (!isWhole) return '';
  const warnings = report.warnings ?? [];
  add(printWarnings(warnings.filter(text => text === emptyWorkspaceWarning)));
  add(
    report.sentence === undefined ? '' : quoteInline(endSentence(keepHead(report.sentence, { surface: 'annotation' }))),
  );
  add(report.changes === undefined ? '' : printChanges(report.changes));
  add([printFacts(report), printRun(report)].filter(text => text !== '').join(' · '));
  const resultAt = parts.length;
  add(isBad ? printLastLines(report.lastLines ?? []) : '');
  add(listArtifacts(report.run?.artifacts ?? [], { withoutPatch: report.changes !== undefined }));
  add(isBad ? printStates(report.states ?? []) : '');
  add(printWarnings(warnings.filter(text => text !== emptyWorkspaceWarning)));
  // Gets all the remaining room.
  add(printResult(report, left, redact), resultAt);
  if (!isWhole) parts.push(cutNote);
  return parts.map(part => `${part}\n\n`).join('');
}

/** Reasons have no final period, because annotations and outputs are single lines. */
function endSentence(text: string): string {
  return /[.!?…]$/.test(text) ? text : `${text}.`;
}

function printHead({ conclusion, label, run, title: asked }: Report): string {
  const title = keepHead(run?.title ?? asked ?? '', { surface: 'summary', room: 800 });
  return `### ${icons[conclusion]} ${quoteInline(printTitle(title, label))}: ${quoteInline(conclusion.replaceAll('_', ' '))}`;
}

function printRun({ known, isWithinStep = false }: Report): string {
  if (known === undefined || isWithinStep) return '';
  const { runId, address = '' } = known;
  const name = `Run ${keepHead(runId, { surface: 'summary', room: 200 })}`;
  return address === '' ? quoteInline(name) : link(name, address);
}

function printWarnings(warnings: readonly string[]): string {
  return warnings.map(text => `- ⚠️ ${quoteInline(keepHead(text, { surface: 'annotation' }))}`).join('\n');
}

function printLastLines(lines: readonly string[]): string {
  if (lines.length === 0) return '';
  const text = keepTail(lines.join('\n'), { surface: 'lastLines' });
  return `<details open><summary>Last lines of the log</summary>\n\n${fence(text)}\n\n</details>`;
}

function printStates(states: readonly StateChange[]): string {
  if (states.length === 0) return '';
  const shown = (text: string) => quoteInline(keepHead(text, { surface: 'summary', room: 100 }));
  const rows = states.map(({ state, at }) => `| ${shown(state)} | ${shown(textOf(at))} |`);
  return `<details><summary>States</summary>\n\n| state | since |\n|---|---|\n${rows.join('\n')}\n\n</details>`;
}

/** '' if there is no result. Undefined if it does not fit. */
function printResult(report: Report, leftBytes: number, redact: Redact): string | undefined {
  const result = report.result ?? { text: report.run?.result?.text ?? '', isPart: false };
  const { text, isPart } = result;
  if (text.trim() === '') return '';
  const opening = '<details open><summary>Answer</summary>\n\n';
  const closing = '\n\n</details>';
  // The location of the rest is unknown for the beginning of a result.
  const place = report.resultFile || (report.isWithinStep === true ? undefined : report.known?.address) || undefined;
  const cut = isPart
    ? {}
    : { missingBytes: result.cut?.leftOutBytes, where: describeWhere(result, place && `in ${place}`) };
  const note = isPart ? `*${noteOnPart(result)}*\n\n` : '';
  const frameBytes = measureText(`${opening}${note}${closing}\n\n`, 'summary');
  const shown = renderMarkdownEnd(text, { surface: 'summaryResult', room: leftBytes - frameBytes, ...cut, redact });
  return shown === '' ? undefined : `${opening}${note}${shown}${closing}`;
}

/** Events of other services may have any value. */
function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
