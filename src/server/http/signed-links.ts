import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';

interface LinkParts {
  readonly secret: string;
  readonly clock: Clock;
}

/**
 * Signed links to a run's page, because a browser cannot send a bearer key. The token allows reading this run until
 * it expires. Its end is rounded to whole periods, so the link stays the same for a while. It is valid for at least
 * one period.
 */
export interface SessionLinks {
  /** `/runs/{id}?token=…`, relative to the public address. */
  pathFor(runId: string): string;
  isValid(runId: string, token: string | undefined): boolean;
}

/** The address of a file has its own token: a download needs no key, and logs may contain the address. */
export interface ArtifactLinks {
  /** `/artifacts/{uid}?token=…`, relative to the public address, and its expiry in ms. */
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
  // A token for one kind of object must not open another kind.
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
