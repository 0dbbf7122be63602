/**
 * The step's verdict. It is decided once, from the run's state and from what happened to the step. Text never decides
 * it, and of the reports, only a review that was not posted changes it.
 */
import { quoteText } from '../../base/document.ts';
import { isObject } from '../../base/json.ts';
import { isVisible } from '../../border/visible-text.ts';
import type { Run } from '../../contract/run.ts';
import { type Condition, judgeCondition } from './fail-when.ts';

/** Values of the `conclusion` output. */
export const conclusions = [
  'succeeded',
  'failed',
  'rejected',
  'cancelled',
  'timed_out',
  'blocked',
  'lost',
  'start_failed',
  'skipped',
  'started',
] as const;
export type Conclusion = (typeof conclusions)[number];

/** Conclusions that fail a step unless `fail_on` says otherwise. */
export const badConclusions: ReadonlySet<Conclusion> = new Set(
  conclusions.filter(word => !['succeeded', 'skipped', 'started'].includes(word)),
);

/** Values of the `failure_phase` output. */
export type Phase =
  | 'inputs'
  | 'permission'
  | 'start'
  | 'queue'
  | 'setup'
  | 'run'
  | 'service'
  | 'result'
  | 'follow'
  | 'step';

/** Why the step no longer follows the run. */
export type Outcome =
  | { readonly kind: 'ended' }
  /** The step only had to start it. */
  | { readonly kind: 'started' }
  /** The agent waits for a person, and the step does not. */
  | { readonly kind: 'blocked'; readonly isWanted: boolean }
  /** The runner wants the step to stop. `stopping` describes the run. */
  | { readonly kind: 'step_cancelled'; readonly stopping: string }
  /** A time limit of the step is over. `why` names it. */
  | {
      readonly kind: 'timed_out';
      readonly why: string;
      readonly phase: 'queue' | 'run' | 'follow';
      readonly stopping: string;
    }
  /** `cancel: true` canceled the run. */
  | { readonly kind: 'cancel_asked'; readonly problem?: string | undefined }
  /** The run can no longer be followed. */
  | { readonly kind: 'lost'; readonly why: string }
  | { readonly kind: 'not_started'; readonly phase: Phase; readonly why: string }
  /** The step has nothing to do here. */
  | { readonly kind: 'skipped'; readonly phase: Phase; readonly why: string };

export interface Verdict {
  readonly conclusion: Conclusion;
  /** Undefined if nothing went wrong. */
  readonly phase: Phase | undefined;
  /** For people. Undefined if nothing went wrong. */
  readonly sentence: string | undefined;
  /** `if_listed` leaves it to `fail_on`. A step never fails for an outcome that the workflow asked for. */
  readonly fails: 'if_listed' | 'always' | 'never';
  /** For the output `error_code`, if the server gave none. */
  readonly code?: 'no_result';
}

type Ended = Pick<Run, 'run_id' | 'state' | 'status_message' | 'started_at' | 'result'>;

/** The final states. Each one overrides what happened to the step: a late success is a success. */
const ofFinalState: ReadonlyMap<string, 'succeeded' | 'failed' | 'cancelled'> = new Map([
  ['SUCCEEDED', 'succeeded'],
  ['FAILED', 'failed'],
  ['ERROR', 'failed'],
  ['CANCELLED', 'cancelled'],
]);

/** Conclusions for a run without a final state. */
const conclusionByOutcome: Readonly<Record<Outcome['kind'], Conclusion>> = {
  ended: 'lost',
  started: 'started',
  blocked: 'blocked',
  step_cancelled: 'cancelled',
  timed_out: 'timed_out',
  cancel_asked: 'lost',
  lost: 'lost',
  not_started: 'start_failed',
  skipped: 'skipped',
};

interface Demands {
  /** A run that SUCCEEDED without a result has failed. */
  readonly requiresResult: boolean;
  /** The run was asked for a review. One that says nothing has failed. */
  readonly isReview?: boolean;
  readonly failWhen?: Condition | undefined;
}

/** Makes the verdict on a run. */
export function decide(outcome: Outcome, run: Ended | undefined, demands: Demands): Verdict {
  const own = run === undefined ? undefined : ofFinalState.get(run.state);
  const { kind } = outcome;
  // A step that only starts a run has the same conclusion however fast the run is.
  if (run === undefined || own === undefined || kind === 'started' || (own === 'cancelled' && kind !== 'ended'))
    return decideByOutcome(outcome, run, own);
  const fails = kind === 'cancel_asked' ? 'never' : 'if_listed';
  if (own === 'cancelled')
    return { conclusion: own, phase: phaseOf(run), sentence: explainEnd(run, 'The run was canceled'), fails };
  if (own === 'failed') {
    const opening = run.state === 'ERROR' ? 'The run ended with an error' : 'The run failed';
    return { conclusion: own, phase: phaseOf(run), sentence: explainEnd(run, opening), fails };
  }
  const passed: Verdict = { conclusion: own, phase: undefined, sentence: undefined, fails };
  if (fails === 'never') return passed;
  if (demands.isReview === true && isReviewEmpty(run))
    return {
      conclusion: 'failed',
      phase: 'result',
      sentence: 'The run succeeded, but its review has neither a summary nor a finding (no_result)',
      fails: 'always',
      code: 'no_result',
    };
  if (demands.failWhen !== undefined) return judgeResult(run, demands.failWhen) ?? passed;
  if (demands.requiresResult && isResultEmpty(run))
    return {
      conclusion: 'failed',
      phase: 'result',
      sentence: 'The run succeeded without a result, and `require_result` is set',
      fails,
    };
  return passed;
}

