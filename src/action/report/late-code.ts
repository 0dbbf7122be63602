import type { ReportInputs } from '../inputs/inputs.ts';

/**
 * Loads the code that the end of a step imports. An agent with the step's own user can rewrite the action's files
 * while it works. Code loaded before that is not read again.
 */
export async function loadLateCode({ review }: Pick<ReportInputs, 'review'>): Promise<void> {
  await Promise.all([
    review === 'on' && import('../../apply/review-in-step.ts'),
    import('./comment.ts'),
    import('./summary/summary.ts'),
    import('../github/comments.ts'),
    import('../github/event.ts'),
    import('../github/github-error.ts'),
    // The toolkit fails to load if the event is not JSON. A step that needs GitHub reports it.
    import('../github/github.ts').catch(() => {}),
  ]);
}
