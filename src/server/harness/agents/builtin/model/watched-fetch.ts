import type { Clock } from '../../../../../base/clock.ts';
import { refuseRedirect, watchAnswer } from '../../../../../border/answers.ts';

/** How long an endpoint may be silent. Local ones load a model before their first byte. */
export interface SilenceLimits {
  readonly firstByteMs: number;
  readonly nextByteMs: number;
}

export const silenceLimits: SilenceLimits = { firstByteMs: 240_000, nextByteMs: 120_000 };

/** The endpoint sent nothing for too long, and the connection was closed. */
export class SilenceError extends Error {
  override readonly name = 'SilenceError';
}

interface WatchParts {
  readonly clock: Clock;
  readonly limits: SilenceLimits;
  /** Called when data arrives. */
  readonly onByte: () => void;
}

/**
 * A `fetch` that rejects with a SilenceError when the endpoint is silent for too long, and with a RedirectError
 * instead of following a redirect. Any byte counts as activity, even a ping.
 */
export function createWatchedFetch({ clock, limits, onByte }: WatchParts): typeof globalThis.fetch {
  return async (input, init) => {
    const silence = watchSilence(clock, limits.firstByteMs);
    const signals = [silence.signal, ...(init?.signal ? [init.signal] : [])];
    try {
      const response = await fetch(input, { ...init, redirect: 'manual', signal: AbortSignal.any(signals) });
      await refuseRedirect(response, 'and the key is not sent to another address');
      const onChunk = (): void => {
        silence.expect(limits.nextByteMs);
        onByte();
      };
      return watchAnswer(response, { onChunk, onEnd: silence.stop });
    } catch (error) {
      silence.stop();
      throw error;
    }
  };
}

interface Silence {
  /** Aborted with a SilenceError. */
  readonly signal: AbortSignal;
  /** The next data must arrive within `ms` from now. */
  readonly expect: (ms: number) => void;
  readonly stop: () => void;
}

function watchSilence(clock: Clock, firstMs: number): Silence {
  const silent = new AbortController();
  const over = new AbortController();
  let waitMs = firstMs;
  let sinceMs = clock.monotonicMs();
  const look = async (): Promise<void> => {
    for (;;) {
      const leftMs = sinceMs + waitMs - clock.monotonicMs();
      if (leftMs <= 0) return silent.abort(new SilenceError(`nothing came for ${waitMs / 1000} seconds`));
      await clock.sleep(leftMs, over.signal);
    }
  };
  look().catch(() => {});
  return {
    signal: silent.signal,
    expect(ms) {
      waitMs = ms;
      sinceMs = clock.monotonicMs();
    },
    stop: () => over.abort(),
  };
}