/** The review is what the step was asked for, so a step without it has failed. `why` follows a colon. */
export function decideUnposted(verdict: Verdict, why: string): Verdict {
  const said = `The review was not posted: ${why}`;
  if (verdict.conclusion === 'rejected') return { ...verdict, sentence: `${verdict.sentence}. ${said}` };
  return { conclusion: 'failed', phase: 'step', sentence: said, fails: 'always' };
}

/** Undefined if the condition was checked and is not met. */
function judgeResult({ result }: Ended, condition: Condition): Verdict | undefined {
  const judgment = judgeCondition(condition, result?.structured);
  const quoted = `\`fail_when: ${condition.text}\``;
  if ('fault' in judgment) {
    const sentence = `The run succeeded, but ${quoted} cannot be checked: ${judgment.fault}`;
    return { conclusion: 'failed', phase: 'result', sentence, fails: 'always' };
  }
  if (!judgment.isMet) return undefined;
  const why = condition.isNegated ? `: \`${condition.path.join('.')}\` is ${quoteText(judgment.found)}` : '';
  return { conclusion: 'rejected', phase: 'result', sentence: `The result meets ${quoted}${why}`, fails: 'always' };
}

function decideByOutcome(outcome: Outcome, run: Ended | undefined, own: 'cancelled' | undefined | string): Verdict {
  const conclusion = conclusionByOutcome[outcome.kind];
  const isCancelled = own === 'cancelled';
  switch (outcome.kind) {
    case 'started':
      return { conclusion, phase: undefined, sentence: undefined, fails: 'never' };
    case 'blocked':
      return {
        conclusion,
        phase: 'run',
        sentence: explainEnd(
          run,
          `The run is blocked: the agent asked a question. Answer it with \`npx agent-run followup ${run?.run_id ?? 'RUN_ID'} MESSAGE\`. The question`,
          ' is on the page of the run',
        ),
        fails: outcome.isWanted ? 'never' : 'if_listed',
      };
    case 'step_cancelled':
      return {
        conclusion,
        phase: 'step',
        sentence: `The step was canceled. ${isCancelled ? 'The run was canceled, too' : outcome.stopping}`,
        fails: 'if_listed',
      };
    case 'timed_out':
      return {
        conclusion,
        phase: outcome.phase,
        sentence: `${outcome.why}. ${isCancelled ? 'The run was canceled' : outcome.stopping}`,
        fails: 'if_listed',
      };
    case 'cancel_asked':
      return isCancelled
        ? { conclusion: 'cancelled', phase: undefined, sentence: undefined, fails: 'never' }
        : {
            conclusion,
            phase: 'follow',
            sentence: outcome.problem ?? 'The run was told to stop, but it did not end in time',
            fails: 'if_listed',
          };
    case 'ended':
      return {
        conclusion,
        phase: 'follow',
        sentence: 'The step stopped following the run before its end',
        fails: 'if_listed',
      };
    case 'lost':
      return { conclusion, phase: 'follow', sentence: outcome.why, fails: 'if_listed' };
    default:
      return { conclusion, phase: outcome.phase, sentence: outcome.why, fails: 'if_listed' };
  }
}

export function isRed(verdict: Verdict, failOn: ReadonlySet<Conclusion>): boolean {
  return verdict.fails === 'always' || (verdict.fails === 'if_listed' && failOn.has(verdict.conclusion));
}

/** A partial result does not count as empty, because the rest may have visible text. */
export function isResultEmpty({ result }: Pick<Run, 'result'>): boolean {
  return !isVisible(result?.text ?? '') && result?.truncated !== true && result?.structured === undefined;
}

function isReviewEmpty({ result }: Ended): boolean {
  const review = result?.structured;
  if (!isObject(review) || !Array.isArray(review.findings) || review.findings.length > 0) return false;
  return typeof review.summary !== 'string' || !isVisible(review.summary);
}

const setupCodes: ReadonlySet<string> = new Set([
  'environment_setup_failed',
  'resource_not_found',
  'operation_not_supported',
]);

/** Returns the server's code for the end of the run. */
export function readCode({ status_message: status }: Pick<Run, 'status_message'>): string | undefined {
  return status?.reason ?? status?.error_code;
}

function phaseOf(run: Ended): Phase {
  const code = readCode(run) ?? '';
  // The person who configured the key has to fix it, not the service.
  if (code === 'authentication_required') return 'setup';
  if (run.state === 'ERROR') return 'service';
  if (code === 'no_result' || code === 'result_invalid') return 'result';
  if (setupCodes.has(code)) return 'setup';
  return run.started_at === null ? 'queue' : 'run';
}

/** Returns a sentence with the server's reason and code. `silence` ends the sentence if there is no reason. */
function explainEnd(run: Ended | undefined, opening: string, silence = ', and the server gave no reason'): string {
  const reason = run?.status_message?.message;
  const code = run && readCode(run);
  const why = (reason ?? '') === '' ? silence : `: ${reason}`;
  return `${opening}${code === undefined ? '' : ` (${code})`}${why}`;
}
