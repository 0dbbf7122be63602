/** How long GitHub is waited for: one deadline for all requests and waits of a use, and an end of it when the step has no more use for the answer. */
import type { Clock } from '../../base/clock.ts';
import { backoffMs } from '../../base/retry.ts';
import type { GitHubUse } from './github.ts';
import { type Failure, gitHubBackoff, isRepeatable, judgeFailure } from './retry.ts';

/** Without a word of GitHub about how long: what its documentation asks for. */
const usualLimitMs = 60_000;
/** What a wait of no named length leaves for the request that it was for. */
const reserveMs = 5000;
const maxAttempts = 6;

export interface Patience {
  /** Until the deadline, in milliseconds. */
  leftMs(): number;
  /** Why nothing more is to be asked; undefined while there is time. */
  whyOver(): string | undefined;
  /** Why what was under way was ended from outside; undefined where it was not. */
  whyStopped(): string | undefined;
  /** False when no time is left for it. */
  pause(waitMs: number): Promise<boolean>;
  /** Waits until the request can be sent again; false when it shall not be, or there is no time. */
  waitAfter(
    failure: Failure & { readonly isHopeless?: boolean },
    request: { readonly attempt: number; readonly operation: string },
  ): Promise<boolean>;
}

export function createPatience({
  clock,
  log,
  limitMs,
  signal,
  hurry,
}: GitHubUse & { readonly clock: Clock; readonly log: (line: string) => void }): Patience {
  const endsAt = clock.monotonicMs() + limitMs;
  const ends = AbortSignal.any([signal, hurry].filter(end => end !== undefined));
  const leftMs = (): number => endsAt - clock.monotonicMs();
  const whyStopped = (): string | undefined => {
    if (signal?.aborted === true) return 'the step is being stopped';
    return ends.aborted ? 'the step has ended' : undefined;
  };
  const pause = async (waitMs: number): Promise<boolean> => {
    if (ends.aborted || waitMs >= leftMs()) return false;
    // A sleep rejects with nothing but the end that whyOver names.
    await clock.sleep(waitMs, ends).catch(() => {});
    return !ends.aborted;
  };
  return {
    leftMs,
    whyStopped,
    whyOver: () =>
      whyStopped() ?? (leftMs() > 0 ? undefined : `the limit of ${Math.ceil(limitMs / 1000)} s was reached`),
    pause,
    async waitAfter(failure, { attempt, operation }) {
      const judgement = judgeFailure(failure, clock.now());
      if (failure.isHopeless === true || judgement.kind === 'final' || attempt + 1 >= maxAttempts) return false;
      if (judgement.kind === 'unknown')
        return isRepeatable(failure.method) && (await pause(backoffMs(attempt, gitHubBackoff)));
      const waitMs = Math.max(judgement.waitMs ?? Math.min(usualLimitMs, leftMs() - reserveMs), 100);
      if (waitMs < leftMs() && !ends.aborted)
        log(`GitHub limits the rate of ${operation}. Trying again in ${Math.ceil(waitMs / 1000)} s`);
      return await pause(waitMs);
    },
  };
}
