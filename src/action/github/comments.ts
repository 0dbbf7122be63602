/**
 * The one comment of a step. It is found by a hidden marker and by its author, through all pages; whoever else writes our marker keeps
 * the own comment.
 */
import { createHash } from 'node:crypto';
import { isObject } from '../../base/json.ts';
import type { GitHub } from './github.ts';
import { GitHubError } from './github-error.ts';

/** Who comments with the token that every workflow has. */
const usualAuthor = 'github-actions[bot]';
const maxCreates = 4;
/** The most that GitHub gives. */
const pageSize = 100;
const maxPages = 100;

export interface CommentPlace {
  readonly owner: string;
  readonly repo: string;
  /** Of the issue or pull request; both have their comments in one place. */
  readonly number: number;
}

export interface KeptComment {
  readonly id: number;
  readonly link: string | undefined;
  readonly author: string | undefined;
  readonly happened: 'created' | 'edited' | 'unchanged';
}

/** `<!-- agent-run:KEY -->`. Different keys have different markers, and no key can close the HTML comment. */
export function markerOf(key: string): string {
  const safe = key
    .replace(/[^A-Za-z0-9._/]+/g, '-')
    .replace(/-+/g, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 80);
  const isSame = safe === key && safe !== '';
  // What was replaced or cut would make two legs one.
  const tail = isSame ? '' : `.${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  return `<!-- agent-run:${safe}${tail} -->`;
}

/**
 * Brings the comment to this body: edits it in place when it is there and says something else, creates it when it is not. `body` carries
 * the marker in its first or last line. `author` is the token's own login where the caller knows it. Undefined where there is none and `creates`
 * is false. Throws GitHubError.
 */
export async function upsertComment(
  github: GitHub,
  {
    marker,
    body,
    author,
    creates = true,
    ...place
  }: CommentPlace & {
    readonly marker: string;
    readonly body: string;
    readonly author?: string | undefined;
    readonly creates?: boolean | undefined;
  },
): Promise<KeptComment | undefined> {
  if (!carries(body, marker)) throw new TypeError(`The body has no marker ${marker} in its first or last line`);
  for (let attempt = 0; ; attempt += 1) {
    const own = await findOwn(github, { ...place, marker, author });
    if (own !== undefined) return await edit(github, place, own, body);
    if (!creates) return undefined;
    try {
      const { data } = await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/comments', {
        ...addressOf(place),
        body,
      });
      return { id: Number(data.id), link: data.html_url, author: data.user?.login, happened: 'created' };
    } catch (error) {
      // It may be there all the same: only a look for the marker tells.
      const mayRepeat = error instanceof GitHubError && error.mayBeDone && attempt + 1 < maxCreates;
      if (!mayRepeat || !(await github.pause(attempt))) throw error;
    }
  }
}

interface Found {
  readonly id: number;
  readonly body?: string;
  readonly html_url: string;
  readonly user: { readonly login: string } | null;
}

async function edit(github: GitHub, { owner, repo }: CommentPlace, own: Found, body: string): Promise<KeptComment> {
  const kept = { id: own.id, link: own.html_url, author: own.user?.login };
  // GitHub may keep lines with CR LF.
  if (own.body?.replaceAll('\r\n', '\n').trimEnd() === body.trimEnd()) return { ...kept, happened: 'unchanged' };
  await github.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    owner,
    repo,
    comment_id: own.id,
    body,
  });
  return { ...kept, happened: 'edited' };
}

/**
 * The oldest one, where an accident made two. Services that name no next page have one as long as pages are full. Throws GitHubError where
 * there are more pages than anybody reads: without having seen them all nobody knows whether there is one.
 */
async function findOwn(
  github: GitHub,
  { marker, author, ...place }: CommentPlace & { readonly marker: string; readonly author: string | undefined },
): Promise<Found | undefined> {
  let login = author?.toLowerCase();
  for (let page = 1; page <= maxPages; page += 1) {
    const { data, headers } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}/comments', {
      ...addressOf(place),
      per_page: pageSize,
      page,
    });
    const listed: unknown = data;
    if (!Array.isArray(listed) || !listed.every(isObject))
      throw new GitHubError(`GitHub did not answer with a list of the comments of #${place.number}`, {});
    const marked = data.filter(({ body }) => carries(body ?? '', marker));
    if (marked.length > 0) login ??= (await readOwnLogin(github)).toLowerCase();
    const own = marked.find(({ user }) => user !== null && user.login.toLowerCase() === login);
    if (own !== undefined) return { ...own, id: Number(own.id) };
    const hasNext = headers.link === undefined ? data.length >= pageSize : headers.link.includes('rel="next"');
    if (!hasNext || data.length === 0) return undefined;
  }
  const most = (maxPages * pageSize).toLocaleString('en');
  throw new GitHubError(
    `#${place.number} has more than ${most} comments (${maxPages} pages), and this step found no comment of its own among the first ones, so it writes none. Comment on a newer issue or set \`comment: off\``,
    {},
  );
}

/**
 * Whose token it is. `viewer` answers every kind of token, also the one of a workflow, for which `GET /user` is forbidden; servers
 * like GitHub have only the latter.
 */
async function readOwnLogin(github: GitHub): Promise<string> {
  const asks = [
    async () => (await github.graphql<{ viewer?: { login?: unknown } }>('query { viewer { login } }')).viewer?.login,
    async () => (await github.request('GET /user')).data.login,
  ];
  for (const ask of asks) {
    try {
      const login: unknown = await ask();
      if (typeof login === 'string' && login !== '') return login;
    } catch (error) {
      // Not for this token, or not on this server. A fault of the network says nothing, and a guess would make a second comment.
      if (error instanceof GitHubError && !error.isRefusal) throw error;
    }
  }
  return usualAuthor;
}

function carries(body: string, marker: string): boolean {
  const lines = body.trim().split(/\r\n|\r|\n/);
  return lines[0]?.trim() === marker || lines.at(-1)?.trim() === marker;
}

function addressOf({ owner, repo, number }: CommentPlace) {
  return { owner, repo, issue_number: number };
}
