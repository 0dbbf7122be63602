/**
 * The step's comment: "running" at first, then the end. The post step writes the end if main could not. It is written
 * in parallel with the run and never delays it. Its code is loaded only if there is a comment.
 */
import { messageOf } from '../../base/cause.ts';
import type { Network } from '../connect/network.ts';
import type { GitHubUse } from '../github/github.ts';
import { createStepGitHub, gitHubLimits, type StepGitHub } from '../github/step-github.ts';
import type { ActionHost } from '../host/host.ts';
import { readStepState, saveStepState } from '../host/step-state.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';
import { keepHead } from '../text/budget.ts';
import type { Conclusion } from '../verdict/verdict.ts';
import type { CommentReport } from './comment.ts';
import { labelOfStep } from './summary/heading.ts';

/** The comment's place and content, which main leaves for post. */
interface Kept {
  readonly owner: string;
  readonly repo: string;
  readonly number: number;
  readonly key: string;
  readonly title: string | undefined;
  readonly label: string | undefined;
  readonly run: CommentReport['run'];
  /** True if only a failed step gets a comment. */
  readonly isOnFailure: boolean;
}

/** Main's verdict, which the post step shows if main no longer could. */
export interface KeptVerdict {
  readonly conclusion: Conclusion;
  readonly sentence: string | undefined;
  readonly isRed: boolean;
  readonly title: string | undefined;
}

export interface StepComment {
  /** Writes the end, after "running" was written or abandoned. Throws GitHubError. */
  end(
    report: Pick<CommentReport, 'state' | 'title' | 'run'> & {
      readonly isRed: boolean;
      /** Aborts it, also when the runner wants the step to stop. */
      readonly signal: AbortSignal;
    },
  ): Promise<void>;
}

interface CommentOptions {
  readonly inputs: ActionInputs;
  readonly context: StepContext;
  /** Undefined without a token. */
  readonly github: StepGitHub | undefined;
  /** Undefined if no run was started. Only the end is written then. */
  readonly run: CommentReport['run'];
  /** The runner wants the step to stop. The post step then writes the rest. */
  readonly signal: AbortSignal;
}

/** Returns at once. A failure becomes a warning. Undefined if there is no comment to write. */
export function beginComment(host: ActionHost, options: CommentOptions): StepComment | undefined {
  const { inputs, context, github, run, signal } = options;
  const { comment: when } = inputs.report;
  if (when === 'off') return undefined;
  const hurry = new AbortController();
  const { jobUrl } = context;
  const open = async (): Promise<Opened> => {
    if (github === undefined)
      throw new Error('`comment` needs `github_token`, which is empty. Remove the input to use the token of the job');
    return { kept: await findPlace(options), github };
  };
  const begin = async (): Promise<Opened | undefined> => {
    let opened: Opened | undefined;
    try {
      opened = await open();
      const kept = { ...opened.kept, run };
      // Saved before there is anything to write: a killed step has failed, and only the post step can say so.
      saveStepState(host, 'comment', JSON.stringify(kept));
      if (when !== 'on' || run === undefined) return opened;
      const use = { limitMs: gitHubLimits.firstComment, signal, hurry: hurry.signal };
      await write(host, { kept, github: opened.github, use, jobUrl, state: { kind: 'running' } });
    } catch (error) {
      // The end tries again and reports a lasting failure.
      if (opened === undefined && !signal.aborted) host.warn(`the comment could not be written: ${messageOf(error)}`);
    }
    return opened;
  };
  const begun = begin();
  return {
    async end({ state, title, run: last, isRed, signal: over }) {
      // Two concurrent writers would create two comments.
      hurry.abort();
      const opened = await begun;
      if (opened === undefined || over.aborted) return;
      const kept = { ...opened.kept, title, run: last };
      const use = { limitMs: gitHubLimits.lastComment, signal: over };
      try {
        await write(host, { kept, github: opened.github, use, jobUrl, state, creates: when === 'on' || isRed });
      } catch (error) {
        // The post step would be refused too, and would only repeat the warning.
        if (await isRefused(error)) saveStepState(host, 'is_comment_final', 'true');
        throw error;
      }
      saveStepState(host, 'is_comment_final', 'true');
    },
  };
}

async function isRefused(error: unknown): Promise<boolean> {
  const { GitHubError } = await import('../github/github-error.ts');
  return error instanceof GitHubError && error.isRefusal;
}

