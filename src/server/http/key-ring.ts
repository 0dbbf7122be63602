import { hash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { RunCreator, RunStore, StoredKey } from '../store/store.ts';

/** Accepted keys: the environment's key, and keys that the store keeps as hashes. */
export interface KeyRing {
  /** Returns the caller for an `Authorization` header; undefined for any invalid one. */
  findCaller(authorization: string | undefined): RunCreator | undefined;
  /** If there is no key, creates one and stores its hash. The key itself is returned only this once. */
  makeFirstKey(): Promise<string | undefined>;
  /** Whether the store has a key of an earlier start. */
  readonly hasFirstKey: boolean;
  /** For commands on this machine. It is not stored and ends with this ring. */
  readonly localKey: string;
}

/** The caller with the environment's key. */
export const environmentUid = 'env';

export async function openKeyRing(store: RunStore, environmentKey: string | undefined): Promise<KeyRing> {
  const keys = [...(await store.listKeys())];
  const hasFirstKey = keys.length > 0;
  if (environmentKey !== undefined)
    keys.push({ keyId: environmentUid, name: 'environment', hash: hashKey(environmentKey) });
  const local = makeKey('local command');
  return {
    hasFirstKey,
    localKey: local.key,
    findCaller: authorization => findCaller([...keys, local.kept], authorization),
    async makeFirstKey() {
      if (keys.length > 0) return undefined;
      const { key, kept } = makeKey('first key');
      await store.addKey(kept);
      keys.push(kept);
      return key;
    },
  };
}

function findCaller(keys: readonly StoredKey[], authorization: string | undefined): RunCreator | undefined {
  const key = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
  if (key === undefined) return undefined;
  const given = Buffer.from(hashKey(key));
  // Compares all keys, each in constant time, so that timing reveals nothing.
  const matching = keys.filter(kept => timingSafeEqual(Buffer.from(kept.hash), given));
  return matching[0] && { uid: matching[0].keyId, displayName: matching[0].name };
}

function makeKey(name: string): { key: string; kept: StoredKey } {
  const key = `ar-${randomBytes(32).toString('base64url')}`;
  return { key, kept: { keyId: uuidv7(), name, hash: hashKey(key) } };
}

/** A key has 256 random bits, so a plain hash is as good as a slow one. */
function hashKey(key: string): string {
  return hash('sha256', key);
}
