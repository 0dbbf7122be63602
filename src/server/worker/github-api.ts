/** GitHub's API as far as skills are read from it, by octokit, which is loaded when the first one is asked for. */
import { createHash } from 'node:crypto';
import { systemClock } from '../../base/clock.ts';
import { isObject } from '../../base/json.ts';
import { describeFault, GitHubFault, readAnswerFault } from './github-fault.ts';
import type { TreeEntry } from './github-tree.ts';

export interface GitHubApi {
  /** The last commit of the usual branch; undefined when it is still the one that the ETag came with. */
  readHead(repository: string, etag: string | undefined, signal: AbortSignal): Promise<Head | undefined>;
  /** Whether a user or an organization is there: throws where none is. */
  readOwner(owner: string, signal: AbortSignal): Promise<void>;
  /** Everything below a tree, by the id of the tree or of its commit. */
  readTree(repository: string, sha: string, signal: AbortSignal): Promise<Tree>;
  /** The id of a folder's tree; undefined when there is no such folder. */
  findFolder(
    repository: string,
    folder: { readonly path: string; readonly commit: string },
    signal: AbortSignal,
  ): Promise<string | undefined>;
  readBlob(
    repository: string,
    blob: { readonly sha: string; readonly size: number },
    signal: AbortSignal,
  ): Promise<Uint8Array>;
}

export interface Head {
  readonly commit: string;
  readonly etag: string | undefined;
}

export interface Tree {
  readonly entries: readonly TreeEntry[];
  /** False where GitHub cut the list: it has 100,000 entries or 7 MB at most. */
  readonly isWhole: boolean;
}

/** One question, in ms. GitHub itself gives up after ten seconds. */
const answerMs = 15_000;
/** Before a question that found no answer is asked once more. */
const napMs = 300;
const treeBytesMax = 16 * 1024 * 1024;
const smallBytesMax = 1024 * 1024;

/** All of it throws GitHubFault, or the signal's reason. */
export function createGitHubApi({
  apiUrl,
  token,
}: {
  readonly apiUrl: string;
  readonly token: string | undefined;
}): GitHubApi {
  let opened: ReturnType<typeof openOctokit> | undefined;
  const openOctokit = async () => {
    const { Octokit } = await import('octokit');
    return new Octokit({
      ...(token === undefined ? {} : { auth: token }),
      baseUrl: apiUrl,
      userAgent: 'agent-run',
      // What failed is asked for once more below.
      retry: { enabled: false },
      throttle: { enabled: false },
      log: { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} },
    });
  };
  const ask = async (
    route: string,
    { bytesMax = smallBytesMax, signal, ...more }: Question,
  ): Promise<Answer | undefined> => {
    opened ??= openOctokit();
    const octokit = await opened;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const request = {
          fetch: fetchBounded(bytesMax),
          signal: AbortSignal.any([signal, AbortSignal.timeout(answerMs)]),
        };
        const answer = await octokit.request(route, { ...more, request });
        if (answer.status >= 300) throw readAnswerFault({ ...answer, apiUrl, token });
        return answer;
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof GitHubFault) throw error;
        if (isObject(error) && error.status === 304) return undefined;
        const fault = describeFault(error, { apiUrl, token });
        if (!fault.mayPass || attempt > 1) throw fault;
        await systemClock.sleep(napMs, signal);
      }
    }
  };
  /** For what always has an answer: only a question with an ETag may have none. */
  const read = async (route: string, question: Question): Promise<unknown> => (await ask(route, question))?.data;
  const broken = (what: string) => new GitHubFault('unavailable', `${new URL(apiUrl).host} answered with no ${what}`);

  return {
    async readHead(repository, etag, signal) {
      const headers = {
        accept: 'application/vnd.github.sha',
        ...(etag === undefined ? {} : { 'if-none-match': etag }),
      };
      const answer = await ask(`GET /repos/${repository}/commits/HEAD`, { headers, signal });
      if (answer === undefined) return undefined;
      const commit = String(answer.data).trim();
      if (!isHash(commit)) throw broken('commit');
      return { commit, etag: typeof answer.headers.etag === 'string' ? answer.headers.etag : undefined };
    },
    async readOwner(owner, signal) {
      await ask(`GET /users/${owner}`, { signal });
    },
    async readTree(repository, sha, signal) {
      const route = `GET /repos/${repository}/git/trees/${sha}`;
      const data = await read(route, { recursive: '1', bytesMax: treeBytesMax, signal });
      if (!isObject(data) || !Array.isArray(data.tree)) throw broken('list of files');
      return { entries: data.tree.flatMap(readEntry), isWhole: data.truncated !== true };
    },
    async findFolder(repository, { path, commit }, signal) {
      const address = path.split('/').map(encodeURIComponent).join('/');
      const headers = { accept: 'application/vnd.github.object+json' };
      try {
        const data = await read(`GET /repos/${repository}/contents/${address}`, { ref: commit, headers, signal });
        return isObject(data) && data.type === 'dir' && isHash(data.sha) ? data.sha : undefined;
      } catch (error) {
        if (error instanceof GitHubFault && error.kind === 'missing') return undefined;
        throw error;
      }
    },
    async readBlob(repository, { sha, size }, signal) {
      // Base64 with line ends, and what stands around it.
      const question = { bytesMax: size * 1.5 + smallBytesMax, signal };
      const data = await read(`GET /repos/${repository}/git/blobs/${sha}`, question);
      const bytes =
        isObject(data) && typeof data.content === 'string' ? Buffer.from(data.content, 'base64') : undefined;
      if (bytes === undefined || !isBlob(bytes, sha)) throw broken(`file ${sha}`);
      return bytes;
    },
  };
}

interface Question {
  readonly signal: AbortSignal;
  readonly bytesMax?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly [parameter: string]: unknown;
}

interface Answer {
  readonly data: unknown;
  readonly headers: Readonly<Record<string, string | number | undefined>>;
}

/** Whether bytes are what git knows by this id. */
export function isBlob(bytes: Uint8Array, sha: string): boolean {
  const hash = createHash(sha.length === 64 ? 'sha256' : 'sha1');
  return hash.update(`blob ${bytes.length}\0`).update(bytes).digest('hex') === sha;
}

function isHash(value: unknown): value is string {
  return typeof value === 'string' && /^([0-9a-f]{40}|[0-9a-f]{64})$/.test(value);
}

function readEntry(entry: unknown): readonly TreeEntry[] {
  if (!isObject(entry) || typeof entry.path !== 'string' || typeof entry.mode !== 'string' || !isHash(entry.sha))
    return [];
  return [
    { path: entry.path, mode: entry.mode, sha: entry.sha, size: typeof entry.size === 'number' ? entry.size : 0 },
  ];
}

/**
 * Resolves with the whole answer in memory, so that the signal of the request bounds the body too. Redirects are answers: one would take the
 * token elsewhere, or the question to a repository that nobody named.
 */
function fetchBounded(bytesMax: number): typeof fetch {
  return async (url, init) => {
    const answer = await fetch(url, { ...init, redirect: 'manual' });
    const { status, statusText, headers, body } = answer;
    if (body === null) return answer;
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    // Leaving the loop early ends the connection.
    for await (const chunk of body) {
      bytes += chunk.byteLength;
      if (bytes > bytesMax) throw new Error(`the answer is bigger than ${Math.ceil(bytesMax / 1024)} KiB`);
      chunks.push(chunk);
    }
    return new Response(Buffer.concat(chunks), { status, statusText, headers: [...headers] });
  };
}
