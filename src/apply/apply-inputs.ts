/** The inputs of `apply`, read and checked once. */

import { realpathSync } from 'node:fs';
import type { ActionHost } from '../action/host/host.ts';
import { explainFileFault, readInputFile, resolveInWorkspace } from '../action/inputs/file-inputs.ts';
import { applyInputNames } from '../action/inputs/input-names.ts';
import { findStrayInputs } from '../action/inputs/stray-inputs.ts';
import {
  checkWord,
  InputError,
  isGiven,
  quote,
  type Readers,
  readAll,
  readBoolean,
  readChoice,
  readSecret,
  readText,
  readTrimmed,
  readWord,
  readWords,
  refuseFaults,
} from '../action/inputs/values.ts';
import { readPlainFileSync } from '../border/files.ts';
import { type ReviewVerdict, reviewVerdicts, type Severity, severities } from '../contract/tables/review-schema.ts';

export interface ApplyInputs {
  readonly token: string;
  /** JSON, as the agent wrote it, and the input that it came from. */
  readonly answer: { readonly text: string; readonly input: 'result' | 'result_file' };
  readonly isDryRun: boolean;
  /** The commit that the agent saw, by its full hash. */
  readonly commit: string | undefined;
  /** Number of the pull request or issue. */
  readonly number: number | undefined;
  readonly key: string | undefined;
  /** Undefined if the verb is off, as for all verbs. */
  readonly review: ReviewInputs | undefined;
  readonly comment: true | undefined;
  readonly labels: LabelInputs | undefined;
  readonly pull_request: PullRequestInputs | undefined;
  readonly push: ChangeInputs | undefined;
}

export interface ReviewInputs {
  readonly maxComments: number;
  readonly minSeverity: Severity;
  /** Patterns of paths. Undefined for all. */
  readonly paths: readonly string[] | undefined;
  readonly verdicts: readonly ReviewVerdict[];
}

/** Defaults. */
export const usualReview: ReviewInputs = {
  maxComments: 20,
  minSeverity: 'low',
  paths: undefined,
  verdicts: ['comment', 'request_changes'],
};

export interface LabelInputs {
  readonly allowed: readonly string[];
  readonly max: number;
}

export interface ChangeInputs {
  readonly patch: Uint8Array;
  /** Patterns of protected paths that may change. */
  readonly allowPaths: readonly string[];
  readonly maxFiles: number;
  readonly maxBytes: number;
}

export interface PullRequestInputs extends ChangeInputs {
  readonly branch: string | undefined;
  readonly base: string | undefined;
  readonly isDraft: boolean;
  readonly labels: readonly string[];
  /** Logins. Those of teams are `org/team`. */
  readonly reviewers: readonly string[];
}

/** In the order in which they are applied. */
export const verbs = ['review', 'comment', 'labels', 'pull_request', 'push'] as const;
export type Verb = (typeof verbs)[number];

