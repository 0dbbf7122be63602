import type { ArtifactType } from '../../contract/artifacts.ts';
import type { AgentConfig } from '../../contract/config.ts';
import type { EventDraft, RunEvent } from '../../contract/events.ts';
import type { ListQuery } from '../../contract/list-query.ts';
import type { StatusMessage } from '../../contract/run.ts';
import type { RunText } from '../../contract/tables/run-text.ts';
import type { RunSource } from '../../contract/tables/source.ts';
import type { RunState } from '../../contract/tables/state.ts';
import type { Continuation } from './continuation.ts';

/** A run as it is kept. Times are milliseconds since the epoch, by the database's clock. */
export interface StoredRun {
  readonly runId: string;
  readonly state: RunState;
  /** Raised by every claim; a worker's writes name it, so that a worker that was given up cannot write. */
  readonly attempt: number;
  /** Moves with state, message, result, artifacts, skill and cancel request; not with log lines or lease renewals. */
  readonly version: number;
  readonly title: string;
  readonly prompt: string;
  readonly config: AgentConfig;
  readonly skill: RunSkill | undefined;
  readonly source: RunSource;
  readonly triggerUrl: string | undefined;
  readonly metadata: Readonly<Record<string, string>> | undefined;
  readonly checkout: Checkout | undefined;
  /** That of the conversation's first run. */
  readonly conversationId: string;
  /** By what an agent goes on: of the run before, then of this one as soon as its agent has told its session. */
  readonly continuation: Continuation | undefined;
  /** Whether the agent is told how to ask. */
  readonly isInteractive: boolean;
  /** What a run was told that was BLOCKED; not in lists. */
  readonly followup: string | undefined;
  readonly creator: RunCreator;
  readonly statusMessage: StatusMessage | undefined;
  readonly result: StoredResult | undefined;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly startedAt: number | undefined;
  readonly finishedAt: number | undefined;
  /** By the worker's steady clock, without the time that the run was BLOCKED. Undefined until a worker has said so. */
  readonly workedMs: number | undefined;
  readonly cancelRequestedAt: number | undefined;
  /** Why the run is being canceled; becomes its message. */
  readonly cancelReason: string | undefined;
  readonly leaseSeconds: number | undefined;
  readonly leaseExpiresAt: number | undefined;
  readonly artifacts: readonly StoredArtifact[];
  readonly lastSeq: number;
}

/** A thing that a run left behind: its kind and what there is to say of it, by `contract/artifacts.ts`. */
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

/** What to check out, as the create said it. */
export interface Checkout {
  readonly repository?: string | undefined;
  readonly ref?: string | undefined;
  readonly sha?: string | undefined;
}

export interface RunCreator {
  readonly uid: string;
  readonly displayName: string;
}

/** `text` is what stands on the run; the whole text is read on its own. */
interface StoredResult {
  readonly text: string;
  readonly truncated: boolean;
  /** Of its beginning, in bytes of UTF-8; not there where all of it is kept. */
  readonly left_out_bytes?: number | undefined;
  /** What satisfied the run's `output_schema`. */
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
  /** Undefined: the run begins one of its own. */
  readonly conversation?: { readonly id: string; readonly continuation: Continuation } | undefined;
  readonly isInteractive?: boolean | undefined;
  readonly creator: RunCreator;
  readonly leaseSeconds?: number | undefined;
  /** The scope of the key is the creator. `bodyHash` tells a repeated request from another one. */
  readonly idempotency?: { readonly key: string; readonly bodyHash: string } | undefined;
}

export type CreateOutcome =
  | { readonly kind: 'created' | 'replayed'; readonly run: StoredRun }
  | { readonly kind: 'key_conflict'; readonly runId: string }
  /** A run of the conversation is not over. */
  | { readonly kind: 'conversation_busy'; readonly run: StoredRun };

/** A message to a run that is BLOCKED. The scope of the key is run and sender. */
export interface NewFollowup {
  readonly message: string;
  readonly creatorUid: string;
  readonly idempotency?: NewRun['idempotency'];
}

export type FollowupOutcome = 'sent' | 'replayed' | 'key_conflict' | 'not_blocked';

export type CancelOutcome = 'cancelled' | 'requested' | 'over' | 'unknown';

/** How a worker says that its run ended. */
export interface RunEnding {
  /**
   * BLOCKED is no end: the run waits for a follow-up, and its message is the question. QUEUED puts the run back: its agent could not be started
   * now, and its message says why.
   */
  readonly state: 'SUCCEEDED' | 'FAILED' | 'ERROR' | 'CANCELLED' | 'BLOCKED' | 'QUEUED';
  readonly statusMessage?: StatusMessage | undefined;
  readonly result?: RunText | undefined;
  /** JSON that satisfies the run's `output_schema`; undefined for a run without one. */
  readonly structured?: unknown;
  readonly artifacts?: readonly ArtifactDraft[] | undefined;
  /** How long the worker had the run, by a clock that does not jump. */
  readonly workedMs?: number | undefined;
}

/** Who writes: a claim of a run. A write by a claim that is not the run's present one, or after its end, changes nothing. */
export interface Claim {
  readonly runId: string;
  readonly attempt: number;
}

