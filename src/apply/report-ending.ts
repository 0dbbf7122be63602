/** The step's end: outputs, the job's summary, and a red step if something failed. */
import type { ActionHost } from '../action/host/host.ts';
import { budgets, keepHead } from '../action/text/budget.ts';
import { link, quoteInline } from '../action/text/markdown.ts';
import { messageOf } from '../base/cause.ts';
import type { Verb } from './apply-inputs.ts';
import { printOutcome, tell, type VerbOutcome } from './outcome.ts';

export interface Ending {
  readonly isDryRun: boolean;
  /** Of the verbs before the failure, if there was one. */
  readonly outcomes: readonly VerbOutcome[];
  /** Parts of the answer that the workflow did not ask for. */
  readonly refused: readonly string[];
  /** Why the step failed. */
  readonly failure?: string | undefined;
}

export const applyConclusions = ['applied', 'unchanged', 'outdated', 'dry_run', 'failed'] as const;
export type ApplyConclusion = (typeof applyConclusions)[number];

export interface ApplyOutputs {
  readonly conclusion: ApplyConclusion;
  readonly failure_reason: string;
  readonly review_url: string;
  readonly comment_url: string;
  readonly pull_request_url: string;
  readonly commit_url: string;
}

/** Outputs of a step that is killed. */
export const emptyApplyOutputs: ApplyOutputs = {
  conclusion: 'failed',
  failure_reason: 'The step ended before it reported a result',
  review_url: '',
  comment_url: '',
  pull_request_url: '',
  commit_url: '',
};

export function setApplyOutputs(host: ActionHost, outputs: ApplyOutputs): void {
  for (const [name, value] of Object.entries<string>({ ...outputs })) host.setOutput(name, value);
}

/** Never throws. */
export async function reportEnding(host: ActionHost, ending: Ending): Promise<void> {
  const conclusion = conclude(ending);
  const { outcomes, failure } = ending;
  const why = failure === undefined ? '' : keepHead(host.redact(failure), { surface: 'annotation' });
  const linkOf = (verb: Verb) => outcomes.find(outcome => outcome.verb === verb)?.link ?? '';
  try {
    setApplyOutputs(host, {
      conclusion,
      failure_reason: why,
      review_url: linkOf('review'),
      comment_url: linkOf('comment'),
      pull_request_url: linkOf('pull_request'),
      commit_url: linkOf('push'),
    });
  } catch (error) {
    host.warn(`the outputs could not be written: ${messageOf(error)}`);
  }
  for (const outcome of outcomes) printOutcome(host, outcome);
  const isNothing = outcomes.every(({ deeds }) => deeds.length === 0);
  if (failure !== undefined) host.fail(`${isNothing ? 'Nothing' : 'Not everything'} was applied: ${why}`);
  try {
    await host.appendSummary(printEnding(host, ending, conclusion));
  } catch (error) {
    host.warn(`the summary could not be written: ${messageOf(error)}`);
  }
}

function conclude({ failure, outcomes, isDryRun }: Ending): ApplyConclusion {
  if (failure !== undefined) return 'failed';
  if (outcomes.some(({ movedTo }) => movedTo !== undefined)) return 'outdated';
  if (isDryRun) return 'dry_run';
  return outcomes.some(({ deeds }) => deeds.length > 0) ? 'applied' : 'unchanged';
}

const headings: Readonly<Record<ApplyConclusion, string>> = {
  applied: '✅ Applied the answer of the agent',
  unchanged: '✅ Nothing to change',
  outdated: '⏭️ Not applied: the pull request has a newer commit',
  dry_run: '🔍 Dry run: nothing was changed. This would be done',
  failed: '❌ The answer of the agent was not applied in full',
};

function printEnding(host: ActionHost, ending: Ending, conclusion: ApplyConclusion): string {
  const why = ending.failure === undefined ? [] : [quoteInline(host.redact(ending.failure))];
  const lines = ending.outcomes.flatMap(outcome => [
    `- **${outcome.verb}**: ${quoteInline(tell(outcome))}${outcome.link === undefined ? '' : ` (${link('open', outcome.link)})`}`,
    ...[...outcome.notes, ...(outcome.refused ?? [])].map(note => `  - ${quoteInline(note)}`),
  ]);
  const refused = ending.refused.map(what => `- not applied: ${quoteInline(what)}`);
  const isRefused = refused.length > 0 || ending.outcomes.some(outcome => (outcome.refused ?? []).length > 0);
  const heading = conclusion === 'unchanged' && isRefused ? '⚠️ Nothing was applied' : headings[conclusion];
  const head = [`### ${heading}`, ...why, [...lines, ...refused].join('\n')].join('\n\n');
  const room = Math.min(budgets.summary.max, host.summaryRoom()) - Buffer.byteLength(head) - 100;
  return `${head}\n\n${printPreviews(ending.outcomes, room)}`;
}

/** As many as fit. */
function printPreviews(outcomes: readonly VerbOutcome[], room: number): string {
  let left = room;
  const parts: string[] = [];
  for (const { place, markdown } of outcomes.flatMap(({ previews = [] }) => previews)) {
    const shown = `<details><summary>${quoteInline(place)}</summary>\n\n${markdown}\n\n</details>\n`;
    left -= Buffer.byteLength(shown);
    if (left < 0) return [...parts, 'The rest does not fit here.\n'].join('\n');
    parts.push(shown);
  }
  return parts.join('\n');
}
