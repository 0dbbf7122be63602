/** What the pull request has: its head, its diff, and the reviews and threads that this action made earlier. */
import { carries, readOwnLogin } from '../../action/github/comments.ts';
import type { GitHub } from '../../action/github/github.ts';
import { GitHubError } from '../../action/github/github-error.ts';
import type { Target } from '../target.ts';
import { type DiffFile, readHunks, type Side } from './diff-lines.ts';

export interface StandingReview {
  readonly headSha: string;
  /** Whether the token belongs to the author of the pull request, who can only comment. */
  readonly isOwnPull: boolean;
  /** The newest review of this action that has the summary. */
  readonly summary: OwnReview | undefined;
  /** Started by this action with a finding. */
  readonly threads: readonly OwnThread[];
}

export interface OwnReview {
  readonly id: number;
  /** `COMMENTED`, `CHANGES_REQUESTED`, `APPROVED` or `DISMISSED`. */
  readonly state: string;
  readonly body: string;
  readonly commit: string | undefined;
  readonly link: string;
}

export interface OwnThread {
  readonly id: string;
  readonly isResolved: boolean;
  readonly canResolve: boolean;
  readonly path: string;
  readonly side: Side;
  /** The last line, as of the head. Undefined if the line is gone. */
  readonly line: number | undefined;
  readonly hash: string;
  /** Whether this action found it gone and said so. Otherwise a person resolved the thread. */
  readonly isGone: boolean;
  readonly commentId: number;
  readonly body: string;
}

/** GitHub's maximum. */
const pageSize = 100;
/** GitHub lists at most 3,000 files. */
const maxPages = 30;

export async function readStandingReview(
  github: GitHub,
  { marker, ...target }: Target & { readonly marker: string },
): Promise<StandingReview> {
  const place = addressOf(target);
  const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', place);
  const login = (await readOwnLogin(github)).toLowerCase();
  const reviews: OwnReview[] = [];
  for await (const review of listPages(page =>
    github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews', { ...place, ...page }),
  ))
    if (review.user?.login.toLowerCase() === login && carries(review.body, marker))
      reviews.push({
        id: Number(review.id),
        state: review.state,
        body: review.body,
        commit: review.commit_id ?? undefined,
        link: review.html_url,
      });
  return {
    headSha: pull.head.sha,
    // A deleted account has none.
    isOwnPull: pull.user?.login.toLowerCase() === login,
    summary: reviews.at(-1),
    threads: await readThreads(github, { ...target, marker, login }),
  };
}

/** Reads until every path is found. */
export async function readDiff(
  github: GitHub,
  { paths, ...target }: Target & { readonly paths: ReadonlySet<string> },
): Promise<readonly DiffFile[]> {
  const files: DiffFile[] = [];
  const missing = new Set(paths);
  if (missing.size === 0) return files;
  for await (const file of listPages(page =>
    github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}/files', { ...addressOf(target), ...page }),
  )) {
    files.push({ path: file.filename, formerPath: file.previous_filename, hunks: readHunks(file.patch ?? '') });
    missing.delete(file.filename);
    if (missing.size === 0) break;
  }
  return files;
}

interface Thread {
  readonly id: string;
  readonly isResolved: boolean;
  readonly viewerCanResolve: boolean;
  readonly path: string;
  readonly line: number | null;
  readonly diffSide: Side;
  readonly comments: {
    readonly nodes: readonly { readonly databaseId: number; readonly body: string; readonly author: Author | null }[];
  };
}

interface Author {
  readonly __typename: string;
  readonly login: string;
}

interface ThreadPage {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewThreads: {
        readonly nodes: readonly Thread[];
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      };
    };
  };
}

const threadQuery = `query($owner: String!, $repo: String!, $number: Int!, $after: String) {
  repository(owner: $owner, name: $repo) { pullRequest(number: $number) {
    reviewThreads(first: ${pageSize}, after: $after) {
      nodes {
        id isResolved viewerCanResolve path line diffSide
        comments(first: 1) { nodes { databaseId body author { __typename login } } }
      }
      pageInfo { hasNextPage endCursor }
    }
  } }
}`;

/** Only GraphQL knows threads. */
async function readThreads(
  github: GitHub,
  { marker, login, ...target }: Target & { readonly marker: string; readonly login: string },
): Promise<readonly OwnThread[]> {
  const threads: OwnThread[] = [];
  let after: string | null = null;
  for (let page = 0; page < maxPages; page += 1) {
    const answer: ThreadPage = await github.graphql<ThreadPage>(threadQuery, { ...target, after });
    const { nodes, pageInfo } = answer.repository.pullRequest.reviewThreads;
    for (const { id, isResolved, viewerCanResolve, path, line, diffSide, comments } of nodes) {
      const [first] = comments.nodes;
      const [, hash, gone] = readThreadMarker(first?.body ?? '', marker);
      if (first === undefined || hash === undefined || loginOf(first.author) !== login) continue;
      threads.push({
        id,
        isResolved,
        canResolve: viewerCanResolve,
        path,
        side: diffSide,
        line: line ?? undefined,
        hash,
        isGone: gone !== undefined,
        commentId: first.databaseId,
        body: first.body,
      });
    }
    if (!pageInfo.hasNextPage) return threads;
    after = pageInfo.endCursor;
  }
  throw new GitHubError(
    `#${target.number} has more than ${maxPages * pageSize} review threads, so this step cannot tell which findings stand already`,
    {},
  );
}

/** The first line of a comment with a finding. */
export function threadMarker(marker: string, hash: string, isGone = false): string {
  return `${marker}<!-- finding:${hash}${isGone ? ' gone' : ''} -->`;
}

function readThreadMarker(body: string, marker: string): readonly (string | undefined)[] {
  if (!body.startsWith(marker)) return [];
  return /^<!-- finding:([0-9a-f]+)( gone)? -->\r?\n/.exec(body.slice(marker.length)) ?? [];
}

/** GraphQL leaves out the `[bot]` of an app's login. A person may have the login without it. */
function loginOf(author: Author | null): string | undefined {
  if (author === null) return undefined;
  return `${author.login}${author.__typename === 'Bot' ? '[bot]' : ''}`.toLowerCase();
}

interface Page<Item> {
  readonly data: readonly Item[];
  readonly headers: { readonly link?: string };
}

async function* listPages<Item>(
  read: (page: { readonly per_page: number; readonly page: number }) => Promise<Page<Item>>,
): AsyncIterable<Item> {
  for (let page = 1; page <= maxPages; page += 1) {
    const { data, headers } = await read({ per_page: pageSize, page });
    yield* data;
    if (headers.link?.includes('rel="next"') !== true) return;
  }
}

export function addressOf({ owner, repo, number }: Target) {
  return { owner, repo, pull_number: number };
}
