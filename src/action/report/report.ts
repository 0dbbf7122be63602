/**
 * Reports a step's end: outputs, result, comment, summary, and finally the reason, where a person looks. The most
 * valuable parts come first, so that they exist even if later ones fail. A failed part becomes a warning and does not
 * affect the others. The summary lists every warning, so it follows everything that may fail.
 */
import { join } from 'node:path';
import { messageOf } from '../../base/cause.ts';
import { plainLine, terminalText } from '../../border/terminal-text.ts';
import type { Run } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import { type LiveLog, printLastLines } from '../follow/live-log.ts';
import type { ActionHost } from '../host/host.ts';
import type { ReportInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { keepHead } from '../text/budget.ts';
import { isRed, isResultEmpty, readCode, type Verdict } from '../verdict/verdict.ts';
import type { Changes } from './changed-files.ts';
import { addPaths, hasFiles, keepArtifacts } from './kept-artifacts.ts';
import { type Outputs, outputOfArtifacts, outputsOfRun, setOutputs, workedSeconds } from './outputs.ts';
import { type ReportTime, type ReportTimes, reportTimes, startReportTime, waitWithin } from './report-time.ts';
import {
  keepResult,
  makeKeptFolder,
  outputsOfResult,
  type Result,
  readResult,
  resultOf,
  resultPath,
} from './result.ts';
import { describeWhere, noteOnPart } from './result-words.ts';
import { findPatch, writePatchFile } from './saved-patch.ts';
import type { StepComment } from './step-comment.ts';
import { type SettledReview, type StepReview, settleReview } from './step-review.ts';
import type { Facts } from './summary/summary-facts.ts';

export interface StepEnd {
  readonly host: ActionHost;
  readonly context: StepContext;
  readonly inputs: ReportInputs;
  readonly verdict: Verdict;
  /** As last seen. */
  readonly run: Run | undefined;
  readonly runId: string | undefined;
  /** Undefined if there is no server to ask. */
  readonly connection: Connection | undefined;
  readonly liveLog: LiveLog | undefined;
  /** Where a person finds the run, '' if nowhere. */
  readonly address: string;
  /** The runner wants the step to stop: slow parts are skipped or aborted. */
  readonly signal: AbortSignal;
  /** Distinguishes this step from similar ones in headings. */
  readonly label: string | undefined;
  /** The task's title, for a step without a run. */
  readonly title: string | undefined;
  /** Undefined without a comment. */
  readonly comment: StepComment | undefined;
  /** Undefined if the step posts no review. */
  readonly review?: StepReview | undefined;
  /** Leaves the verdict for the post step, before anything that may take long. */
  readonly keepVerdict?: ((verdict: Verdict) => void) | undefined;
}

/** Ends within `times`, and soon after the step is canceled. Never throws. */
export async function reportEnd(end: StepEnd, times: ReportTimes = reportTimes): Promise<void> {
  const time = startReportTime(end.signal, times);
  try {
    await reportParts(end, time);
  } finally {
    time.end();
  }
}

async function reportParts(end: StepEnd, time: ReportTime): Promise<void> {
  const { host, inputs, signal, liveLog, connection } = end;
  let { run } = end;
  // In parallel with what has the shorter limit.
  const settling = startReview(end, time);
  let settled: SettledReview = { verdict: end.verdict };
  const attempt = async (what: string, write: () => void | Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      host.warn(`${what}: ${messageOf(error)}`);
    }
  };
  const usage = run?.request_usage ?? liveLog?.usage();
  let result = resultOf(run);
  let file = '';
  let changes: Changes | undefined;
  await attempt('the outputs could not be written', () => {
    if (settling === undefined) tellVerdict(end, end.verdict);
    setOutputs(host, {
      ...(run && outputsOfRun(run, { usage, link: connection?.linkOf(run) })),
      ...(run && outputsOfResult(run, result, '')),
      ...(end.verdict.code !== undefined && { error_code: end.verdict.code }),
    });
  });
  if (run !== undefined) {
    const ended = run;
    let late: Partial<Outputs> = {};
    let made: Promise<string> | undefined;
    const folder = () => (made ??= makeKeptFolder(end.context.tempDir));
    const patch = findPatch(run);
    const paths = new Map<string, string>();
    // A server keeps its runs' files.
    const isLeaving = connection?.isEmbedded === true;
    // In parallel, so that one missing file does not use up the others' time.
    if (connection !== undefined && !signal.aborted)
      await Promise.all([
        result.isPart &&
          attempt('the complete result could not be read', async () => {
            result = await waitWithin(time.reading, readResult(ended, connection, time.reading));
            late = { ...late, ...outputsOfResult(ended, result, '') };
          }),
        patch !== undefined &&
          attempt('the patch could not be written', async () => {
            const path = join(await waitWithin(time.reading, folder()), 'changes.patch');
            changes = await waitWithin(time.reading, writePatchFile(connection, patch, { path, signal: time.reading }));
            late = { ...late, patch_file: path };
            paths.set(patch, path);
          }),
        isLeaving &&
          hasFiles(run, patch) &&
          attempt('some files that the agent left could not be copied', async () => {
            const place = join(await waitWithin(time.reading, folder()), 'artifacts');
            const keeping = { folder: place, except: patch, signal: time.reading };
            const kept = await waitWithin(time.reading, keepArtifacts(connection, ended, keeping));
            for (const [uid, path] of kept.paths) paths.set(uid, path);
            if (kept.paths.size > 0) late = { ...late, artifacts_folder: place };
            if (kept.faults.length > 0) throw new Error(kept.faults.join('; '));
          }),
      ]);
    if (isLeaving) {
      run = addPaths(ended, paths);
      late = { ...late, ...outputOfArtifacts(run) };
    }
    await attempt('the result file could not be written', async () => {
      const path = await waitWithin(time.writing, resultPath(inputs.resultFile, folder, end.context));
      const outputs = await waitWithin(time.writing, keepResult(ended, result, path));
      file = outputs.result_file ?? '';
      late = { ...late, ...outputs };
      if (result.isPart && result.text !== '')
        host.warn(
          `the result is incomplete ${noteOnPart(result)}. \`result_file\` is empty; the part that was read is in ${path}`,
        );
    });
    await attempt('the outputs could not be written', () => setOutputs(host, late));
    if (result.cut !== undefined && !result.isPart)
      host.warn(`the result is incomplete: ${describeWhere(result, file === '' ? undefined : `in ${file}`)}`);
  }
  const facts = { run, durationSeconds: run && workedSeconds(run), usage, changes };
  warnOfRun(end);
  if (settling !== undefined) {
    settled = await settling;
    await attempt('the outputs could not be written', () => tellVerdict(end, settled.verdict));
  }
  const { verdict, posted } = settled;
  const sentence = sayReason(verdict);
  const hasSecret = posted !== undefined && 'secret' in posted;
  if (hasSecret) result = { text: '', isPart: false };
  // A canceled step has no time for it. The post step does it.
  if (end.comment !== undefined && !signal.aborted) {
    const told = reportComment(end, { settled, result, facts, resultFile: file, signal: time.telling });
    await attempt('the comment could not be written', () => waitWithin(time.telling, told));
  }
  if (inputs.summary)
    await attempt('the summary could not be written', async () => {
      const { printSummary } = await import('./summary/summary.ts');
      const summary = printSummary(
        {
          ...facts,
          conclusion: verdict.conclusion,
          title: end.title,
          label: end.label,
          sentence,
          result,
          resultFile: file,
          known: end.runId === undefined ? undefined : { runId: end.runId, address: end.address },
          isWithinStep: connection?.isEmbedded,
          // The agent may have printed the secret, too.
          lastLines: hasSecret ? [] : (liveLog?.lastLines() ?? []),
          states: liveLog?.states() ?? [],
          warnings: host.warned(),
          roomBytes: host.summaryRoom(),
        },
        host.redact,
      );
      if (summary !== '') await host.appendSummary(summary);
      else host.warn('the summary of this step is full (1 MiB), so the report of the run is left out');
    });
  printEnd(end, verdict);
}

