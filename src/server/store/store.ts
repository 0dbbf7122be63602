import type { ArtifactType } from '../../contract/artifacts.ts';
import type { AgentConfig } from '../../contract/config.ts';
import type { EventDraft, RunEvent } from '../../contract/events.ts';
import type { ListQuery } from '../../contract/list-query.ts';
import type { StatusMessage } from '../../contract/run.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import type { RunSource } from '../../contract/tables/source.ts';
import type { RunState } from '../../contract/tables/state.ts';
import type { Continuation } from './continuation.ts';

/** A stored run. Times are milliseconds since the epoch, by the database's clock. */
export interface StoredRun {
  readonly runId: string;
  readonly state: RunState;
  /** Raised by every claim. Writes must name it, so that a worker that lost its run cannot write. */
  readonly attempt: number;
  /**
   * Raised by a change of state, message, result, artifacts, skill or cancel request. Not by logs or lease renewals.
   */
  readonly version: number;
  readonly title: string;
  readonly prompt: string;
  readonly config: AgentConfig;
  readonly skill: RunSkill | undefined;
  readonly source: RunSource;
  readonly triggerUrl: string | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly checkout: Checkout | undefined;
  /** The id of the conversation's first run. */
  readonly conversationId: string;
  /** How an agent continues: first from the previous run, then from this run once its agent has reported a session. */
  readonly continuation: Continuation | undefined;
  /** Whether the agent is told how to ask questions. */
  readonly isInteractive: boolean;
  /** The follow-up to a BLOCKED run. Not in lists. */
  readonly followup: string | undefined;
  readonly creator: RunCreator;
  readonly statusMessage: StatusMessage | undefined;
  readonly result: StoredResult | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** By the worker's monotonic clock, without time in BLOCKED. Undefined until a worker has reported it. */
  readonly workedMs: number | undefined;
  readonly cancelRequestedAt: number | undefined;
  /** Why the run is being canceled; becomes its message. */
  readonly cancelReason: string | undefined;
  readonly leaseSeconds: number | undefined;
  readonly leaseExpiresAt: number | undefined;
  readonly artifacts: readonly StoredArtifact[];
  readonly lastSeq: number;
}

/** An artifact before it has an id: its kind and data, by `contract/artifacts.ts`. */
export interface ArtifactDraft {
  readonly type: ArtifactType;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface StoredArtifact extends ArtifactDraft {
  readonly createdAt: number;
}

export interface RunSkill {
  readonly name: string;
  readonly description?: string;
  readonly full_path?: string;
}

/** What to check out, as in the create request. */
export interface Checkout {
  readonly repository?: string | undefined;
  readonly ref?: string | undefined;
  readonly sha?: string | undefined;
}

export interface RunCreator {
  readonly uid: string;
  readonly displayName: string;
}

/** `text` is the part in the run. The whole text is read separately. */
interface StoredResult {
  readonly text: string;
  readonly truncated: boolean;
  /** Omitted beginning, in bytes of UTF-8. Absent if the text is complete. */
  readonly left_out_bytes?: number | undefined;
  /** JSON that satisfies the run's `output_schema`. */
  readonly structured?: unknown;
}

export interface NewRun {
  readonly title: string;
  readonly prompt: string;
  readonly config: AgentConfig;
  readonly source: RunSource;
  readonly triggerUrl?: string | undefined;
  readonly metadata?: Readonly<Record<string, string>> | undefined;
  readonly checkout?: Checkout | undefined;
  /** Undefined begins a new conversation. */
  readonly conversation?: { readonly id: string; readonly continuation: Continuation } | undefined;
  readonly isInteractive?: boolean | undefined;
  readonly creator: RunCreator;
  readonly leaseSeconds?: number | undefined;
  /** A key is scoped to its creator. `bodyHash` distinguishes a repeated request from a different one. */
  readonly idempotency?: { readonly key: string; readonly bodyHash: string } | undefined;
}

export type CreateOutcome =
  | { readonly kind: 'created' | 'replayed'; readonly run: StoredRun }
  | { readonly kind: 'key_conflict'; readonly runId: string }
  /** Another run of the conversation is still open. */
  | { readonly kind: 'conversation_busy'; readonly run: StoredRun };

/** A message to a BLOCKED run. A key is scoped to run and sender. */
export interface NewFollowup {
  readonly message: string;
  readonly creatorUid: string;
  readonly idempotency?: NewRun['idempotency'];
}

export type FollowupOutcome = 'sent' | 'replayed' | 'key_conflict' | 'not_blocked';

export type CancelOutcome = 'cancelled' | 'requested' | 'over' | 'unknown';

/** How a worker reports its run's end. */
export interface RunEnding {
  /**
   * BLOCKED is not an end: the run waits for a follow-up, and its message is the question. QUEUED puts the run back,
   * because its agent could not start now. Its message says why.
   */
  readonly state: 'SUCCEEDED' | 'FAILED' | 'ERROR' | 'CANCELLED' | 'BLOCKED' | 'QUEUED';
  readonly statusMessage?: StatusMessage | undefined;
  readonly result?: RunText | undefined;
  /** JSON that satisfies the run's `output_schema`; undefined without a schema. */
  readonly structured?: unknown;
  readonly artifacts?: readonly ArtifactDraft[] | undefined;
  /** Time with this worker, by a monotonic clock. */
  readonly workedMs?: number | undefined;
}

/** Identifies a claim of a run. Writes by an outdated claim, or after the run's end, change nothing. */
export interface Claim {
  readonly runId: string;
  readonly attempt: number;
}

export interface RunListPage {
  readonly runs: readonly StoredRun[];
  readonly nextCursor: string | undefined;
}

/** The store's part of a list query. Aliases are resolved, and filters that match no run are answered already. */
export type RunFilter = Pick<
  ListQuery,
  | 'state'
  | 'name'
  | 'model_id'
  | 'creator'
  | 'source'
  | 'skill_spec'
  | 'environment_id'
  | 'q'
  | 'metadata'
  | 'artifact_type'
  | 'limit'
  | 'cursor'
  | 'sort_by'
  | 'sort_order'
> & {
  readonly createdAfter?: number | undefined;
  readonly createdBefore?: number | undefined;
  readonly updatedAfter?: number | undefined;
};

export interface StoredKey {
  readonly keyId: string;
  readonly name: string;
  readonly hash: string;
}

/** The cursor was not made by this store, or was made for another order. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
}

/**
 * Persistent storage of runs. Each call is one atomic unit, and what it acknowledges survives a crash.
 * `contract/tables/state.ts` lists the allowed changes of state. The writing statement checks them, and each change
 * appends a `state` event in the same unit. A run's end removes the keys of its MCP servers.
 */
export interface RunStore {
  /** Creates a QUEUED run, or returns the run that the same caller created with the same idempotency key. */
  createRun(run: NewRun): Promise<CreateOutcome>;
  /** The outcome of `createRun` for a used key; undefined for a new one. */
  findCreated(creatorUid: string, idempotency: NonNullable<NewRun['idempotency']>): Promise<CreateOutcome | undefined>;
  readRun(runId: string): Promise<StoredRun | undefined>;
  /** Finds the newest run of a conversation. Only this one may be open. */
  findNewest(conversationId: string): Promise<StoredRun | undefined>;
  /** Finds the newest run with this agent session. */
  findSession(sessionId: string): Promise<StoredRun | undefined>;
  /** Reads the whole result; undefined if the run or its result does not exist. */
  readResult(runId: string): Promise<string | undefined>;
  /**
   * Keyset paging with the id as tie-breaker. A list without an index reads all runs, but lets other work in between;
   * the signal ends it with the signal's reason. Throws BadCursorError.
   */
  listRuns(filter: RunFilter, signal?: AbortSignal): Promise<RunListPage>;

