import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createOrigin, type Origin, openGitHost } from '../git-host.ts';
import { createTempFolder } from '../temp-folder.ts';
import type { FakePullRequest, FakeReply } from './fake-pull.ts';
import { refuse, reply, type Shape } from './shapes.ts';

export interface OpenPull {
  readonly number: number;
  readonly html_url: string;
  title: string;
  body: string;
  /** `repo` is that of a fork, or null if it was deleted. @default the repository itself */
  readonly head: { readonly ref: string; readonly repo?: { readonly full_name: string } | null };
  readonly base: { readonly ref: string };
  readonly draft: boolean;
  state: 'open' | 'closed';
  readonly user: { readonly login: string };
  readonly reviewers: string[];
  /** Who reviewed it. */
  readonly reviews?: string[];
}

/** Git data, branches and pull requests of GitHub's API over a real repository, which is also served to git. */
export interface FakeGit {
  readonly origin: Origin;
  /** What `GITHUB_SERVER_URL` is for it. */
  readonly serverUrl: string;
  readonly pulls: OpenPull[];
  /** git in the repository. */
  run(args: readonly string[], input?: string | Uint8Array): string;
  answer(request: FakePullRequest): FakeReply | undefined;
}

const missing = refuse(404, 'Not Found');

export async function openFakeGit(
  files: Readonly<Record<string, string>>,
  { token }: { readonly token: string },
): Promise<FakeGit> {
  const host = await openGitHost({ token });
  const origin = createOrigin(files, { root: host.root, name: 'octo-org/demo' });
  const pulls: OpenPull[] = [];
  const run: FakeGit['run'] = (args, input = '') =>
    execFileSync('git', args, {
      cwd: origin.folder,
      input,
      encoding: 'utf8',
      stdio: ['pipe', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_INDEX_FILE: join(origin.folder, 'api-index'),
        GIT_AUTHOR_NAME: 'GitHub',
        GIT_AUTHOR_EMAIL: 'noreply@example.com',
        GIT_COMMITTER_NAME: 'GitHub',
        GIT_COMMITTER_EMAIL: 'noreply@example.com',
      },
    }).trim();
  const find = (name: string): string | undefined => {
    try {
      return run(['rev-parse', '--verify', '--quiet', name]);
    } catch {
      return undefined;
    }
  };
  const isAncestor = (a: string, b: string) => run(['rev-list', '--count', `${b}..${a}`]) === '0';

  function writeTree(body: Record<string, unknown>): FakeReply {
    const entries = body.tree as readonly Record<string, string | null | undefined>[];
    const folder = createTempFolder();
    const given = entries.filter(({ content }) => content !== undefined);
    const files = given.map(({ content }, index) => {
      writeFileSync(join(folder, String(index)), content ?? '');
      return `${join(folder, String(index))}\n`;
    });
    const made = run(['hash-object', '-w', '--no-filters', '--stdin-paths'], files.join('')).split('\n');
    const shaOf = new Map(given.map((entry, index) => [entry, made[index]]));
    run(['read-tree', String(body.base_tree)]);
    const lines = entries.map(entry => {
      const { path, mode, sha = shaOf.get(entry) } = entry;
      return sha === null ? `0 ${'0'.repeat(40)}\t${path}\n` : `${mode} ${sha}\t${path}\n`;
    });
    // First the removed ones, in whose place a folder can come.
    run(['update-index', '--index-info'], lines.toSorted((a, b) => Number(a[0]) - Number(b[0])).join(''));
    return reply('git-tree', { sha: run(['write-tree']) }, 201);
  }

  function writeRef(name: string, body: Record<string, unknown>, isNew: boolean): FakeReply {
    const [sha, old] = [String(body.sha), find(name)];
    if (isNew === (old !== undefined))
      return refuse(422, isNew ? 'Reference already exists' : 'Reference does not exist');
    if (old !== undefined && body.force !== true && !isAncestor(old, sha))
      return refuse(422, 'Update is not a fast forward');
    run(['update-ref', name, sha]);
    return reply('git-ref', { ref: name, object: { type: 'commit', sha } }, isNew ? 201 : 200);
  }

  function answer({ method, path, query, body, viewer }: FakePullRequest): FakeReply | undefined {
    const rest = /^\/repos\/octo-org\/demo(?:\/(.*))?$/.exec(path)?.[1] ?? '';
    if (path === '/repos/octo-org/demo') return reply('full-repository', { default_branch: 'main' });
    const [, base, head] = /^compare\/(.+)\.\.\.(.+)$/.exec(decodeURIComponent(rest)) ?? [];
    if (base !== undefined && head !== undefined) {
      const [from, to] = [find(base), find(head)];
      if (from === undefined || to === undefined) return missing;
      if (from === to) return reply('commit-comparison', { status: 'identical' });
      const status = isAncestor(to, from) ? 'behind' : isAncestor(from, to) ? 'ahead' : 'diverged';
      return reply('commit-comparison', { status });
    }
    if (rest === 'git/blobs') {
      const sha = run(['hash-object', '-w', '--stdin'], Buffer.from(String(body.content), 'base64'));
      return reply('short-blob', { sha }, 201);
    }
    if (rest === 'git/trees') return writeTree(body);
    if (rest === 'git/commits') {
      const parents = (body.parents as readonly string[]).flatMap(parent => ['-p', parent]);
      const sha = run(['commit-tree', String(body.tree), ...parents], String(body.message));
      return reply('git-commit', { sha }, 201);
    }
    if (rest === 'git/refs') return writeRef(String(body.ref), body, true);
    const [, commit] = /^git\/commits\/(.+)$/.exec(rest) ?? [];
    if (commit !== undefined) {
      const [tree, parents = '', ...message] = run(['show', '-s', '--format=%T%n%P%n%B', commit]).split('\n');
      const shas = parents.split(' ').filter(sha => sha !== '');
      return reply('git-commit', {
        message: message.join('\n'),
        tree: { sha: tree ?? '' },
        parents: shas.map(sha => ({ sha })),
      });
    }
    const [, kind, branch] = /^git\/(refs?)\/heads\/(.+)$/.exec(decodeURIComponent(rest)) ?? [];
    if (kind === 'refs' && method === 'PATCH') return writeRef(`refs/heads/${branch}`, body, false);
    if (kind === 'ref') {
      const sha = find(`refs/heads/${branch}`);
      return sha === undefined ? missing : reply('git-ref', { object: { type: 'commit', sha } });
    }
    if (rest === 'pulls' && method === 'GET')
      return {
        status: 200,
        body: pulls
          .filter(pull => pull.state === 'open' && `octo-org:${pull.head.ref}` === query.get('head'))
          .map(show),
      };
    if (rest === 'pulls') return openPull(body, viewer);
    const [, number, act] = /^pulls\/(\d+)(\/requested_reviewers|\/reviews)?$/.exec(rest) ?? [];
    const pull = pulls.find(each => each.number === Number(number));
    if (pull === undefined) return undefined;
    if (act === '/reviews') return { status: 200, body: (pull.reviews ?? []).map(login => ({ user: { login } })) };
    if (method === 'GET') return reply('pull-request', show(pull));
    if (act === undefined) Object.assign(pull, body);
    else
      pull.reviewers.push(
        ...(body.reviewers as string[]),
        ...(body.team_reviewers as string[]).map(team => `@${team}`),
      );
    return reply('pull-request', show(pull));
  }

  function show(pull: OpenPull): Shape<'pull-request'> {
    const { reviewers, reviews: _, head, ...rest } = pull;
    const { ref, repo = { full_name: 'octo-org/demo' } } = head;
    return {
      ...rest,
      requested_reviewers: reviewers.map(login => ({ login })),
      // GitHub's description lacks the null.
      head: { ref, sha: find(ref) ?? '', repo: repo as { readonly full_name: string } },
    };
  }

  function openPull(body: Record<string, unknown>, login: string): FakeReply {
    const [head, base] = [String(body.head), String(body.base)];
    if (pulls.some(pull => pull.state === 'open' && pull.head.ref === head))
      return refuse(422, 'Validation Failed', { message: 'A pull request already exists' });
    const number = 100 + pulls.length;
    const pull: OpenPull = {
      ...{ number, state: 'open', user: { login }, reviewers: [], reviews: [], draft: body.draft === true },
      ...{ title: String(body.title), body: String(body.body), head: { ref: head }, base: { ref: base } },
      html_url: `https://github.com/octo-org/demo/pull/${number}`,
    };
    pulls.push(pull);
    return reply('pull-request', show(pull), 201);
  }

  return { origin, serverUrl: host.url, pulls, run, answer };
}
