/**
 * Loads the code that the end of a step imports. An agent of the step's own user can rewrite the action's files while it works, and what is loaded
 * before is not read again.
 */
export async function loadLateCode(): Promise<void> {
  await Promise.all([
    import('./comment.ts'),
    import('./summary/summary.ts'),
    import('../github/comments.ts'),
    import('../github/event.ts'),
    import('../github/github-error.ts'),
    // The toolkit fails to load where the event is not JSON. A step that asks GitHub says so.
    import('../github/github.ts').catch(() => {}),
  ]);
}
