import { headOfUtf8 } from '../base/text.ts';
import type { Run } from '../contract/run.ts';
import { fence, link, quoteInline } from './markdown.ts';
import { type Conclusion, isGood } from './verdict.ts';

/** GitHub drops a summary above 1 MiB whole; this is what one step of ours adds at most, in bytes. */
const summaryBytes = 200 * 1024;

export interface Report {
  readonly run: Run;
  readonly conclusion: Conclusion;
  /** Why it is not good; undefined when it is. */
  readonly sentence: string | undefined;
  readonly durationSeconds: number | undefined;
  readonly runUrl: string;
}

/** What a step says in the summary of its job. */
export function printSummary({ run, conclusion, sentence, durationSeconds, runUrl }: Report): string {
  const rows: readonly (readonly [string, string])[] = [
    ['Run', link(run.run_id, run.session_link ?? runUrl)],
    ['State', quoteInline(run.state)],
    ...(run.agent_config.name === undefined ? [] : [['Name', quoteInline(run.agent_config.name)] as const]),
    ...(run.agent_config.model_id === undefined ? [] : [['Model', quoteInline(run.agent_config.model_id)] as const]),
    ...(durationSeconds === undefined ? [] : [['Worked for', `${durationSeconds} s`] as const]),
  ];
  const result = run.result?.text ?? '';
  const parts = [
    `### ${isGood(conclusion) ? '✅' : '❌'} ${quoteInline(run.title)}: ${conclusion.replace('_', ' ')}`,
    ...(sentence === undefined ? [] : [quoteInline(sentence)]),
    ['| | |', '|---|---|', ...rows.map(([name, value]) => `| ${name} | ${value} |`)].join('\n'),
    ...(result.trim() === '' ? [] : [`<details open><summary>Result</summary>\n\n${fence(cut(result))}\n\n</details>`]),
  ];
  return `${parts.join('\n\n')}\n\n`;
}

function cut(text: string): string {
  const head = headOfUtf8(text, summaryBytes);
  return head === text ? text : `${head}\n[cut here]`;
}
