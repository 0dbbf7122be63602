import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isObject } from '../../base/json.ts';
import { isBlob } from './github-api.ts';
import type { TreeSkill } from './github-tree.ts';

/** The skills of a repository at one commit. */
export interface Snapshot {
  readonly commit: string;
  /** Of the answer that named the commit. */
  readonly etag: string | undefined;
  /** False where the repository has more files than GitHub lists. */
  readonly isWhole: boolean;
  readonly skills: readonly TreeSkill[];
}

/** What was read of repositories, in memory and below a folder, so that a restart asks for no more than what changed. */
export interface GitHubCache {
  readSnapshot(repository: string): Promise<Snapshot | undefined>;
  /** Also removes files that no skill of the snapshot has, and no run that is being set up can need. */
  keepSnapshot(repository: string, snapshot: Snapshot): Promise<void>;
  /** The file that git knows by this id, or undefined. */
  readBlob(repository: string, sha: string): Promise<Uint8Array | undefined>;
  keepBlob(repository: string, sha: string, bytes: Uint8Array): Promise<void>;
}

/** Moves with the shape of what is kept: another version's is not read. */
const version = 1;
const inMemoryMax = 100;
const unusedMs = 24 * 60 * 60_000;
const snapshotFile = 'snapshot.json';

/** `folder` is made when there is something to keep. What cannot be read there counts as not there. */
export function createGitHubCache(folder: string): GitHubCache {
  const snapshots = new Map<string, Snapshot>();
  const at = (repository: string, ...parts: readonly string[]) => join(folder, repository.toLowerCase(), ...parts);
  const write = async (repository: string, parts: readonly string[], content: string | Uint8Array) => {
    await mkdir(at(repository, ...parts.slice(0, -1)), { recursive: true, mode: 0o700 });
    const made = at(repository, `${randomUUID()}.tmp`);
    await writeFile(made, content, { mode: 0o600 });
    await rename(made, at(repository, ...parts));
  };
  const remember = (repository: string, snapshot: Snapshot): Snapshot => {
    const key = repository.toLowerCase();
    snapshots.delete(key);
    snapshots.set(key, snapshot);
    const [oldest] = snapshots.keys();
    if (snapshots.size > inMemoryMax && oldest !== undefined) snapshots.delete(oldest);
    return snapshot;
  };
  return {
    async readSnapshot(repository) {
      const known = snapshots.get(repository.toLowerCase());
      if (known !== undefined) return known;
      const text = await readFile(at(repository, snapshotFile), 'utf8').catch(() => undefined);
      const snapshot = text === undefined ? undefined : parseSnapshot(text);
      return snapshot && remember(repository, snapshot);
    },
    async keepSnapshot(repository, snapshot) {
      if (snapshots.get(repository.toLowerCase()) === snapshot) return;
      await write(repository, [snapshotFile], JSON.stringify({ version, ...snapshot }));
      remember(repository, snapshot);
      const used = new Set(snapshot.skills.flatMap(({ sha, files }) => [sha, ...files.map(file => file.sha)]));
      await removeUnused(at(repository, 'blobs'), used);
    },
    async readBlob(repository, sha) {
      const bytes = await readFile(at(repository, 'blobs', sha)).catch(() => undefined);
      return bytes !== undefined && isBlob(bytes, sha) ? bytes : undefined;
    },
    async keepBlob(repository, sha, bytes) {
      await write(repository, ['blobs', sha], bytes);
    },
  };
}

function parseSnapshot(text: string): Snapshot | undefined {
  try {
    const kept: unknown = JSON.parse(text);
    return isObject(kept) && kept.version === version ? (kept as unknown as Snapshot) : undefined;
  } catch {
    return undefined;
  }
}

async function removeUnused(folder: string, used: ReadonlySet<string>): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (used.has(name)) continue;
    const path = join(folder, name);
    const info = await stat(path).catch(() => undefined);
    if (info !== undefined && Date.now() - info.mtimeMs > unusedMs) await rm(path, { force: true });
  }
}
