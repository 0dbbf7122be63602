/** What has to be known to go on with a conversation in its workspace. */
export interface Continuation {
  /** Of the agent program. */
  readonly sessionId: string;
  /** Repositories as they were cloned for the first run. */
  readonly clones: readonly KeptClone[];
  /** Before the first run began to work. */
  readonly baselines: readonly KeptBaseline[];
  /** Of the run itself, while it is BLOCKED: before it began, and what it used so far. */
  readonly own?: {
    readonly baselines: readonly KeptBaseline[];
    readonly usage: Readonly<Record<string, unknown>>;
  };
}

export interface KeptClone {
  readonly url: string;
  /** Below the workspace. */
  readonly path: string;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly usualBranch?: string | undefined;
}

/** A repository's files at one time: a tree of git's, and where git finds it. */
export interface KeptBaseline {
  /** Its folder below the workspace; `.` is the workspace itself. */
  readonly path: string;
  /** '' where git could not read it. */
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  /** Why it could not. */
  readonly fault?: string | undefined;
  /** What git said of paths that it could not read. */
  readonly refused?: readonly string[] | undefined;
  /** Repositories within it of which nothing is in the tree, for there were too many. */
  readonly leftOut?: readonly string[] | undefined;
  /** What the repository had beside its working tree. Undefined where that was not asked for. */
  readonly beside?: {
    /** The commit that was checked out; '' where there was none. */
    readonly head: string;
    /** Of other working trees, absolute. */
    readonly worktrees: readonly string[];
    /** Of branches and the stash, as far as they were not part of what was checked out. */
    readonly commits: readonly string[];
  };
}
