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

/** A repository before an agent began; `path` is its folder below the workspace, `.` the workspace itself. */
export type KeptBaseline = { readonly path: string } & (TreeBefore | { readonly fault: string });

/** Its files as a tree of git's, and where git finds it. */
export interface TreeBefore {
  readonly tree: string;
  readonly env: Readonly<Record<string, string>>;
  /** Names of work in the repository that is not in the tree: other worktrees, branches, paths that git refused. */
  readonly outside: readonly string[];
}
