import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import type { FakeGit } from './github/fake-git.ts';
import type { FakePull } from './github/fake-pull.ts';
import { findLack, type Granted } from './github/permissions.ts';
import { reply } from './github/shapes.ts';

export interface FakeComment {
  readonly id: number;
  readonly user: { readonly login: string; readonly id: number } | null;
  body: string;
}

export interface SeenRequest {
  readonly method: string;
  /** Path and query below the API's address. */
  readonly path: string;
  readonly token: string | undefined;
  readonly body: unknown;
}

/** The fault of one request. */
export interface Fault {
  /** `POST /repos/octo-org/demo/issues/7/comments`, or the start of it. */
  readonly on: string;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /**
   * `lost`: carried out, and the connection drops before a response; `cut`: it drops within the response; `html`: a
   * proxy's page; `silent`: no response; `drip`: an endless slow response; `huge`: one of 9 MiB.
   */
  readonly how?: 'lost' | 'cut' | 'html' | 'silent' | 'drip' | 'huge';
  /** @default 1 */
  readonly times?: number;
}

export interface FakeAnswer {
  readonly permission?: string;
  readonly role_name?: string;
  readonly id?: number;
  readonly type?: string;
}

export interface FakeGitHub {
  /** `http://127.0.0.1:PORT/api/v3`, as on a GitHub Enterprise server. */
  readonly apiUrl: string;
  readonly comments: FakeComment[];
  readonly requests: SeenRequest[];
  /** Of every issue. */
  readonly labels: string[];
  /** Logins in lower case. An unknown login is a 404. */
  readonly permissions: Map<string, FakeAnswer>;
  readonly faults: Fault[];
  /** Adds a comment from before the test. */
  addComment(login: string, body: string): FakeComment;
  /** The requests as `METHOD path`, without queries. */
  calls(): readonly string[];
}

export interface FakeGitHubOptions {
  /** Owner of the token. With null, the question is refused, as services without it do. */
  readonly viewer?: string | null;
  /** Response of `GET /user`. Undefined: forbidden, as for the token of a workflow. */
  readonly user?: string;
  readonly pageSize?: number;
  /** Whether each page of comments names a next one. */
  readonly isEndless?: boolean;
  /** The token's permissions. Undefined: all. */
  readonly granted?: Granted;
  readonly pull?: FakePull;
  readonly git?: FakeGit;
}

