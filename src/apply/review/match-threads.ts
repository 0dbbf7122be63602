/** Which findings stand already, in threads of earlier reviews, and which threads have lost their finding. */
import type { PlacedFinding } from './findings.ts';
import type { OwnThread } from './standing-review.ts';

export interface Matches {
  /** Each with its thread, which is not repeated. */
  readonly standing: readonly { readonly placed: PlacedFinding; readonly thread: OwnThread }[];
  /** Findings whose thread a person resolved. They are not raised again. */
  readonly settled: readonly PlacedFinding[];
  readonly fresh: readonly PlacedFinding[];
  /** Open threads without a finding. */
  readonly gone: readonly OwnThread[];
}

/**
 * First by text, then by place: an agent rarely finds the same words twice. GitHub moves a thread's line with the code.
 */
export function matchThreads(findings: readonly PlacedFinding[], threads: readonly OwnThread[]): Matches {
  // A thread that this action resolved is over. If its finding comes back, it gets a new one.
  const left = new Set(threads.filter(({ isResolved, isGone }) => !(isResolved && isGone)));
  const found = new Map<PlacedFinding, OwnThread>();
  for (const isSame of [isSameFinding, isSameText, isSamePlace])
    for (const placed of findings) {
      if (found.has(placed)) continue;
      const thread = [...left].find(each => isSame(placed, each));
      if (thread === undefined) continue;
      found.set(placed, thread);
      left.delete(thread);
    }
  const pairs = [...found].map(([placed, thread]) => ({ placed, thread }));
  return {
    standing: pairs.filter(({ thread }) => !thread.isResolved),
    settled: pairs.filter(({ thread }) => thread.isResolved).map(({ placed }) => placed),
    fresh: findings.filter(placed => !found.has(placed)),
    gone: [...left].filter(({ isResolved, isGone, canResolve }) => !isResolved && !(isGone && !canResolve)),
  };
}

function isSameFinding(placed: PlacedFinding, thread: OwnThread): boolean {
  return isSameText(placed, thread) && isSamePlace(placed, thread);
}

function isSameText({ hash }: PlacedFinding, thread: OwnThread): boolean {
  return hash === thread.hash;
}

/** What a person resolved settles only the same words: another finding on that line is a new one. */
function isSamePlace({ comment }: PlacedFinding, { path, side, line, isResolved }: OwnThread): boolean {
  return !isResolved && comment?.path === path && comment.side === side && comment.line === line;
}
