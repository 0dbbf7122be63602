/**
 * A step's single comment. It is found by a hidden marker and its author, across all pages. Comments of others with
 * the same marker are left alone.
 */
import { createHash } from 'node:crypto';
import { isObject } from '../../base/json.ts';
import type { GitHub } from './github.ts';
import { GitHubError } from './github-error.ts';

/** Author of comments made with a workflow's own token. */
const usualAuthor = 'github-actions[bot]';
const maxCreates = 4;
/** GitHub's maximum. */
const pageSize = 100;
const maxPages = 100;

export interface CommentPlace {
  readonly owner: string;
  readonly repo: string;
  /** Number of the issue or pull request. Both use the same comment routes. */
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
  // After replacing or cutting, two keys could be equal.
  const tail = isSame ? '' : `.${createHash('sha256').update(key).digest('hex').slice(0, 12)}`;
  return `<!-- agent-run:${safe}${tail} -->`;
}

/**
 * Creates the comment, or edits it in place if its text differs. The first line of `body` is the marker.
 * `author` is the token's login, if known. Returns undefined if there is no comment and `creates` is false. Throws
 * GitHubError.
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
  if (!carries(body, marker)) throw new TypeError(`The first line of the body is not the marker ${marker}`);
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
      // The comment may exist in spite of the error. Looking for the marker tells.
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
  // GitHub may store lines with CR LF.
  if (isSameText(own.body ?? '', body)) return { ...kept, happened: 'unchanged' };
  await github.request('PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}', {
    owner,
    repo,
    comment_id: own.id,
    body,
  });
  return { ...kept, happened: 'edited' };
}

/**
 * Returns the oldest comment, if an accident created two. For services without a link to the next page, a full page
 * means that there is another. Throws GitHubError above the page limit, because an unread page may have the comment.
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
 * Returns the token's login. `viewer` works for every token, including a workflow's, for which `GET /user` is
 * forbidden. Servers like GitHub only have `GET /user`.
 */
export async function readOwnLogin(github: GitHub): Promise<string> {
  const asks = [
    async () => (await github.graphql<{ viewer?: { login?: unknown } }>('query { viewer { login } }')).viewer?.login,
    async () => (await github.request('GET /user')).data.login,
  ];
  for (const ask of asks) {
    try {
      const login: unknown = await ask();
      if (typeof login === 'string' && login !== '') return login;
    } catch (error) {
      // A refusal means that this token or server lacks the query. A network fault means nothing, and a guess could
      // create a second comment.
      if (error instanceof GitHubError && !error.isRefusal) throw error;
    }
  }
  return usualAuthor;
}

/** GitHub may store other line ends. */
export function isSameText(stored: string, text: string): boolean {
  return stored.replaceAll('\r\n', '\n').trimEnd() === text.trimEnd();
}

/** Only the first line counts: others may quote a stranger, who can write any marker. */
export function carries(body: string, marker: string): boolean {
  return (
    body
      .trimStart()
      .split(/[\r\n]/, 1)[0]
      ?.trim() === marker
  );
}

function addressOf({ owner, repo, number }: CommentPlace) {
  return { owner, repo, issue_number: number };
}
