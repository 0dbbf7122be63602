import { headOfUtf8 } from '../../base/text.ts';
import type { Run } from '../../contract/run.ts';
import { fence, link, quoteInline } from '../text/markdown.ts';
import { type Conclusion, isGood } from '../verdict/verdict.ts';

/** GitHub drops a summary above 1 MiB whole; this is what one step of ours adds at most, in bytes. */
const summaryBytes = 200 * 1024;

export interface Report {
  readonly conclusion: Conclusion;
  /** The run as it was seen last; undefined when none was. */
  readonly run: Run | undefined;
  /** Why it is not good; undefined when it is. */
  readonly sentence: string | undefined;
  /** Id and address; undefined when no run is known. */
  readonly known: { readonly runId: string; readonly address: string; readonly resultUrl: string } | undefined;
  readonly durationSeconds: number | undefined;
}

/** What a step says in the summary of its job, whatever came of it. */
export function printSummary({ conclusion, run, sentence, known, durationSeconds }: Report): string {
  const config = run?.agent_config;
  const rows: readonly (readonly [string, string])[] = [
    ...(known === undefined ? [] : [['Run', link(known.runId, known.address)] as const]),
    ...(run === undefined ? [] : [['State', quoteInline(run.state)] as const]),
    ...(config?.name === undefined ? [] : [['Name', quoteInline(config.name)] as const]),
    ...(config?.model_id === undefined ? [] : [['Model', quoteInline(config.model_id)] as const]),
    ...(durationSeconds === undefined ? [] : [['Worked for', `${durationSeconds} s`] as const]),
  ];
  const parts = [
    `### ${isGood(conclusion) ? '✅' : '❌'} ${quoteInline(run?.title ?? 'agent run')}: ${conclusion.replace('_', ' ')}`,
    ...(sentence === undefined ? [] : [quoteInline(sentence)]),
    ...(rows.length === 0
      ? []
      : [['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n')]),
    ...printResult(run, known?.resultUrl),
  ];
  return `${parts.join('\n\n')}\n\n`;
}

function printResult(run: Run | undefined, resultUrl: string | undefined): readonly string[] {
  const { text = '', truncated = false } = run?.result ?? {};
  if (text.trim() === '') return [];
  const shown = headOfUtf8(text, summaryBytes);
  const isCut = truncated || shown !== text;
  const note =
    isCut && resultUrl !== undefined
      ? `\n\nOnly the beginning of the result; all of it: \`GET ${quoteInline(resultUrl)}\` with the API key.`
      : '';
  return [`<details open><summary>Result</summary>\n\n${fence(shown)}${note}\n\n</details>`];
}
