/**
 * Tells of the end of a step: outputs, result, summary, comment, and last, where a person looks, the reason. A fault of one is a warning, and
 * changes none of the others.
 */

import type { Run } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import { type LiveLog, printLastLines } from '../follow/live-log.ts';
import type { ActionHost } from '../host/host.ts';
import type { ReportInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { keepHead } from '../text/budget.ts';
import { guardLine } from '../text/guard.ts';
import { isRed, isResultEmpty, type Verdict } from '../verdict/verdict.ts';
import { outputsOfRun, setOutputs, workedSeconds } from './outputs.ts';
import { writePatchFile } from './patch-file.ts';
import { folderOfRun, keepResult, outputsOfResult, type Result, readResult, resultPath } from './result.ts';
import type { StepComment } from './step-comment.ts';

/** What a step knows when it ends. */
export interface StepEnd {
  readonly host: ActionHost;
  readonly context: StepContext;
  readonly inputs: ReportInputs;
  readonly verdict: Verdict;
  /** As it was seen last. */
  readonly run: Run | undefined;
  readonly runId: string | undefined;
  /** Undefined where there is nothing to ask. */
  readonly connection: Connection | undefined;
  readonly liveLog: LiveLog | undefined;
  /** Where a person finds the run; '' where that is nowhere. */
  readonly address: string;
  /** Whether the runner wants the step to end: what takes long is left out. */
  readonly isHurried: boolean;
  /** Undefined where there is none. */
  readonly comment: StepComment | undefined;
}

export async function reportEnd(end: StepEnd): Promise<void> {
  const { host, verdict, run, inputs, liveLog } = end;
  const sentence = verdict.sentence === undefined ? undefined : keepHead(verdict.sentence, { surface: 'annotation' });
  const attempt = async (what: string, write: () => void | Promise<void>): Promise<void> => {
    try {
      await write();
    } catch (error) {
      host.warn(guardLine(`${what} could not be written: ${error instanceof Error ? error.message : error}`));
    }
  };
  await attempt('the outputs', () => {
    setOutputs(host, {
      conclusion: verdict.conclusion,
      failure_reason: sentence ?? '',
      failure_phase: verdict.phase ?? '',
    });
    if (run !== undefined)
      setOutputs(
        host,
        outputsOfRun(run, { usage: run.request_usage ?? liveLog?.usage(), link: end.connection?.linkOf(run) }),
      );
  });
  let result: Result = { text: run?.result?.text ?? '', isPart: run?.result?.truncated ?? false };
  let file = '';
  if (run !== undefined) {
    await attempt('the whole result', async () => {
      if (end.connection !== undefined && !end.isHurried) result = await readResult(run, end.connection);
    });
    await attempt('the file of the result', async () => {
      setOutputs(host, outputsOfResult(run, result, ''));
      const kept = await keepResult(run, result, resultPath(inputs.resultFile, run.run_id, end.context));
      file = kept.result_file ?? '';
      setOutputs(host, kept);
    });
    await attempt('the patch', () => reportPatch(end, run));
  }
  if (inputs.summary)
    await attempt('the summary', async () => {
      const { printSummary } = await import('./summary.ts');
      const summary = printSummary(
        {
          conclusion: verdict.conclusion,
          sentence,
          run,
          resultText: result.text,
          isResultCut: result.isPart,
          resultFile: file,
          known: end.runId === undefined ? undefined : { runId: end.runId, address: end.address },
          durationSeconds: run && workedSeconds(run),
          lastLines: liveLog?.lastLines() ?? [],
          states: liveLog?.states() ?? [],
          usage: run?.request_usage ?? liveLog?.usage(),
          usedBytes: host.summaryBytes(),
        },
        host.redact,
      );
      await host.appendSummary(summary);
    });
  // A step that is being stopped has no time for it; the post step has.
  if (!end.isHurried) await attempt('the comment', () => reportComment(end, sentence, result.text));
  printEnd(end, sentence);
}

async function reportComment(
  { comment, verdict, run, runId, address, inputs }: StepEnd,
  sentence: string | undefined,
  result: string,
): Promise<void> {
  const { conclusion } = verdict;
  await comment?.end({
    state: { kind: 'ended', conclusion, sentence, result },
    title: run?.title,
    run: runId === undefined ? undefined : { runId, address },
    isRed: isRed(verdict, inputs.failOn),
  });
}

async function reportPatch({ host, connection, context, isHurried }: StepEnd, run: Run): Promise<void> {
  if (connection === undefined || isHurried) return;
  const path = `${folderOfRun(run.run_id, context.tempDir)}/changes.patch`;
  if (await writePatchFile(connection, run, path)) setOutputs(host, { patch_file: path });
}

/** The end of the log. The exit code is the verdict's alone. */
function printEnd({ host, verdict, inputs, liveLog, address, run }: StepEnd, sentence: string | undefined): void {
  const { conclusion } = verdict;
  const { error_code: code, message } = run?.status_message ?? {};
  if (run?.state === 'SUCCEEDED' && code !== undefined)
    host.warn(guardLine(`the run SUCCEEDED, and the server says as well ${code}: ${message}`));
  if (verdict.conclusion === 'succeeded' && run !== undefined && isResultEmpty(run))
    host.warn('the run succeeded and left no result; `require_result: true` makes that a failure');
  const where = address === '' ? '' : `. See ${address}`;
  const isStepRed = isRed(verdict, inputs.failOn);
  const line = guardLine(`${sentence ?? `conclusion: ${conclusion}`}${where}`);
  if (isStepRed) {
    printLastLines(host, liveLog?.lastLines() ?? []);
    host.fail(line);
  } else if (sentence !== undefined) host.warn(line);
  host.print(`conclusion: ${conclusion}`);
}