/** Throws InputError with every fault. */
export async function readApplyInputs(host: ActionHost): Promise<ApplyInputs> {
  return await readAll<ApplyInputs>({
    token: () => {
      const token = readSecret(host, 'github_token');
      if (token === undefined)
        throw new InputError('`github_token` is empty. Remove the input to use the token of the job');
      return token;
    },
    isDryRun: () => {
      refuseFaults(findStrayInputs(host, 'agent-run/apply'));
      return readBoolean(host, 'dry_run', false);
    },
    answer: () => readAnswer(host),
    commit: () => readCommit(host),
    number: () => readCount(host, 'number', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    key: () => readWord(host, 'key'),
    review: () => readReviewInputs(host),
    comment: () => readVerb(host, 'comment') || undefined,
    labels: () => readLabelInputs(host),
    pull_request: () => readPullRequestInputs(host),
    push: () => readPushInputs(host),
  });
}

function readAnswer(host: ActionHost): ApplyInputs['answer'] {
  const text = readText(host, 'result');
  const file = readWord(host, 'result_file');
  if (text !== undefined && file !== undefined)
    throw new InputError('`result` and `result_file` are both set. Remove one of them');
  if (file !== undefined) return { text: readInputFile(host, 'result_file', file), input: 'result_file' };
  if (text === undefined)
    throw new InputError(
      '`result` and `result_file` are empty. Set `result` to the output `result_json` of the job with the agent, and skip this job if that one left no result',
    );
  return { text, input: 'result' };
}

function readCommit(host: ActionHost): string | undefined {
  const commit = readWord(host, 'commit');
  if (commit !== undefined && !/^[0-9a-f]{40}$/.test(commit))
    throw new InputError(`\`commit\` must be the full hash of a commit in lower case, not ${quote(commit)}`);
  return commit;
}

async function readReviewInputs(host: ActionHost): Promise<ReviewInputs | undefined> {
  if (!readVerb(host, 'review')) return undefined;
  return await readAll<ReviewInputs>({
    maxComments: () => readCount(host, 'review_max_comments', { min: 1, max: 100 }) ?? usualReview.maxComments,
    minSeverity: () => readChoice(host, 'review_min_severity', ['low', ...severities.filter(word => word !== 'low')]),
    paths: () => readPatterns(host, 'review_paths'),
    verdicts: () =>
      readWords(host, 'review_verdicts')?.map(word => checkWord('review_verdicts', word, reviewVerdicts)) ??
      usualReview.verdicts,
  });
}

async function readLabelInputs(host: ActionHost): Promise<LabelInputs | undefined> {
  if (!readVerb(host, 'labels')) return undefined;
  return await readAll<LabelInputs>({
    allowed: () => {
      const allowed = readLabelList(host, 'labels_allowed');
      if (allowed.length > 0) return allowed;
      throw new InputError('`labels` is on, but `labels_allowed` is empty. List the labels that the agent may add');
    },
    max: () => readCount(host, 'labels_max', { min: 1, max: 100 }) ?? 3,
  });
}

/** Labels may contain spaces. */
function readLabelList(host: ActionHost, name: 'labels_allowed' | 'pull_request_labels'): readonly string[] {
  const labels = (readTrimmed(host, name) ?? '')
    .split(/[\n,]/)
    .map(label => label.trim())
    .filter(label => label !== '');
  const wrong = labels.find(label => /^- |[["\]]/.test(label));
  if (wrong === undefined) return labels;
  throw new InputError(`\`${name}\`: ${quote(wrong)} is not a label. Write one per line, or separate them by commas`);
}

async function readPullRequestInputs(host: ActionHost): Promise<PullRequestInputs | undefined> {
  if (!readVerb(host, 'pull_request')) return undefined;
  return await readAll<PullRequestInputs>({
    branch: () => readBranch(host, 'pull_request_branch'),
    base: () => readBranch(host, 'pull_request_base'),
    isDraft: () => readBoolean(host, 'pull_request_draft', false),
    labels: () => readLabelList(host, 'pull_request_labels'),
    reviewers: () => (readWords(host, 'pull_request_reviewers') ?? []).map(login => login.replace(/^@/, '')),
    ...changeReaders(host),
  });
}

async function readPushInputs(host: ActionHost): Promise<ChangeInputs | undefined> {
  const [isOn, proposes] = [readVerb(host, 'push'), readBoolean(host, 'pull_request', false)];
  if (isOn && proposes) throw new InputError('`pull_request` and `push` are both on. Turn one of them off');
  if (!isOn && !proposes) refuseIdle(host, changeInputNames, 'pull_request');
  return isOn ? await readAll<ChangeInputs>(changeReaders(host)) : undefined;
}

function changeReaders(host: ActionHost): Readers<ChangeInputs> {
  return {
    patch: () => readPatch(host),
    allowPaths: () => readPatterns(host, 'changes_allow_paths') ?? [],
    maxFiles: () => readCount(host, 'changes_max_files', { min: 1, max: 1000 }) ?? 100,
    maxBytes: () => readCount(host, 'changes_max_bytes', { min: 1, max: patchBytesMax }) ?? 1_000_000,
  };
}

function readPatterns(host: ActionHost, name: 'review_paths' | 'changes_allow_paths'): readonly string[] | undefined {
  const patterns = readWords(host, name);
  // A path needs to match only one of them, so an exception would let everything else through.
  const wrong = patterns?.find(pattern => pattern.startsWith('!') || /[{}]/.test(pattern));
  if (wrong !== undefined)
    throw new InputError(`\`${name}\`: ${quote(wrong)} is not a pattern. Exceptions (!) and braces do not work`);
  return patterns;
}

const changeInputNames = ['patch_file', 'changes_allow_paths', 'changes_max_files', 'changes_max_bytes'] as const;
/** As large as a run's patch can be. */
const patchBytesMax = 64 * 1024 * 1024;

function readPatch(host: ActionHost): Uint8Array {
  const file = readWord(host, 'patch_file');
  if (file === undefined)
    throw new InputError(
      '`patch_file` is empty. Download the artifact with the file that the output `patch_file` of the other job names',
    );
  try {
    return readPlainFileSync(realpathSync(resolveInWorkspace(host, file)), patchBytesMax);
  } catch (error) {
    throw new InputError(`\`patch_file\`: ${quote(file)} cannot be read: ${explainFileFault(error)}`);
  }
}

/** What `git check-ref-format --branch` accepts, and `${{ github.ref }}`. */
function readBranch(host: ActionHost, name: 'pull_request_branch' | 'pull_request_base'): string | undefined {
  const branch = readWord(host, name)?.replace(/^refs\/heads\//, '');
  const wrong = /^(-|\/|refs\/|@$|HEAD$)|[\s~^:?*[\\]|\.\.|@\{|\/\/|(^|\/)\.|[./]$|\.lock(\/|$)/;
  if (branch === undefined || (branch.length <= 200 && !wrong.test(branch))) return branch;
  throw new InputError(`\`${name}\`: ${quote(branch)} is not the name of a branch`);
}

/** Whether a verb is on. Throws InputError if it is off and an input for it is set. */
function readVerb(host: ActionHost, verb: Verb): boolean {
  const isOn = readBoolean(host, verb, false);
  if (!isOn)
    refuseIdle(
      host,
      applyInputNames.filter(name => name.startsWith(`${verb}_`)),
      verb,
    );
  return isOn;
}

function refuseIdle(host: ActionHost, names: readonly string[], verb: Verb): void {
  const idle = names.find(name => isGiven(host, name));
  if (idle !== undefined)
    throw new InputError(`\`${idle}\` has no effect, because \`${verb}\` is off. Set \`${verb}: true\``);
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function readCount(
  host: ActionHost,
  name: 'number' | 'review_max_comments' | 'labels_max' | 'changes_max_files' | 'changes_max_bytes',
  { min, max }: Range,
): number | undefined {
  const value = readWord(host, name);
  if (value === undefined) return undefined;
  const count = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= min && count <= max) return count;
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new InputError(`\`${name}\` must be a whole number ${range}, not ${quote(value)}`);
}