  /** Moves the oldest QUEUED run to INPROGRESS and raises its attempt; undefined if none. No run is claimed twice. */
  claimRun(): Promise<StoredRun | undefined>;
  /** Stores the skill of a claimed run. `skillId` is its `owner/repo:path`. False if the claim no longer holds. */
  describeSkill(claim: Claim, skill: RunSkill, skillId?: string): Promise<boolean>;
  /** Start of each skill's last run, by `owner/repo:path` as given, ignoring case. Skills without runs are omitted. */
  findLastRuns(skillIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Stores how the conversation of a claimed run continues. False if the claim no longer holds. */
  noteContinuation(claim: Claim, continuation: Continuation): Promise<boolean>;
  /** Appends to the run's event log, numbered without gaps. False if the claim no longer holds. */
  appendEvents(claim: Claim, events: readonly EventDraft[]): Promise<boolean>;
  /** Ends a claimed run, as CANCELLED if a cancel was requested. False if the claim no longer holds. */
  finishRun(claim: Claim, ending: RunEnding): Promise<boolean>;
  /** Finds the run that made the artifact with this `artifact_uid`. */
  findArtifact(artifactUid: string): Promise<{ readonly runId: string; readonly artifact: StoredArtifact } | undefined>;
  /** Events with `seq > after`, at most `limit`, in order. */
  readEvents(runId: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /** Sums up the run's usage events; undefined if it has none. */
  readUsage(runId: string): Promise<Readonly<Record<string, unknown>> | undefined>;

  /** Queues a BLOCKED run again with the follow-up. */
  sendFollowup(runId: string, followup: NewFollowup): Promise<FollowupOutcome>;
  /** Cancels a QUEUED or BLOCKED run at once. A run in progress gets a cancel request for its worker. */
  requestCancel(runId: string, reason: string): Promise<CancelOutcome>;

  /**
   * Extends the lease from now and returns its new end. Undefined if the run is over or unknown, or has no lease and
   * `leaseSeconds` is omitted.
   */
  renewLease(runId: string, leaseSeconds?: number): Promise<number | undefined>;
  /** Removes an open run's lease, if any. False if the run is over, being canceled or unknown. */
  releaseLease(runId: string): Promise<boolean>;
  /** Requests the cancel of every open run with an expired lease, each run once, in several units. Returns their ids. */
  cancelLapsedLeases(): Promise<readonly string[]>;
  /** Gives every open lease a full period at startup, in several units, so that a restart cancels no run. */
  restartLeases(): Promise<void>;
  /**
   * Ends every INPROGRESS run as ERROR, resource_unavailable, retryable, when no worker is left. Returns their ids.
   */
  endOrphans(message: string): Promise<readonly string[]>;

  addKey(key: StoredKey): Promise<void>;
  listKeys(): Promise<readonly StoredKey[]>;
  /** Returns the value stored under `name`. Stores and returns `initial` if there is none. */
  readOrKeepSetting(name: string, initial: string): Promise<string>;

  /** Checks the free space, then writes. Returns why nothing can be written, or undefined. */
  findWriteFault(): Promise<string | undefined>;

  /** Calls the listener with the run's id after a commit that changed it. Returns a function that stops it. */
  onChange(listener: (runId: string) => void): () => void;
  /** Waits for pending writes, then closes. */
  close(): Promise<void>;
}