interface Opened {
  readonly kept: Kept;
  readonly github: StepGitHub;
}

/** Throws an Error with a sentence if the event has nothing to comment on. */
async function findPlace({ inputs, context }: CommentOptions): Promise<Kept> {
  const { report, task, leg } = inputs;
  const { readEvent } = await import('../github/event.ts');
  const event = readEvent(context);
  const [owner, repo] = event?.repository?.split('/') ?? [];
  const number = event?.subject?.kind === 'discussion' ? undefined : event?.subject?.number;
  if (owner === undefined || repo === undefined || number === undefined)
    throw new Error(
      `\`comment\` is ${report.comment}, but the event ${context.eventName ?? 'of this job'} has no issue or pull request to comment on`,
    );
  const key = keyOfStep({ inputs, context });
  const label = labelOfStep({ matrix: leg.matrix, name: task.name });
  const isOnFailure = report.comment === 'on_failure';
  return { owner, repo, number, key, title: task.title, label, run: undefined, isOnFailure };
}

/** Tells what this step writes on GitHub from what others write. */
export function keyOfStep({ inputs, context }: Pick<CommentOptions, 'inputs' | 'context'>): string {
  const { report, leg } = inputs;
  const { workflow, job, step } = context;
  return report.commentKey ?? [workflow, job, step, leg.matrix === 'null' ? '' : leg.matrix].join('/');
}

/** Leaves the verdict for the post step. Throws CommandFileError. */
export function keepVerdict(host: ActionHost, { sentence, title, ...verdict }: KeptVerdict): void {
  const [said, called] = [sentence, title].map(text => text && shorten(host, text));
  saveStepState(host, 'verdict', JSON.stringify({ ...verdict, sentence: said, title: called }));
}

/** Tells the post step that the runner wanted the step to stop. Throws CommandFileError. */
export function keepCancelled(host: ActionHost, title: string | undefined): void {
  saveStepState(host, 'is_cancelled', 'true');
  if (title !== undefined) saveStepState(host, 'title', shorten(host, title));
}

function shorten(host: ActionHost, text: string): string {
  return keepHead(host.redact(text), { surface: 'annotation' });
}

/**
 * Called by the post step. Writes the verdict if main could not, or that the step was stopped. Throws GitHubError.
 */
export async function repairComment(
  host: ActionHost,
  context: StepContext,
  { token, network, sentence }: RepairOptions,
): Promise<void> {
  const text = readStepState(host, 'comment');
  if (text === undefined || token === undefined || readStepState(host, 'is_comment_final') !== undefined) return;
  const kept = JSON.parse(text) as Kept;
  const said = readStepState(host, 'verdict');
  const verdict = said === undefined ? undefined : (JSON.parse(said) as KeptVerdict);
  const wasCancelled = readStepState(host, 'is_cancelled') !== undefined;
  const { apiUrl, jobUrl } = context;
  const github = createStepGitHub(host, { token, apiUrl, network });
  await write(host, {
    kept: { ...kept, title: verdict?.title ?? readStepState(host, 'title') ?? kept.title },
    github,
    use: { limitMs: gitHubLimits.post },
    jobUrl,
    state:
      verdict === undefined
        ? { kind: wasCancelled ? 'step_cancelled' : 'step_gone', sentence }
        : { kind: 'ended', conclusion: verdict.conclusion, sentence: verdict.sentence, result: undefined },
    creates: !kept.isOnFailure || (verdict?.isRed ?? true),
  });
}

interface RepairOptions {
  readonly token: string | undefined;
  readonly network: Network;
  readonly sentence: string;
}

interface Writing extends Pick<CommentReport, 'jobUrl' | 'state'> {
  readonly kept: Kept;
  readonly github: StepGitHub;
  readonly use: GitHubUse;
  /** Whether to create a missing comment. @default true */
  readonly creates?: boolean;
}

async function write(host: ActionHost, { kept, github, use, creates, jobUrl, state }: Writing): Promise<void> {
  const [api, { markerOf, upsertComment }, { printComment }] = await Promise.all([
    github(use),
    import('../github/comments.ts'),
    import('./comment.ts'),
  ]);
  const { owner, repo, number, key, title, label, run } = kept;
  const marker = markerOf(key);
  const body = printComment({ marker, title, label, run, jobUrl, state }, host.redact);
  await upsertComment(api, { owner, repo, number, marker, body, creates });
}
