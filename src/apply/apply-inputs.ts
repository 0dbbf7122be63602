/** The inputs of `apply`, read and checked once. */

import type { ActionHost } from '../action/host/host.ts';
import { readInputFile } from '../action/inputs/file-inputs.ts';
import { findStrayInputs } from '../action/inputs/stray-inputs.ts';
import {
  checkWord,
  InputError,
  isGiven,
  quote,
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
}

export interface ReviewInputs {
  readonly maxComments: number;
  readonly minSeverity: Severity;
  /** Patterns of paths. Undefined for all. */
  readonly paths: readonly string[] | undefined;
  readonly verdicts: readonly ReviewVerdict[];
}

export interface LabelInputs {
  readonly allowed: readonly string[];
  readonly max: number;
}

/** In the order in which they are applied. */
export const verbs = ['review', 'comment', 'labels'] as const;
export type Verb = (typeof verbs)[number];

export const applyInputNames = [
  ...['result', 'result_file', 'github_token', 'dry_run', 'commit', 'number', 'key', 'review', 'review_max_comments'],
  ...['review_min_severity', 'review_paths', 'review_verdicts', 'comment', 'labels', 'labels_allowed', 'labels_max'],
] as const;

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
      refuseFaults(findStrayInputs(host, applyInputNames));
      return readBoolean(host, 'dry_run', false);
    },
    answer: () => readAnswer(host),
    commit: () => readCommit(host),
    number: () => readCount(host, 'number', { min: 1, max: Number.MAX_SAFE_INTEGER }),
    key: () => readWord(host, 'key'),
    review: () => readReviewInputs(host),
    comment: () => readVerb(host, 'comment') || undefined,
    labels: () => readLabelInputs(host),
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
    maxComments: () => readCount(host, 'review_max_comments', { min: 1, max: 100 }) ?? 20,
    minSeverity: () => readChoice(host, 'review_min_severity', ['low', ...severities]),
    paths: () => readWords(host, 'review_paths'),
    verdicts: () =>
      readWords(host, 'review_verdicts')?.map(word => checkWord('review_verdicts', word, reviewVerdicts)) ?? [
        'comment',
        'request_changes',
      ],
  });
}

async function readLabelInputs(host: ActionHost): Promise<LabelInputs | undefined> {
  if (!readVerb(host, 'labels')) return undefined;
  return await readAll<LabelInputs>({
    allowed: () => {
      const allowed = (readTrimmed(host, 'labels_allowed') ?? '')
        .split(/[\n,]/)
        .map(label => label.trim())
        .filter(label => label !== '');
      if (allowed.length > 0) return allowed;
      throw new InputError('`labels` is on, but `labels_allowed` is empty. List the labels that the agent may add');
    },
    max: () => readCount(host, 'labels_max', { min: 1, max: 100 }) ?? 3,
  });
}

/** Whether a verb is on. Throws InputError if it is off and an input for it is set. */
function readVerb(host: ActionHost, verb: Verb): boolean {
  const isOn = readBoolean(host, verb, false);
  const idle = applyInputNames.find(name => name.startsWith(`${verb}_`) && isGiven(host, name));
  if (!isOn && idle !== undefined)
    throw new InputError(`\`${idle}\` has no effect, because \`${verb}\` is off. Set \`${verb}: true\``);
  return isOn;
}

interface Range {
  readonly min: number;
  readonly max: number;
}

function readCount(
  host: ActionHost,
  name: 'number' | 'review_max_comments' | 'labels_max',
  { min, max }: Range,
): number | undefined {
  const value = readWord(host, name);
  if (value === undefined) return undefined;
  const count = /^\d{1,15}$/.test(value) ? Number(value) : Number.NaN;
  if (count >= min && count <= max) return count;
  const range = max === Number.MAX_SAFE_INTEGER ? `of ${min} or more` : `from ${min} to ${max}`;
  throw new InputError(`\`${name}\` must be a whole number ${range}, not ${quote(value)}`);
}
