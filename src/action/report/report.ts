import { headOfUtf8 } from '../../base/text.ts';
import type { Ending } from '../follow/follow-run.ts';
import type { ActionHost } from '../host/host.ts';
import { saveStepState } from '../step-state.ts';
import { guardLine } from '../text/guard.ts';
import { concludeRun, isGood } from '../verdict/verdict.ts';
import { outputsOfRun, setOutputs, workedSeconds } from './outputs.ts';
import { printSummary, type Report } from './summary.ts';

/** An annotation holds 4,096 characters. */
const sentenceBytes = 3000;

/** Verdict, outputs, summary: in this order, so that a fault of one, or of what a server says of a run, changes none before it. */
export async function reportEnding(
  host: ActionHost,
  { run, conclusion, sentence: whole, known }: Ending & { readonly known?: Report['known'] },
): Promise<void> {
  const sentence = whole === undefined ? undefined : headOfUtf8(whole, sentenceBytes);
  setOutputs(host, { conclusion });
  const isOver = conclusion === 'started' || (run !== undefined && concludeRun(run) !== undefined);
  if (isOver) saveStepState(host, 'is_over', 'true');
  const where = known === undefined ? '' : `. See ${known.address}`;
  if (isGood(conclusion)) host.print(`conclusion: ${conclusion}`);
  else host.fail(guardLine(`${sentence ?? `conclusion: ${conclusion}`}${where}`));
  if (run?.result?.truncated === true && known !== undefined)
    host.warn(
      guardLine(`the \`result\` output is only the beginning; all of it: GET ${known.resultUrl} with the API key`),
    );
  try {
    const durationSeconds = run && workedSeconds(run);
    if (run !== undefined) setOutputs(host, outputsOfRun(run, durationSeconds));
    await host.appendSummary(printSummary({ conclusion, run, sentence, known, durationSeconds }));
  } catch (error) {
    host.warn(guardLine(`the run could not be reported in full: ${error instanceof Error ? error.message : error}`));
  }
}
