import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** A file: its text or bytes, or those with another mode than that of a plain file. */
export type FakeFile = string | Uint8Array | { readonly mode: string; readonly content: string };
type Files = Readonly<Record<string, FakeFile>>;

interface FakeAnswer {
  readonly status: number;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakeRepositories {
  /** `http://127.0.0.1:PORT/api/v3`, as of a server of one's own. */
  readonly apiUrl: string;
  /** Replaces all files of a repository, with a new commit; its id. */
  commit(repository: string, files: Files): string;
  /** Requests so far as `METHOD path`, below the API's address. */
  readonly calls: string[];
  /** The `Authorization` of each. */
  readonly tokens: (string | undefined)[];
  /** Answers instead where it gives one; `lost` drops the connection, `silent` never answers. */
  interfere(rule: ((call: string) => FakeAnswer | 'lost' | 'silent' | undefined) | undefined): void;
  /** How many entries a tree lists before it is cut. */
  limitTree(entries: number): void;
}

interface Repository {
  readonly commit: string;
  readonly files: readonly {
    readonly path: string;
    readonly mode: string;
    readonly bytes: Buffer;
    readonly sha: string;
  }[];
}

/** GitHub's API as far as skills are read from it, on a free loopback port; gone after the test. */
export async function openFakeRepositories(): Promise<FakeRepositories> {
  const repositories = new Map<string, Repository>();
  const calls: string[] = [];
  const tokens: (string | undefined)[] = [];
  let rule: Parameters<FakeRepositories['interfere']>[0];
  let treeMax = Number.POSITIVE_INFINITY;
  let commits = 0;

  const answer = (path: string, accept: string, etag: string | undefined): FakeAnswer => {
    const [, owner, name, rest = ''] = /^\/repos\/([^/]+)\/([^/]+)\/(.+)$/.exec(path) ?? [];
    const repository = repositories.get(`${owner}/${name}`.toLowerCase());
    if (repository === undefined) return notFound;
    if (rest === 'commits/HEAD') {
      const own = `"${repository.commit}"`;
      if (etag === own) return { status: 304, headers: { etag: own } };
      if (!accept.includes('github.sha')) return { status: 400, body: { message: 'asked for a whole commit' } };
      const type = 'application/vnd.github.sha; charset=utf-8';
      return { status: 200, body: repository.commit, headers: { etag: own, 'content-type': type } };
    }
    const [, blob] = /^git\/blobs\/(\w+)$/.exec(rest) ?? [];
    const file = repository.files.find(({ sha }) => sha === blob);
    if (file !== undefined)
      return { status: 200, body: { sha: file.sha, encoding: 'base64', content: breakLines(file.bytes) } };
    const [, tree] = /^git\/trees\/(\w+)\?recursive=1$/.exec(rest) ?? [];
    if (tree === repository.commit) return listTree(repository, '', treeMax);
    const folder = listFolders(repository).find(other => hash(`tree ${other}`) === tree);
    if (folder !== undefined) return listTree(repository, `${folder}/`, Number.POSITIVE_INFINITY);
    const [, wanted = ''] = /^contents\/(.+)\?ref=\w+$/.exec(rest) ?? [];
    const asked = decodeURIComponent(wanted);
    if (!accept.includes('github.object') || !listFolders(repository).includes(asked)) return notFound;
    return { status: 200, body: { type: 'dir', path: asked, sha: hash(`tree ${asked}`), entries: [] } };
  };

  const server = createServer((request, response) => {
    const path = (request.url ?? '').replace(/^\/api\/v3/, '');
    const call = `${request.method} ${path}`;
    calls.push(call);
    tokens.push(request.headers.authorization);
    const reply = rule?.(call) ?? answer(path, request.headers.accept ?? '', request.headers['if-none-match']);
    if (reply === 'silent') return;
    if (reply === 'lost') {
      response.destroy();
      return;
    }
    const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
    response.writeHead(reply.status, { 'content-type': 'application/json; charset=utf-8', ...reply.headers });
    response.end(text);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(closed => server.close(closed));
  });
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    commit(name, files) {
      commits += 1;
      const listed = Object.entries(files).map(([path, file]) => {
        const { mode, content } =
          typeof file === 'string' || file instanceof Uint8Array ? { mode: '100644', content: file } : file;
        const bytes = Buffer.from(content);
        const sha = createHash('sha1').update(`blob ${bytes.length}\0`).update(bytes).digest('hex');
        return { path, mode, bytes, sha };
      });
      const commit = hash(`commit ${commits}`);
      repositories.set(name.toLowerCase(), { commit, files: listed });
      return commit;
    },
    calls,
    tokens,
    interfere(next) {
      rule = next;
    },
    limitTree(entries) {
      treeMax = entries;
    },
  };
}

const notFound: FakeAnswer = { status: 404, body: { message: 'Not Found' } };

function listTree({ files }: Repository, prefix: string, max: number): FakeAnswer {
  const below = files.filter(({ path }) => path.startsWith(prefix));
  const tree = below.slice(0, max).map(({ path, mode, sha, bytes }) => ({
    path: path.slice(prefix.length),
    mode,
    type: mode === '160000' ? 'commit' : 'blob',
    sha,
    size: bytes.length,
  }));
  return { status: 200, body: { sha: hash(prefix), tree, truncated: below.length > max } };
}

function listFolders({ files }: Repository): readonly string[] {
  const folders = files.flatMap(({ path }) => {
    const parts = path.split('/');
    return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join('/'));
  });
  return [...new Set(folders)];
}

function hash(text: string): string {
  return createHash('sha1').update(text).digest('hex');
}

/** As GitHub breaks its lines. */
function breakLines(bytes: Buffer): string {
  return bytes.toString('base64').replace(/.{60}/g, '$&\n');
}
