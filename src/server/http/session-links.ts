import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

/**
 * A browser cannot send a bearer key, so the link to a run's page carries a signed token: for this run only, to read only, with an end.
 * The end is rounded to whole periods so that a run's link stays the same for a while; it holds for at least one period.
 */
export interface SessionLinks {
  /** `/runs/{id}?token=…`, below the public address. */
  pathFor(runId: string): string;
  isValid(runId: string, token: string | undefined): boolean;
}

const periodMs = 30 * 24 * 3_600_000;

export function createSessionLinks({
  secret,
  clock,
}: {
  readonly secret: string;
  readonly clock: Clock;
}): SessionLinks {
  const sign = (runId: string, expiresAt: number) =>
    createHmac('sha256', secret).update(`${runId}.${expiresAt}`).digest('base64url');
  return {
    pathFor(runId) {
      const expiresAt = (Math.floor(clock.now() / periodMs) + 2) * periodMs;
      return `/runs/${runId}?token=${expiresAt}.${sign(runId, expiresAt)}`;
    },
    isValid(runId, token) {
      const [expiry = '', signature = ''] = (token ?? '').split('.');
      const expiresAt = Number(expiry);
      const expected = Buffer.from(sign(runId, expiresAt));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected) && expiresAt > clock.now();
    },
  };
}
