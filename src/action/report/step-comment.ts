/**
 * The comment of a step: "running" when the run is there, the end when there is one, and by the post step where main could not say it. Nothing
 * of it is loaded unless there is to be a comment.
 */
import type { Network } from '../connect/network.ts';
import type { ActionHost } from '../host/host.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { readStepState, saveStepState } from '../step-state.ts';
import type { CommentReport } from './comment.ts';

/** Where it is and what it says of the run; what main leaves for post. */
interface Kept {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
  readonly key: string;
  readonly title: string | undefined;
  readonly run: CommentReport['run'];
}

export interface StepComment {
  /** Says "running". */
  begin(run: NonNullable<CommentReport['run']>): Promise<void>;
  /** Says how it ended. `isRed`: whether the step is. */
  end(report: Pick<CommentReport, 'state' | 'title' | 'run'> & { readonly isRed: boolean }): Promise<void>;
}

/** A report is not worth more of a step's time, in milliseconds. */
const postBudgetMs = 15_000;

/** Undefined where there is to be none. Throws an Error with a sentence where there is to be one and cannot. */
export async function openComment(
  host: ActionHost,
  {
    inputs,
    context,
    network,
  }: { readonly inputs: ActionInputs; readonly context: StepContext; readonly network: Network },
): Promise<StepComment | undefined> {
  const { report, task, leg } = inputs;
  const { comment: when, commentKey, githubToken: token } = report;
  if (when === 'off') return undefined;
  if (token === undefined)
    throw new Error('`comment` needs `github_token`, and it is empty; leave it out for the built-in one');
  const { readEvent } = await import('../github/event.ts');
  const event = readEvent(context);
  const [owner, repo] = event?.repository?.split('/') ?? [];
  const number = event?.subject?.kind === 'discussion' ? undefined : event?.subject?.number;
  if (owner === undefined || repo === undefined || number === undefined)
    throw new Error(
      `\`comment\` is ${when}, and the event ${context.eventName ?? 'of this job'} is about no issue or pull request to comment on`,
    );
  const { workflow, job, step, jobUrl, apiUrl } = context;
  const key = commentKey ?? [workflow, job, step, leg.matrix === 'null' ? '' : leg.matrix].join('/');
  const kept: Kept = { owner, repo, number, key, title: task.title, run: undefined };
  return {
    async begin(run) {
      // Comments on failure alone have nothing to say yet.
      if (when !== 'on') return;
      saveStepState(host, 'comment', JSON.stringify({ ...kept, run }));
      await write(host, { kept: { ...kept, run }, token, apiUrl, jobUrl, network, state: { kind: 'running' } });
    },
    async end({ state, title, run, isRed }) {
      const creates = when === 'on' || isRed;
      await write(host, { kept: { ...kept, title, run }, token, apiUrl, jobUrl, network, state, creates });
      saveStepState(host, 'is_comment_final', 'true');
    },
  };
}

/** For the post step: says that the step was stopped, where the comment still says "running". Throws GitHubError. */
export async function repairComment(
  host: ActionHost,
  context: StepContext,
  { token, network, sentence }: RepairOptions,
): Promise<void> {
  const text = readStepState(host, 'comment');
  if (text === undefined || token === undefined || readStepState(host, 'is_comment_final') !== undefined) return;
  const kept = JSON.parse(text) as Kept;
  const { apiUrl, jobUrl } = context;
  const state = { kind: 'step_cancelled', sentence } as const;
  await write(host, { kept, token, apiUrl, jobUrl, network, state, budgetMs: postBudgetMs });
}

interface RepairOptions {
  readonly token: string | undefined;
  readonly network: Network;
  readonly sentence: string;
}

interface Writing extends Pick<CommentReport, 'jobUrl' | 'state'> {
  readonly kept: Kept;
  readonly token: string;
  readonly apiUrl: string;
  readonly network: Network;
  readonly budgetMs?: number;
  /** Whether to make one where there is none. @default true */
  readonly creates?: boolean;
}

async function write(host: ActionHost, writing: Writing): Promise<void> {
  const { kept, token, apiUrl, network, budgetMs, creates, jobUrl, state } = writing;
  const [{ createStepGitHub }, { markerOf, upsertComment }, { printComment }] = await Promise.all([
    import('../github/step-github.ts'),
    import('../github/comments.ts'),
    import('./comment.ts'),
  ]);
  const { owner, repo, number, key, title, run } = kept;
  const marker = markerOf(key);
  const open = createStepGitHub(host, { token, apiUrl, network, ...(budgetMs === undefined ? {} : { budgetMs }) });
  const body = printComment({ marker, title, run, jobUrl, state });
  await upsertComment(await open(), { owner, repo, number, marker, body, creates });
}