/** Undefined if there is no review to post. */
function startReview({ run, review, verdict }: StepEnd, time: ReportTime): Promise<SettledReview> | undefined {
  const hasAnswer = verdict.conclusion === 'succeeded' || verdict.conclusion === 'rejected';
  if (run === undefined || review === undefined || !hasAnswer) return undefined;
  return settleReview(verdict, signal => review(run, signal), time.telling);
}

function tellVerdict({ host, keepVerdict }: StepEnd, verdict: Verdict): void {
  keepVerdict?.(verdict);
  setOutputs(host, {
    conclusion: verdict.conclusion,
    failure_reason: sayReason(verdict) ?? '',
    failure_phase: verdict.phase ?? '',
  });
}

/** For people. A run's own fields are data and stay as they are. */
function sayReason({ sentence }: Verdict): string | undefined {
  return sentence && keepHead(plainLine(terminalText(sentence)), { surface: 'annotation' });
}

interface CommentEnd {
  readonly settled: SettledReview;
  readonly result: Result;
  readonly facts: Facts;
  readonly resultFile: string;
  readonly signal: AbortSignal;
}

async function reportComment(
  { comment, run, runId, title, address, inputs }: StepEnd,
  { settled: { verdict, posted }, result, facts, resultFile, signal }: CommentEnd,
): Promise<void> {
  const { conclusion } = verdict;
  const review = posted !== undefined && 'title' in posted ? posted : undefined;
  const shown = review === undefined ? { result, resultFile } : { result: undefined, review };
  await comment?.end({
    state: { kind: 'ended', conclusion, sentence: sayReason(verdict), facts, ...shown },
    title: run?.title ?? title,
    run: runId === undefined ? undefined : { runId, address },
    isRed: isRed(verdict, inputs.failOn),
    signal,
  });
}

function warnOfRun({ host, verdict, liveLog, run }: StepEnd): void {
  for (const warning of liveLog?.warnings() ?? []) host.warn(warning);
  const code = run && readCode(run);
  if (run?.state === 'SUCCEEDED' && code !== undefined)
    host.warn(`the run succeeded, but the server also reported ${code}: ${run.status_message?.message}`);
  if (verdict.conclusion === 'succeeded' && run !== undefined && isResultEmpty(run))
    host.warn('the run succeeded but left no result. To make that a failure, set `require_result: true`');
}

/** Prints the end of the log. Only the verdict sets the exit code. */
function printEnd({ host, inputs, liveLog, address, connection }: StepEnd, verdict: Verdict): void {
  const { conclusion } = verdict;
  const sentence = sayReason(verdict);
  // A run inside the step is shown in this same log.
  const where = address === '' || connection?.isEmbedded === true ? '' : `. See ${address}`;
  const isStepRed = isRed(verdict, inputs.failOn);
  const named = isStepRed ? `conclusion: ${conclusion}, which \`fail_on\` lists` : `conclusion: ${conclusion}`;
  const line = `${sentence ?? named}${where}`;
  if (isStepRed) {
    printLastLines(host, liveLog?.unseenLines() ?? []);
    host.fail(line);
  } else if (sentence !== undefined) host.warn(line);
  host.print(`conclusion: ${conclusion}`);
}
