/** The verb `labels`: adds labels that the workflow lists. It removes none. */
import type { GitHub } from '../action/github/github.ts';
import type { JsonObject } from '../base/json.ts';
import { counted, ellipsis } from '../base/text.ts';
import type { LabelInputs } from './apply-inputs.ts';
import type { VerbOutcome } from './outcome.ts';
import type { Target } from './target.ts';

interface Labeling {
  readonly github: GitHub;
  readonly target: Target;
  readonly answer: JsonObject;
  readonly inputs: LabelInputs;
  readonly isDryRun: boolean;
}

const shownMax = 10;

/** Throws GitHubError, and an Error if the answer's labels are not a list of texts. */
export async function applyLabels({ github, target, answer, inputs, isDryRun }: Labeling): Promise<VerbOutcome> {
  const { owner, repo, number } = target;
  const place = { owner, repo, issue_number: number };
  const { chosen, ...told } = chooseLabels(readLabels(answer), inputs);
  if (chosen.length === 0) return { verb: 'labels', deeds: [], ...told };
  const { data: issue } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', place);
  const present = issue.labels.map(label => nameKey(typeof label === 'string' ? label : (label.name ?? '')));
  const labels = chosen.filter(label => !present.includes(nameKey(label)));
  // Harmless to repeat, but a POST is not repeated.
  if (labels.length > 0 && !isDryRun)
    await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', { ...place, labels });
  return { verb: 'labels', deeds: labels.map(label => `the label ${label}`), ...told };
}

function readLabels({ labels = [] }: JsonObject): readonly string[] {
  if (labels === null) return [];
  if (Array.isArray(labels) && labels.every(label => typeof label === 'string')) return labels;
  throw new Error('`labels` in the answer is not a list of texts');
}

/** In the workflow's spelling. GitHub ignores case. */
function chooseLabels(
  proposed: readonly string[],
  { allowed, max }: LabelInputs,
): Pick<VerbOutcome, 'notes' | 'refused'> & { readonly chosen: readonly string[] } {
  const known = new Map(allowed.map(label => [nameKey(label), label]));
  const all = [...new Set(proposed.map(label => known.get(nameKey(label))).filter(label => label !== undefined))];
  const foreign = [...new Set(proposed.filter(label => !known.has(nameKey(label))))];
  const named = foreign.slice(0, shownMax).map(label => `\`${ellipsis(label, 50)}\``);
  const more = foreign.length - named.length;
  return {
    chosen: all.slice(0, max),
    notes: all.length > max ? [`${counted(all.length - max, 'label')} left out (\`labels_max\`)`] : [],
    refused:
      named.length === 0
        ? []
        : [`Not in \`labels_allowed\`: ${named.join(', ')}${more > 0 ? ` and ${more} more` : ''}`],
  };
}

function nameKey(label: string): string {
  return label.trim().toLowerCase();
}