export interface RunListPage {
  readonly runs: readonly StoredRun[];
  readonly nextCursor: string | undefined;
}

/** What of a list's query the store answers: aliases are resolved, and filters that no run can pass have not come so far. */
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

/** A cursor that this store did not make, or made for another order. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
}

/**
 * What the server keeps. With the end of a run the keys of its MCP servers are forgotten. One call is one unit: it happens whole or not at all, and what it acknowledges survives a crash. Every
 * change of state is refused unless `contract/tables/state.ts` allows it, in the statement that writes it; every change of state appends a `state` event
 * in the same unit.
 */
export interface RunStore {
  /** Makes a QUEUED run, or answers with the run that the same caller made with the same idempotency key. */
  createRun(run: NewRun): Promise<CreateOutcome>;
  /** What `createRun` would say of a key that was used before; undefined for a new one. */
  findCreated(creatorUid: string, idempotency: NonNullable<NewRun['idempotency']>): Promise<CreateOutcome | undefined>;
  readRun(runId: string): Promise<StoredRun | undefined>;
  /** The newest run of a conversation, which is the only one that may not be over. */
  findNewest(conversationId: string): Promise<StoredRun | undefined>;
  /** The newest run that has this session of an agent. */
  findSession(sessionId: string): Promise<StoredRun | undefined>;
  /** The whole text of the result, or undefined where there is no run or no result. */
  readResult(runId: string): Promise<string | undefined>;
  /** Keyset paging with the id as tie-breaker. Throws BadCursorError. */
  listRuns(filter: RunFilter): Promise<RunListPage>;
  countRuns(state: RunState): Promise<number>;

  /** The oldest QUEUED run moves to INPROGRESS with its attempt raised by one; undefined when none waits. Two claims never get one run. */
  claimRun(): Promise<StoredRun | undefined>;
  /** Says which skill a claimed run works with; `skillId` is its `owner/repo:path`. False when the claim no longer holds. */
  describeSkill(claim: Claim, skill: RunSkill, skillId?: string): Promise<boolean>;
  /** When the last run of each skill began, by its `owner/repo:path` as it was given; those that no run had are left out. The case of letters does not count. */
  findLastRuns(skillIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** Says by what the conversation of a claimed run goes on. False when the claim no longer holds. */
  noteContinuation(claim: Claim, continuation: Continuation): Promise<boolean>;
  /** Appends to the run's event log, numbered without gaps. False when the claim no longer holds. */
  appendEvents(claim: Claim, events: readonly EventDraft[]): Promise<boolean>;
  /** Ends a claimed run. A run whose cancelling was asked for ends CANCELLED whatever the worker says. False when the claim no longer holds. */
  finishRun(claim: Claim, ending: RunEnding): Promise<boolean>;
  /** The run that left the artifact with this `artifact_uid`. */
  findArtifact(artifactUid: string): Promise<{ readonly runId: string; readonly artifact: StoredArtifact } | undefined>;
  /** Events with `seq > after`, at most `limit`, in order. */
  readEvents(runId: string, after: number, limit: number): Promise<readonly RunEvent[]>;
  /** What the run has used, by its usage events; undefined where it has none. */
  readUsage(runId: string): Promise<Readonly<Record<string, unknown>> | undefined>;

  /** A BLOCKED run is QUEUED again, with what it is told. */
  sendFollowup(runId: string, followup: NewFollowup): Promise<FollowupOutcome>;
  /** A run that is QUEUED or BLOCKED is CANCELLED at once; one in progress gets a cancel request, which its worker sees. */
  requestCancel(runId: string, reason: string): Promise<CancelOutcome>;

  /** Prolongs the lease from now; the new end, or undefined where the run is over, unknown or without a lease and `leaseSeconds` is not given. */
  renewLease(runId: string, leaseSeconds?: number): Promise<number | undefined>;
  /** Takes the lease, if there is one, off a run that goes on. False where the run is over, being canceled or unknown. */
  releaseLease(runId: string): Promise<boolean>;
  /** Asks to cancel every open run whose lease ran out; their ids. Each run once. */
  cancelLapsedLeases(): Promise<readonly string[]>;
  /** Gives every open lease one full period again: at start, so that a restart cancels nobody. */
  restartLeases(): Promise<void>;
  /** Ends every run that is INPROGRESS as ERROR, resource_unavailable, retryable: at start, when its worker is certainly gone. Their ids. */
  endOrphans(message: string): Promise<readonly string[]>;

  addKey(key: StoredKey): Promise<void>;
  listKeys(): Promise<readonly StoredKey[]>;
  /** The value kept under `name`; `initial` is kept and returned when there is none yet. */
  readOrKeepSetting(name: string, initial: string): Promise<string>;

  /** Why nothing can be written now: looks at the space on the disk, and writes. Undefined where it worked. */
  findWriteFault(): Promise<string | undefined>;

  /** Called with the run's id after a commit that changed it (its row, or its events). Returns how to stop listening. */
  onChange(listener: (runId: string) => void): () => void;
  /** Waits for writes in hand, then closes. */
  close(): Promise<void>;
}