/** The parts of GitHub's API that the action uses, on a free loopback port. Removed after the test. */
export async function openFakeGitHub({
  viewer = 'github-actions[bot]',
  user,
  pageSize = 100,
  isEndless = false,
  granted,
  pull,
  git,
}: FakeGitHubOptions = {}): Promise<FakeGitHub> {
  let lastId = 1000;
  const comments: FakeComment[] = [];
  const labels: string[] = [];
  const requests: SeenRequest[] = [];
  const permissions = new Map<string, FakeAnswer>();
  const faults: (Fault & { left?: number })[] = [];
  const addComment = (login: string, body: string): FakeComment => {
    lastId += 1;
    const comment = { id: lastId, user: { login, id: login.length }, body };
    comments.push(comment);
    return comment;
  };
  const forbidden = { status: 403, body: { message: 'Resource not accessible by integration' } };
  const notFound = { status: 404, body: { message: 'Not Found' } };

  const answer = (method: string, path: string, body: Record<string, unknown>, url: URL): Reply => {
    const lack = granted && findLack(`${method} ${path.replace(/^\/api\/v3/, '')}`, granted);
    if (lack !== undefined) return { ...forbidden, headers: { 'x-accepted-github-permissions': lack.join('; ') } };
    const request = {
      method,
      path: path.replace(/^\/api\/v3/, ''),
      query: url.searchParams,
      body,
      viewer: viewer ?? user ?? 'github-actions[bot]',
      mayResolve: granted === undefined || findLack('mutation resolveReviewThread', granted) === undefined,
    };
    const ofPart = pull?.answer(request) ?? git?.answer(request);
    if (ofPart !== undefined) return ofPart;
    if (path === '/graphql')
      return viewer === null ? notFound : { status: 200, body: { data: { viewer: { login: viewer } } } };
    if (path === '/api/v3/user') return user === undefined ? forbidden : { status: 200, body: { login: user } };
    const [, login] = /\/collaborators\/([^/]+)\/permission$/.exec(path) ?? [];
    if (login !== undefined) return answerPermission(permissions.get(decodeURIComponent(login).toLowerCase()), login);
    const [, id] = /\/issues\/comments\/(\d+)$/.exec(path) ?? [];
    if (id !== undefined && method === 'PATCH') {
      const found = comments.find(comment => comment.id === Number(id));
      if (found === undefined) return notFound;
      found.body = String(body.body);
      return { status: 200, body: shown(found) };
    }
    const named = () => labels.map(name => ({ name }));
    const [, issue] = /\/issues\/(\d+)$/.exec(path) ?? [];
    if (method === 'GET' && issue !== undefined) {
      const isPull = [pull, ...(git?.pulls ?? [])].some(each => each?.number === Number(issue));
      return reply('issue', { labels: named(), ...(isPull && { pull_request: { url: null } }) });
    }
    if (method === 'POST' && /\/issues\/\d+\/labels$/.test(path)) {
      const added = Array.isArray(body.labels) ? body.labels.map(String) : [];
      labels.push(...added.filter(label => !labels.includes(label)));
      return { status: 200, body: named() };
    }
    if (!/\/issues\/\d+\/comments$/.test(path)) return notFound;
    if (method === 'POST')
      return { status: 201, body: shown(addComment(viewer ?? user ?? 'github-actions[bot]', String(body.body))) };
    const page = Number(url.searchParams.get('page') ?? '1');
    const size = Math.min(pageSize, Number(url.searchParams.get('per_page') ?? '30'));
    const hasNext = isEndless || comments.length > page * size;
    url.searchParams.set('page', String(page + 1));
    return {
      status: 200,
      body: (isEndless ? comments : comments.slice((page - 1) * size, page * size)).map(shown),
      headers: hasNext ? { link: `<${url.href}>; rel="next"` } : {},
    };
  };

  const server = createServer((request, response) => {
    void readBody(request).then(body => {
      const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
      const { pathname } = url;
      const method = request.method ?? '';
      const path = pathname.replace(/^\/api\/v3/, '');
      requests.push({ method, path: path + url.search, token: request.headers.authorization, body });
      const fault = faults.find(({ on, times = 1, left = times }) => left > 0 && `${method} ${path}`.startsWith(on));
      if (fault !== undefined) fault.left = (fault.left ?? fault.times ?? 1) - 1;
      const isDone = fault === undefined || fault.how === 'lost' || fault.how === 'cut';
      const reply = isDone ? answer(method, pathname.replace('/api/graphql', '/graphql'), body, url) : replyOf(fault);
      send(response, reply, fault?.how);
    });
  });
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise(closed => server.close(closed));
  });
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/v3`,
    comments,
    labels,
    requests,
    permissions,
    faults,
    addComment,
    calls: () => requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`),
  };
}

/** Answers a GitHub App that is installed on a repository with a token for it. */
export function grantToken(
  token: string,
  { repository = 'octo-org/shop', minutes = 60, times = 1 } = {},
): readonly Fault[] {
  const expiresAt = new Date(Date.now() + minutes * 60_000).toISOString();
  return [
    { on: `GET /repos/${repository}/installation`, status: 200, body: { id: 7 }, times },
    { on: 'POST /app/installations/7/access_tokens', status: 201, body: { token, expires_at: expiresAt }, times },
  ];
}

interface Reply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

function replyOf({ status, headers = {}, body = { message: 'Server Error' }, how }: Fault): Reply {
  const reply = { status: status ?? (how === 'huge' ? 200 : 500), headers };
  return { ...reply, body: how === 'html' ? '<html>Unicorn!</html>' : body };
}

function send(response: ServerResponse, { status, body, headers }: Reply, how: Fault['how']): void {
  if (how === 'silent') return;
  if (how === 'lost') {
    response.destroy();
    return;
  }
  if (how === 'drip') {
    response.writeHead(200, { 'content-type': 'application/json' });
    const drops = setInterval(() => response.write(' '), 20);
    response.on('close', () => clearInterval(drops));
    return;
  }
  const content = how === 'huge' ? { permission: 'admin', filling: 'x'.repeat(9 * 1024 * 1024) } : body;
  const text = typeof content === 'string' ? content : JSON.stringify(content);
  const type = how === 'html' ? 'text/html' : 'application/json; charset=utf-8';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(text), ...headers });
  if (how !== 'cut') response.end(text);
  else response.write(text.slice(0, Math.max(1, text.length - 1)), () => response.destroy());
}

function answerPermission(answer: FakeAnswer | undefined, login: string): Reply {
  if (answer === undefined) return { status: 404, body: { message: `${login} is not a user` } };
  const { permission = 'read', role_name = permission, id = 1, type = 'User' } = answer;
  return { status: 200, body: { permission, role_name, user: { login, id, type } } };
}

function shown(comment: FakeComment) {
  return { ...comment, html_url: `https://github.com/octo-org/demo/issues/7#issuecomment-${comment.id}` };
}

async function readBody(request: IncomingMessage): Promise<Record<string, unknown>> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}
