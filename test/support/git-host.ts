import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createTempFolder } from './temp-folder.ts';

/** git with its own configuration and a fictional author. */
export function git(cwd: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'user.name=octo', '-c', 'user.email=octo@example.com', ...args], {
    cwd,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' },
    stdio: ['ignore', 'pipe', 'pipe'],
  }).trim();
}

export interface Origin {
  /** The bare repository. */
  readonly folder: string;
  readonly url: string;
  /** Commits files to a branch, which is created if missing. Returns the commit. */
  commit(files: Readonly<Record<string, string | Uint8Array>>, branch?: string): string;
  /** Contents of a file on a branch. */
  read(branch: string, path: string): string;
  branches(): readonly string[];
}

/** A repository to clone from, with a first commit on `main` unless there are no files. Removed after the test. */
export function createOrigin(
  files: Readonly<Record<string, string>> = { 'README.md': 'a shop\n' },
  { root = createTempFolder(), name = 'octo-org/shop' }: { readonly root?: string; readonly name?: string } = {},
): Origin {
  const folder = join(root, `${name}.git`);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--bare', '--initial-branch=main');
  const work = createTempFolder();
  git(work, 'clone', '--quiet', folder, '.');
  const origin: Origin = {
    folder,
    url: `file://${folder}`,
    commit(changed, branch = 'main') {
      const isThere = origin.branches().includes(branch);
      git(work, 'fetch', '--quiet', 'origin');
      git(work, 'checkout', '--quiet', '-B', branch, ...(isThere ? [`origin/${branch}`] : []));
      for (const [path, text] of Object.entries(changed)) {
        mkdirSync(dirname(join(work, path)), { recursive: true });
        writeFileSync(join(work, path), text);
      }
      git(work, 'add', '--all');
      git(work, 'commit', '--quiet', '--message', `to ${branch}`);
      git(work, 'push', '--quiet', 'origin', branch);
      return git(work, 'rev-parse', 'HEAD');
    },
    read: (branch, path) => git(folder, 'show', `${branch}:${path}`),
    branches: () =>
      git(folder, 'for-each-ref', '--format=%(refname:short)', 'refs/heads')
        .split('\n')
        .filter(branch => branch !== ''),
  };
  if (Object.keys(files).length > 0) origin.commit(files);
  return origin;
}

export interface GitHostServer {
  /** `http://127.0.0.1:PORT` */
  readonly url: string;
  /** `127.0.0.1:PORT` */
  readonly host: string;
  /** The folder that repositories are served from. */
  readonly root: string;
  readonly seen: { readonly path: string; readonly authorization: string | undefined }[];
  /** Answers with the status of the rule, if it gives one. `lost` drops the connection, `silent` never answers. */
  interfere(rule: ((path: string) => number | 'lost' | 'silent' | undefined) | undefined): void;
}

interface HostOptions {
  /** Undefined: everybody may read and write. */
  readonly token?: string;
  /** Every request is redirected to the same path there. */
  readonly redirectTo?: string;
  /** Every request waits until the test is over. */
  readonly isSilent?: boolean;
  /** Answers every push with an error that repeats the request. */
  readonly repeats?: boolean;
}

/** Repositories over HTTP by git's own server program, on a free loopback port. Removed after the test. */
export async function openGitHost({ token, redirectTo, isSilent, repeats }: HostOptions = {}): Promise<GitHostServer> {
  const root = createTempFolder();
  const seen: GitHostServer['seen'] = [];
  let rule: Parameters<GitHostServer['interfere']>[0];
  const server = createServer((request, response) => {
    const { authorization } = request.headers;
    seen.push({ path: request.url ?? '', authorization });
    const instead = isSilent === true ? 'silent' : rule?.(request.url ?? '');
    if (instead === 'silent') return;
    const isKnown = token === undefined || authorization === `Basic ${btoa(`x-access-token:${token}`)}`;
    if (instead === 'lost') response.destroy();
    else if (instead !== undefined) response.writeHead(instead, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
    else if (redirectTo !== undefined) response.writeHead(302, { Location: `${redirectTo}${request.url}` }).end();
    else if (!isKnown) response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="git"' }).end();
    else if (repeats === true) {
      response.writeHead(200, { 'Content-Type': 'application/x-git-upload-pack-advertisement' });
      const line = `ERR you sent ${authorization}`;
      response.end(`001e# service=git-upload-pack\n0000${(line.length + 4).toString(16).padStart(4, '0')}${line}`);
    } else serve(request, response, root);
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(closed => server.close(closed));
  });
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    ...{ url: `http://${host}`, host, root, seen },
    interfere(next) {
      rule = next;
    },
  };
}

function serve(request: IncomingMessage, response: ServerResponse, root: string): void {
  const url = new URL(request.url ?? '/', 'http://127.0.0.1');
  const { 'content-type': type, 'content-length': length, 'content-encoding': encoding } = request.headers;
  const settings = ['http.receivepack=true', 'uploadpack.allowFilter=true'].flatMap(setting => ['-c', setting]);
  const program = spawn('git', [...settings, 'http-backend'], {
    env: {
      PATH: process.env.PATH,
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
      REQUEST_METHOD: request.method,
      // In any case, like GitHub.
      PATH_INFO: url.pathname.toLowerCase(),
      QUERY_STRING: url.search.slice(1),
      ...(type === undefined ? {} : { CONTENT_TYPE: type }),
      ...(length === undefined ? {} : { CONTENT_LENGTH: length }),
      ...(encoding === undefined ? {} : { HTTP_CONTENT_ENCODING: encoding }),
      GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  program.stdin.on('error', () => {});
  request.pipe(program.stdin);
  const chunks: Buffer[] = [];
  program.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
  program.on('close', () => {
    const answer = Buffer.concat(chunks);
    const end = answer.indexOf('\r\n\r\n');
    const headers = answer
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map(line => line.split(/:\s*/, 2) as [string, string]);
    const status = Number(headers.find(([name]) => name.toLowerCase() === 'status')?.[1]?.slice(0, 3) ?? 200);
    response.writeHead(status, Object.fromEntries(headers.filter(([name]) => name.toLowerCase() !== 'status')));
    response.end(answer.subarray(end + 4));
  });
}
