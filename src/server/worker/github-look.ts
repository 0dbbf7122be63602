/**
 * How a repository on GitHub is looked at. One cheap question tells its last commit; only where that moved, one more lists its files. Files are
 * read by the ids that the list has, so that they are of one commit, and are read once. All of it is kept: while GitHub cannot be
 * asked, what was read last has to do.
 */
import { join } from 'node:path';
import { createGitHubApi, type GitHubApi } from './github-api.ts';
import { createGitHubCache, type Snapshot } from './github-cache.ts';
import { GitHubFault } from './github-fault.ts';
import { readTreeSkills } from './github-tree.ts';
import { RunFailure } from './run-ending.ts';

interface GitFile {
  readonly sha: string;
  readonly size: number;
}

/** A repository at one commit. */
export interface View {
  readonly repository: string;
  readonly snapshot: Snapshot;
  /** To ask more than files; undefined while GitHub cannot be asked. */
  readonly api: GitHubApi | undefined;
  readonly signal: AbortSignal;
  /** Why this is what was read earlier, for people; undefined where it is what GitHub has now. */
  readonly note: string | undefined;
  /** Throws GitHubFault, or the signal's reason. */
  readBlob(file: GitFile): Promise<Uint8Array>;
}

export interface GitHubLooks {
  /**
   * Works with what GitHub has now, else with what was read before; `maxAgeMs` is how long ago it may have been asked. The snapshot that comes back is kept.
   * Throws RunFailure, or the signal's reason.
   */
  look<T>(
    repository: string,
    options: { readonly signal?: AbortSignal | undefined; readonly maxAgeMs?: number },
    work: (view: View) => Promise<{ readonly value: T; readonly snapshot: Snapshot }>,
  ): Promise<T>;
  /** A file that was read already, as a rule. Throws RunFailure, or the signal's reason. */
  readBlob(repository: string, file: GitFile, signal: AbortSignal): Promise<Uint8Array>;
}

/** Everything that one look may take. */
const limitMs = 60_000;

/** `folder` is where what was read is kept. */
export function createGitHubLooks(
  { apiUrl, token }: { readonly apiUrl: string; readonly token: string | undefined },
  folder: string,
): GitHubLooks {
  const { host } = new URL(apiUrl);
  const api = createGitHubApi({ apiUrl, token });
  const cache = createGitHubCache(join(folder, encodeURIComponent(apiUrl)));
  /** When a repository was last asked for, in ms. */
  const askedAt = new Map<string, number>();

  const refresh = async (repository: string, kept: Snapshot | undefined, signal: AbortSignal): Promise<Snapshot> => {
    const head = await api.readHead(repository, kept?.etag, signal);
    if (kept !== undefined && (head === undefined || head.commit === kept.commit)) return kept;
    if (head === undefined) throw new GitHubFault('unavailable', `${host} answered that nothing has changed`);
    const { entries, isWhole } = await api.readTree(repository, head.commit, signal);
    return { ...head, isWhole, skills: readTreeSkills(entries) };
  };

  const readBlob = async (repository: string, file: GitFile, signal: AbortSignal): Promise<Uint8Array> => {
    const known = await cache.readBlob(repository, file.sha);
    if (known !== undefined) return known;
    const bytes = await api.readBlob(repository, file, signal);
    await cache.keepBlob(repository, file.sha, bytes);
    return bytes;
  };

  /** A view of what was read before, in which nothing more is asked. */
  const lookBack = (repository: string, snapshot: Snapshot, fault: GitHubFault, signal: AbortSignal): View => ({
    repository,
    snapshot,
    api: undefined,
    signal,
    note: `${fault.message}; using the last copy of ${repository}, at ${snapshot.commit.slice(0, 7)}`,
    async readBlob({ sha }) {
      const bytes = await cache.readBlob(repository, sha);
      if (bytes === undefined) throw fault;
      return bytes;
    },
  });

  return {
    async look(repository, { signal = new AbortController().signal, maxAgeMs = 0 }, work) {
      const key = repository.toLowerCase();
      const deadline = AbortSignal.timeout(limitMs);
      const bounded = AbortSignal.any([signal, deadline]);
      const kept = await cache.readSnapshot(repository);
      try {
        const isYoung = kept !== undefined && Date.now() - (askedAt.get(key) ?? 0) < maxAgeMs;
        const snapshot = isYoung ? kept : await refresh(repository, kept, bounded);
        if (!isYoung) askedAt.set(key, Date.now());
        const read: View['readBlob'] = file => readBlob(repository, file, bounded);
        const view = { repository, snapshot, api, signal: bounded, note: undefined, readBlob: read };
        const done = await work(view);
        // Not before all of it was read: what is kept is to be of use when GitHub is away.
        await cache.keepSnapshot(repository, done.snapshot);
        return done.value;
      } catch (error) {
        signal.throwIfAborted();
        const fault = deadline.aborted
          ? new GitHubFault('unavailable', `${host} did not answer everything within ${limitMs / 1000} s`, {
              cause: error,
            })
          : error;
        if (!(fault instanceof GitHubFault)) throw fault;
        if (fault.kind !== 'unavailable' || kept === undefined) throw asFailure(repository, fault);
        try {
          return (await work(lookBack(repository, kept, fault, signal))).value;
        } catch (second) {
          // What is not there was perhaps added since.
          const isMissing = second instanceof RunFailure && second.code === 'resource_not_found';
          throw isMissing || second === fault ? asFailure(repository, fault) : second;
        }
      }
    },
    async readBlob(repository, file, signal) {
      try {
        return await readBlob(repository, file, signal);
      } catch (error) {
        throw error instanceof GitHubFault ? asFailure(repository, error) : error;
      }
    },
  };
}

function asFailure(repository: string, fault: GitHubFault): RunFailure {
  const codes = {
    missing: 'resource_not_found',
    refused: 'environment_setup_failed',
    unavailable: 'resource_unavailable',
  } as const;
  return new RunFailure(codes[fault.kind], `the skills of ${repository} cannot be read from GitHub: ${fault.message}`);
}
