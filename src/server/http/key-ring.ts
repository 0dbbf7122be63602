import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { v7 as uuidv7 } from 'uuid';
import type { RunCreator, RunStore, StoredKey } from '../store/store.ts';

/** Who may call: the key of the environment and the keys that the store keeps as hashes. */
export interface KeyRing {
  /** The caller behind an `Authorization` header, or undefined; never says why. */
  findCaller(authorization: string | undefined): RunCreator | undefined;
  /** Where there is no key at all: makes one, keeps its hash and hands out the key itself, this once. */
  makeFirstKey(): Promise<string | undefined>;
  /** Whether the store keeps a key of an earlier start. */
  readonly hasFirstKey: boolean;
  /** For commands on this machine. It is kept nowhere and ends with this ring. */
  readonly localKey: string;
}

/** The caller that has the key of the environment. */
export const environmentUid = 'env';

/** The keys that the store keeps, and that of the environment. */
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
  const hash = Buffer.from(hashKey(key));
  // All keys are compared, each in constant time, so that the time tells nothing.
  const matching = keys.filter(kept => timingSafeEqual(Buffer.from(kept.hash), hash));
  return matching[0] && { uid: matching[0].keyId, displayName: matching[0].name };
}

function makeKey(name: string): { key: string; kept: StoredKey } {
  const key = `ar-${randomBytes(32).toString('base64url')}`;
  return { key, kept: { keyId: uuidv7(), name, hash: hashKey(key) } };
}

/** A key has 256 random bits, so a plain hash is as good as a slow one. */
function hashKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}
