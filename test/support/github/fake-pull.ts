import type { components } from '@octokit/openapi-types';
import { refuse, reply } from './shapes.ts';

type Review = Pick<components['schemas']['pull-request-review'], 'id' | 'body' | 'state' | 'html_url' | 'commit_id'> & {
  readonly user: { readonly login: string };
};
type PullFile = Pick<components['schemas']['diff-entry'], 'filename' | 'patch' | 'previous_filename' | 'status'>;

export interface FakeThread {
  readonly id: string;
  readonly path: string;
  readonly side: 'RIGHT' | 'LEFT';
  readonly startLine: number | null;
  line: number | null;
  isResolved: boolean;
  readonly author: string;
  readonly commentId: number;
  body: string;
}

export interface FakeReply {
  readonly status: number;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface FakePullRequest {
  readonly method: string;
  /** Below the API's address, without a query. */
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Record<string, unknown>;
  /** Login of the token, with `[bot]` for an app. */
  readonly viewer: string;
  readonly mayResolve: boolean;
}

/** A pull request with reviews and threads, as far as GitHub shows and checks them. */
export interface FakePull {
  readonly number: number;
  head: string;
  author: string;
  files: readonly PullFile[];
  /** Whether GitHub refuses to resolve a thread although it said that the token may. */
  refusesToResolve: boolean;
  readonly reviews: Review[];
  readonly threads: FakeThread[];
  /** Undefined for requests that are not about this pull request. */
  answer(request: FakePullRequest): FakeReply | undefined;
}

/** GitHub's maximum of a body. */
const bodyUnits = 65_536;
const place = 'https://github.com/octo-org/demo/pull';
const ok = (body: unknown): FakeReply => ({ status: 200, body });
const unprocessable = (...errors: readonly string[]) => refuse(422, 'Unprocessable Entity', ...errors);

export function createFakePull({
  number,
  head,
  author = 'mona',
  files,
}: Pick<FakePull, 'number' | 'head' | 'files'> & { readonly author?: string }): FakePull {
  let lastId = 5000;
  const pull: FakePull = { number, head, author, files, refusesToResolve: false, reviews: [], threads: [], answer };

  function answer(request: FakePullRequest): FakeReply | undefined {
    const { method, path, query, body } = request;
    if (path === '/graphql') return answerGraphql(request);
    const below = /^\/repos\/[^/]+\/[^/]+\/pulls\/(.*)$/.exec(path)?.[1];
    const [, commentId] = /^comments\/(\d+)$/.exec(below ?? '') ?? [];
    const thread = pull.threads.find(each => each.commentId === Number(commentId));
    if (thread !== undefined && method === 'PATCH') {
      if (thread.author !== request.viewer) return refuse(403, 'Forbidden');
      thread.body = String(body.body);
      return reply('pull-request-review-comment', { id: thread.commentId });
    }
    const [, own, rest = ''] = /^(\d+)(?:\/(.*))?$/.exec(below ?? '') ?? [];
    if (Number(own) !== number) return undefined;
    if (rest === '') return reply('pull-request', { number, head: { sha: pull.head }, user: { login: pull.author } });
    if (rest === 'files') return page(pull.files, query);
    if (rest === 'reviews') return method === 'POST' ? createReview(request) : page(pull.reviews, query);
    const [, id, act] = /^reviews\/(\d+)(\/dismissals)?$/.exec(rest) ?? [];
    const review = pull.reviews.find(each => each.id === Number(id));
    if (review === undefined || method !== 'PUT') return undefined;
    if (act === undefined) Object.assign(review, { body: String(body.body) });
    else if (review.state === 'COMMENTED') return unprocessable('Can not dismiss a commented pull request review');
    else Object.assign(review, { state: 'DISMISSED' });
    return ok(review);
  }

  function createReview({ body, viewer }: FakePullRequest): FakeReply {
    const event = String(body.event);
    const text = String(body.body ?? '');
    const comments = (body.comments ?? []) as readonly Record<string, unknown>[];
    if (event !== 'COMMENT' && viewer === pull.author)
      return unprocessable('Review Can not approve your own pull request');
    if (text === '' && event !== 'APPROVE') return unprocessable('Body is required');
    if ([text, ...comments.map(comment => String(comment.body))].some(each => each.length > bodyUnits))
      return unprocessable('Body is too long (maximum is 65536 characters)');
    if (body.commit_id !== pull.head) return unprocessable('Commit is not part of the pull request');
    if (!comments.every(isOnDiff)) return unprocessable('Line could not be resolved');
    lastId += 1;
    const state = { COMMENT: 'COMMENTED', APPROVE: 'APPROVED', REQUEST_CHANGES: 'CHANGES_REQUESTED' }[event] ?? '';
    const review = {
      id: lastId,
      user: { login: viewer },
      body: text,
      state,
      html_url: `${place}/${number}#pullrequestreview-${lastId}`,
      commit_id: pull.head,
    };
    pull.reviews.push(review);
    for (const comment of comments) {
      lastId += 1;
      pull.threads.push({
        id: `PRRT_${lastId}`,
        path: String(comment.path),
        side: comment.side === 'LEFT' ? 'LEFT' : 'RIGHT',
        startLine: typeof comment.start_line === 'number' ? comment.start_line : null,
        line: Number(comment.line),
        isResolved: false,
        author: viewer,
        commentId: lastId,
        body: String(comment.body),
      });
    }
    return ok(review);
  }

  /** Both ends of a comment are lines of one hunk. */
  function isOnDiff({ path, line, side, start_line: start = line }: Record<string, unknown>): boolean {
    const patch = pull.files.find(file => file.filename === path)?.patch ?? '';
    return patch.split(/^(?=@@ )/m).some(hunk => {
      const [, old = '0', fresh = '0'] = /^@@ -(\d+)\S* \+(\d+)/.exec(hunk) ?? [];
      const numbers = { LEFT: new Set<number>(), RIGHT: new Set<number>() };
      let [left, right] = [Number(old), Number(fresh)];
      for (const text of hunk.split('\n').slice(1)) {
        if (/^[ -]/.test(text)) numbers.LEFT.add(left++);
        if (/^[ +]/.test(text)) numbers.RIGHT.add(right++);
      }
      const held = numbers[side === 'LEFT' ? 'LEFT' : 'RIGHT'];
      return held.has(Number(line)) && held.has(Number(start)) && Number(start) <= Number(line);
    });
  }

  function answerGraphql({ body, mayResolve }: FakePullRequest): FakeReply | undefined {
    const query = String(body.query);
    const variables = (body.variables ?? {}) as Record<string, unknown>;
    if (query.includes('resolveReviewThread')) {
      const thread = pull.threads.find(({ id }) => id === variables.id);
      if (thread === undefined || !mayResolve || pull.refusesToResolve)
        return ok({
          data: null,
          errors: [{ type: 'FORBIDDEN', message: 'Resource not accessible by integration' }],
        });
      thread.isResolved = true;
      return ok({ data: { resolveReviewThread: { thread: { id: thread.id } } } });
    }
    if (!query.includes('reviewThreads')) return undefined;
    const start = Number(variables.after ?? 0);
    const nodes = pull.threads.slice(start, start + 100).map(thread => ({
      id: thread.id,
      isResolved: thread.isResolved,
      viewerCanResolve: mayResolve,
      path: thread.path,
      line: thread.line,
      diffSide: thread.side,
      comments: {
        nodes: [
          {
            databaseId: thread.commentId,
            body: thread.body,
            author: {
              __typename: thread.author.endsWith('[bot]') ? 'Bot' : 'User',
              login: thread.author.replace('[bot]', ''),
            },
          },
        ],
      },
    }));
    const end = start + nodes.length;
    const pageInfo = { hasNextPage: end < pull.threads.length, endCursor: String(end) };
    return ok({ data: { repository: { pullRequest: { reviewThreads: { nodes, pageInfo } } } } });
  }

  return pull;
}

function page(items: readonly unknown[], query: URLSearchParams): FakeReply {
  const [number, size] = [Number(query.get('page') ?? 1), Number(query.get('per_page') ?? 30)];
  const hasNext = items.length > number * size;
  return {
    ...ok(items.slice((number - 1) * size, number * size)),
    headers: hasNext ? { link: `<https://api.github.com/?page=${number + 1}>; rel="next"` } : {},
  };
}
