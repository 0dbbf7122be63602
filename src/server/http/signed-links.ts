import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

interface LinkParts {
  readonly secret: string;
  readonly clock: Clock;
}

/**
 * A browser cannot send a bearer key, so the link to a run's page carries a signed token: for this run only, to read only, with an end.
 * The end is rounded to whole periods so that a run's link stays the same for a while; it holds for at least one period.
 */
export interface SessionLinks {
  /** `/runs/{id}?token=…`, below the public address. */
  pathFor(runId: string): string;
  isValid(runId: string, token: string | undefined): boolean;
}

/** The address of a file carries a token of its own: whoever fetches a file need not have a key, and a log may show the address. */
export interface ArtifactLinks {
  /** `/artifacts/{uid}?token=…`, below the public address, and when it ends, in ms. */
  pathFor(artifactUid: string): { readonly path: string; readonly expiresAt: number };
  isValid(artifactUid: string, token: string | undefined): boolean;
}

const periodMs = 30 * 24 * 3_600_000;
const artifactMs = 3_600_000;

export function createSessionLinks({ secret, clock }: LinkParts): SessionLinks {
  const tokens = createTokens({ secret, clock });
  return {
    pathFor(runId) {
      const expiresAt = (Math.floor(clock.now() / periodMs) + 2) * periodMs;
      return `/runs/${runId}?token=${tokens.make(runId, expiresAt)}`;
    },
    isValid: tokens.isValid,
  };
}

export function createArtifactLinks({ secret, clock }: LinkParts): ArtifactLinks {
  const tokens = createTokens({ secret, clock });
  // No token for one kind of thing opens another.
  const nameOf = (uid: string) => `artifact ${uid}`;
  return {
    pathFor(uid) {
      const expiresAt = clock.now() + artifactMs;
      return { path: `/artifacts/${uid}?token=${tokens.make(nameOf(uid), expiresAt)}`, expiresAt };
    },
    isValid: (uid, token) => tokens.isValid(nameOf(uid), token),
  };
}

function createTokens({ secret, clock }: LinkParts) {
  const sign = (name: string, expiresAt: number) =>
    createHmac('sha256', secret).update(`${name}.${expiresAt}`).digest('base64url');
  return {
    make: (name: string, expiresAt: number) => `${expiresAt}.${sign(name, expiresAt)}`,
    isValid(name: string, token: string | undefined): boolean {
      const [expiry = '', signature = ''] = (token ?? '').split('.');
      const expiresAt = Number(expiry);
      const expected = Buffer.from(sign(name, expiresAt));
      const given = Buffer.from(signature);
      return given.length === expected.length && timingSafeEqual(given, expected) && expiresAt > clock.now();
    },
  };
}
