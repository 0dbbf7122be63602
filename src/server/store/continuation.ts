/** What the next run needs to continue a conversation in its workspace. */
export interface Continuation {
  /** The agent program's session. */
  readonly sessionId: string;
  /** Repositories as they were cloned for the first run. */
  readonly clones: readonly KeptClone[];
  /** State before the first run's agent began. */
  readonly baselines: readonly KeptBaseline[];
  /** Set while the run is BLOCKED: its state before it began, and what it has used so far. */
  readonly own?: {
    readonly baselines: readonly KeptBaseline[];
    readonly usage: Readonly<Record<string, unknown>>;
  };
}

export interface KeptClone {
  readonly url: string;
  /** Relative to the workspace. */
  readonly path: string;
  readonly commit?: string | undefined;
  readonly branch?: string | undefined;
  readonly usualBranch?: string | undefined;
}

/** A repository before an agent began. `path` is its folder below the workspace; `.` is the workspace itself. */
export type KeptBaseline = { readonly path: string } & (TreeBefore | { readonly fault: string });

/** The files as a git tree, and the git folder. */
export interface TreeBefore {
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  /** Change time of the settings of a sparse checkout, if there is one. */
  readonly sparseMs?: number | undefined;
  /** Names of work that the tree does not contain: other worktrees, branches, paths that git refused. */
  readonly outside: readonly string[];
}
