/** The errors about a run, not about one call. */
import { messageOf } from '../../base/cause.ts';
import { AgentRunsError } from './errors.ts';

/** The server does not have the feature that the call needs. */
export class FeatureUnavailableError extends AgentRunsError {
  override readonly name = 'FeatureUnavailableError';
  readonly feature: string;

  constructor(feature: string, cause: unknown, more = '') {
    super(`this server does not offer "${feature}"${more}`, { cause });
    this.feature = feature;
  }
}

/** Which time limit of following was reached; see FollowLimitOptions. */
export type FollowLimit = 'total' | 'queue' | 'run' | 'stall';

interface Overdue {
  readonly runId: string;
  readonly limit: FollowLimit;
  readonly timeoutMs: number;
  readonly state: string | undefined;
  readonly phase: 'queue' | 'run' | undefined;
  /** Why the last looks failed. */
  readonly cause?: unknown;
}

const overdue: Readonly<Record<FollowLimit, string>> = {
  total: 'had not ended after',
  queue: 'was still queued after',
  run: 'had not ended after running for',
  stall: 'has shown no activity for',
};

/** Without a state, nothing is known about the run. */
function describeOverdue({ limit, timeoutMs, state, phase, cause }: Overdue): string {
  const last = cause instanceof Error ? `: ${cause.message}` : '';
  if (state === undefined) return `could not be read for ${timeoutMs} ms${last}`;
  const where = phase === 'queue' ? 'waiting to start' : 'started';
  const since = cause === undefined ? '' : ` when last seen; every request since then has failed${last}`;
  return `${overdue[limit]} ${timeoutMs} ms; last state ${state}, ${where}${since}`;
}

/** A time limit of following was reached; the run continues. */
export class FollowTimeoutError extends AgentRunsError {
  override readonly name = 'FollowTimeoutError';
  readonly runId: string;
  readonly limit: FollowLimit;
  /** The limit that was reached, in ms. */
  readonly timeoutMs: number;
  /** The last state seen; undefined if no poll was answered. */
  readonly state: string | undefined;
  /** Whether the run was queued or running when last seen; undefined if it was never seen. */
  readonly phase: 'queue' | 'run' | undefined;

  constructor(facts: Overdue) {
    super(`run ${facts.runId} ${describeOverdue(facts)}`, { cause: facts.cause });
    this.runId = facts.runId;
    this.limit = facts.limit;
    this.timeoutMs = facts.timeoutMs;
    this.state = facts.state;
    this.phase = facts.phase;
  }
}

/** The server does not know the run, or no longer knows it. */
export class RunLostError extends AgentRunsError {
  override readonly name = 'RunLostError';
  readonly runId: string;
  /** The last state seen; undefined if the run was never seen. */
  readonly state: string | undefined;

  constructor(facts: { readonly runId: string; readonly state: string | undefined; readonly cause: Error }) {
    // If the run was never seen, the address may be wrong.
    const what =
      facts.state === undefined
        ? `is not known to the server: ${facts.cause.message}`
        : `is no longer known to the server; last state ${facts.state}`;
    super(`run ${facts.runId} ${what}`, { cause: facts.cause });
    this.runId = facts.runId;
    this.state = facts.state;
  }
}

/** It is unknown whether a create started a run. */
export class StartUnknownError extends AgentRunsError {
  override readonly name = 'StartUnknownError';
  /** Repeat the create with this key and the same body on a server that supports keys. */
  readonly idempotencyKey: string;

  constructor(facts: {
    readonly idempotencyKey: string;
    /** What went wrong with the create. */
    readonly cause: unknown;
    /** What the check afterwards found. */
    readonly afterwards?: string | undefined;
  }) {
    const then = facts.afterwards === undefined ? '' : `; then ${facts.afterwards}`;
    super(
      `it is unclear whether the run was started: ${messageOf(facts.cause)}${then}. Check the list of runs before you start it again (Idempotency-Key ${facts.idempotencyKey})`,
      { cause: facts.cause },
    );
    this.idempotencyKey = facts.idempotencyKey;
  }
}
