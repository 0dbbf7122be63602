import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { sizes } from '../../../src/contract/tables/sizes.ts';
import type { Environment, GitHost } from '../../../src/server/environments/environment.ts';
import { createAppTokens } from '../../../src/server/environments/github-app.ts';
import { grantToken, openFakeGitHub } from '../../support/fake-github.ts';
import { createOrigin, git, openGitHost } from '../../support/git-host.ts';
import { done, openTalk, patchOf, session } from './conversation-fixture.ts';
import { environmentOf, inShop, repositoryAt } from './environment-fixture.ts';
import { block, openBench, warningsOf, writeTree } from './worker-fixture.ts';

const token = 'token-of-the-host-0123456789';
const change = block('echo more >>a.txt; printf "\\0\\1" >"new ü"; mkdir -p .github; echo x >.github/x');

/** A host that takes pushes and pull requests with a token, and one repository on it. */
async function openHost(
  more: Partial<Environment> = {},
  readToken: (apiUrl: string) => GitHost['token'] = () => token,
) {
  const [host, api] = [await openGitHost({ token }), await openFakeGitHub()];
  const origin = createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const repositories = [repositoryAt(`${host.url}/octo-org/shop.git`)];
  const bench = await openBench({
    environments: [environmentOf(undefined, { repositories, publish: 'pull_request', ...more })],
    git: { hosts: { [host.host]: { token: readToken(api.apiUrl), apiUrl: api.apiUrl } }, env: {} },
  });
  return { host, api, origin, bench };
}

const privateKey = generateKeyPairSync('rsa', { modulusLength: 2048 })
  .privateKey.export({ type: 'pkcs8', format: 'pem' })
  .toString();
const signInAsApp = (apiUrl: string) => createAppTokens({ id: 12345, privateKey, apiUrl });

const pulls = 'POST /repos/octo-org/shop/pulls';
/** A fault counts its uses, so every test needs its own. */
const opened = () => ({ on: pulls, status: 201, body: { html_url: 'https://example.com/pull/1' } });

test('a success becomes a branch with one commit and a pull request, and the run lists both', async () => {
  const { api, origin, bench } = await openHost();
  api.faults.push(opened());
  const { run, log } = await bench.work(
    change + block('printf "\\033[32mFixes #1,\\033[0m @octo-org/team \\`\\`\\`\\n"; git commit -qam own || true'),
    inShop,
  );
  const branch = `agent-run/${run.runId}`;
  expect(run.state).toBe('SUCCEEDED');
  expect(run.artifacts[0]).toMatchObject({ type: 'PULL_REQUEST', data: { url: 'https://example.com/pull/1', branch } });
  expect(log.system).toMatch(
    new RegExp(
      `publishing the branch ${branch} to octo-org/shop, http://[^\\n]*\\npushed the branch ${branch} to octo-org/shop\\n`,
    ),
  );
  expect(log.system).toContain('opened the pull request https://example.com/pull/1\n');
  expect(origin.branches()).toEqual([branch, 'main']);
  expect(origin.read(branch, 'a.txt')).toBe('a\nmore');
  expect(origin.read(branch, 'new ü')).toBe('\0\x01');
  expect(git(origin.folder, 'log', '--format=%an %s|%b', `main..${branch}`)).toBe(`agent-run a run|Run: ${run.runId}`);
  const [request] = api.requests;
  expect(request?.token).toBe(`token ${token}`);
  expect(request?.body).toMatchObject({ title: 'a run', head: branch, base: 'main' });
  const { body } = (request?.body ?? {}) as { body: string };
  expect(body).toMatch(/^`{20}text\nFixes #1, @octo-org\/team ```\n`{20}\n/);
  expect(body).toContain(`[${run.runId}](https://agents.example.com/runs/${run.runId})`);
});

test('a GitHub App token clones, pushes, opens pull requests, serves two runs and never shows', async () => {
  const { api, origin, bench } = await openHost({}, signInAsApp);
  api.faults.push(...grantToken(token), { ...opened(), times: 2 });
  const ended = [await bench.work(change + block('env'), inShop), await bench.work(change + block('env'), inShop)];
  expect(ended.map(({ run }) => [run.state, run.artifacts[0]?.type])).toEqual(
    ended.map(() => ['SUCCEEDED', 'PULL_REQUEST']),
  );
  expect(origin.branches()).toHaveLength(3);
  expect(api.calls().filter(call => call.endsWith('/access_tokens'))).toHaveLength(1);
  expect(api.requests.filter(({ path }) => path.endsWith('/pulls')).map(request => request.token)).toEqual(
    ended.map(() => `token ${token}`),
  );
  const everything = JSON.stringify([ended, bench.logged]);
  for (const secret of [token, btoa(`x-access-token:${token}`), privateKey.slice(100, 140)])
    expect(everything).not.toContain(secret);
});

test('a GitHub App without access fails the run with what to do', async () => {
  const { host, bench } = await openHost({}, signInAsApp);
  const { run } = await bench.work(change, inShop);
  expect(run.statusMessage).toMatchObject({
    error_code: 'environment_setup_failed',
    message: expect.stringMatching(
      /could not be cloned from .*\. GitHub App 12345 is not installed on octo-org\/shop\. Install it there/,
    ),
  });
  expect(host.seen).toEqual([]);
});

test('an App that loses access during the run is not mistaken for a missing commit', async () => {
  const granted = [token, token];
  const { bench } = await openHost({}, () => async () => {
    const next = granted.pop();
    if (next === undefined) throw new Error('GitHub App 12345 is not installed on octo-org/shop');
    return next;
  });
  const { run } = await bench.work(change, inShop);
  expect(run.statusMessage).toMatchObject({
    error_code: 'publish_failed',
    message: expect.stringMatching(/: could not fetch \w{40} from octo-org\/shop\. GitHub App 12345 is not installed/),
  });
});

test('a continued conversation publishes all its changes, from the same first commit', async () => {
  const host = await openGitHost({ token });
  const origin = createOrigin({ 'a.txt': 'a\n' }, { root: host.root });
  const repositories = [repositoryAt(`${host.url}/octo-org/shop.git`)];
  const talk = await openTalk({
    environments: [environmentOf(undefined, { repositories, publish: 'branch' })],
    git: { hosts: { [host.host]: { token, apiUrl: host.url } }, env: {} },
  });
  const first = await talk.work(`${session}; echo one >> a.txt; ${done}`, inShop);
  const second = await talk.continueRun(first.run, `${session}; echo two >> a.txt; ${done}`);
  expect([second.run.state, second.run.statusMessage]).toEqual(['SUCCEEDED', undefined]);
  expect(patchOf(talk, second)).toMatch(/^ one\n\+two$/m);
  expect(origin.read(`agent-run/${first.run.runId}`, 'a.txt')).toBe('a\none');
  expect(origin.read(`agent-run/${second.run.runId}`, 'a.txt')).toBe('a\none\ntwo');
});

test('no token is in events, results, logs, or files after a published run', async () => {
  const { api, bench } = await openHost();
  api.faults.push(opened());
  const { run, result, events, left } = await bench.work(change, inShop);
  const everything = JSON.stringify([run, result, events, bench.logged]);
  for (const secret of [token, btoa(`x-access-token:${token}`)]) expect(everything).not.toContain(secret);
  expect(left).toEqual([]);
});

test('hooks, filters and settings in an agent’s clone never run with the token', async () => {
  const seen = await writeTree({});
  const { api, origin, bench } = await openHost();
  api.faults.push(opened());
  const spy = join(seen, 'spy');
  const trap = block(`
cat >"${spy}" <<'END'
#!/bin/bash
env >>"${seen}/env"
cat
END
chmod +x "${spy}"
mkdir -p .git/hooks "$HOME/../publish/repository/hooks" "$HOME/.config/git"
for hook in pre-push post-checkout reference-transaction pre-commit post-index-change; do
  cp "${spy}" ".git/hooks/$hook"; cp "${spy}" "$HOME/../publish/repository/hooks/$hook"
done
git config core.hooksPath "$PWD/.git/hooks"
git config core.fsmonitor "${spy}"
git config credential.helper "!${spy}"
git config filter.spy.clean "${spy}"
git config filter.spy.smudge "${spy}"
git config filter.spy.required true
git config url.http://127.0.0.1:1/.insteadOf "http://127.0.0.1"
git config http.proxy http://127.0.0.1:1
git config core.sshCommand "${spy}"
cp .git/config "$HOME/.gitconfig"; cp .git/config "$HOME/.config/git/config"
echo "* filter=spy diff=spy" >.gitattributes
echo more >>a.txt
echo done
`);
  const { run } = await bench.work(trap, inShop);
  expect(run.statusMessage).toBeUndefined();
  expect(origin.read(`agent-run/${run.runId}`, 'a.txt')).toBe('a\nmore');
  // The filter did run in the agent's clone, where there is no token.
  const said = readFileSync(join(seen, 'env'), 'utf8');
  expect(said).toContain('GIT_INDEX_FILE=');
  for (const secret of [token, btoa(`x-access-token:${token}`)]) expect(said).not.toContain(secret);
});

test('publishing only a branch creates a reference, and asks no API', async () => {
  const { host, api, origin, bench } = await openHost({ publish: 'branch' });
  const { run } = await bench.work(change, inShop);
  const branch = `agent-run/${run.runId}`;
  expect(run.artifacts[0]).toMatchObject({
    type: 'EXTERNAL_REFERENCE',
    data: { reference_type: 'branch', url: `${host.url}/octo-org/shop/tree/${branch}`, title: branch },
  });
  expect([origin.branches(), api.requests]).toEqual([[branch, 'main'], []]);
});

test('of several repositories, the changed ones are published, each with its own changes', async () => {
  const root = await writeTree({});
  const [shop, tools] = [
    createOrigin({ 'a.txt': 'a\n' }, { root }),
    createOrigin({ 'b.txt': 'b\n' }, { root, name: 'octo-org/tools' }),
  ];
  const repositories = [repositoryAt(shop.url, { path: 'shop' }), repositoryAt(tools.url, { path: 'libs/tools' })];
  const bench = await openBench({ environments: [environmentOf(undefined, { repositories, publish: 'branch' })] });
  const { run } = await bench.work(block('echo more >>libs/tools/b.txt; echo done'), inShop);
  expect(shop.branches()).toEqual(['main']);
  expect(tools.read(`agent-run/${run.runId}`, 'b.txt')).toBe('b\nmore');
});

test('a run that failed or changed nothing publishes nothing', async () => {
  const { api, origin, bench } = await openHost();
  const same = await bench.work(block('echo done'), inShop);
  expect([same.run.state, same.log.system.includes('nothing changed')]).toEqual(['SUCCEEDED', true]);
  const bad = await bench.work(change + block('exit 1'), inShop);
  expect(bad.run.state).toBe('FAILED');
  expect([origin.branches(), api.requests]).toEqual([['main'], []]);
});

test('a run fails without its pull request, but keeps result, patch and branch', async () => {
  const { api, origin, bench } = await openHost();
  const errors = [{ message: `No commits, ${token}` }, { resource: 'PullRequest', field: 'base', code: 'invalid' }];
  api.faults.push({ ...opened(), status: 422, body: { message: 'Validation Failed', errors } });
  const { run, result } = await bench.work(change + block('echo the result'), inShop);
  const branch = `agent-run/${run.runId}`;
  expect(run.state).toBe('FAILED');
  expect(run.statusMessage).toEqual({
    message: `the agent succeeded, but publishing its changes failed: the branch ${branch} is in octo-org/shop, but no pull request for main could be opened: the host answered 422: Validation Failed; No commits, ***; base: invalid`,
    error_code: 'publish_failed',
    retryable: false,
  });
  expect(result).toBe('the result\n');
  expect(run.artifacts.map(({ type }) => type)).toEqual(['EXTERNAL_REFERENCE', 'FILE']);
  expect(origin.branches()).toContain(branch);
});

test('a pull request whose response got lost is found, not opened twice', async () => {
  const { api, bench } = await openHost();
  const found = [{ html_url: 'https://example.com/pull/9' }];
  api.faults.push({ on: pulls, how: 'lost' }, { on: 'GET /repos/octo-org/shop/pulls', status: 200, body: found });
  const { run } = await bench.work(change, inShop);
  expect(run.artifacts[0]?.data.url).toBe('https://example.com/pull/9');
  expect(api.calls()).toEqual([pulls, 'GET /repos/octo-org/shop/pulls']);
  expect(api.requests[1]?.path).toContain(`head=octo-org%3Aagent-run%2F${run.runId}`);
});

test('a redirect of the API does not get the token', async () => {
  const { api, bench } = await openHost();
  const other = await openFakeGitHub();
  const headers = { location: `${other.apiUrl}/repos/octo-org/shop/pulls` };
  api.faults.push({ ...opened(), status: 307, headers }, { on: 'GET', status: 500 });
  const { run } = await bench.work(change, inShop);
  expect([run.statusMessage?.error_code, other.requests]).toEqual(['publish_failed', []]);
  expect(run.statusMessage?.message).toContain(
    `but no pull request for main could be opened: ${api.apiUrl} redirects to ${new URL(other.apiUrl).origin} (status 307), and the token is not sent to another address; set \`api_url\` to the final address`,
  );
});

test('the base of a pull request is the checked-out branch, unless the environment names another', async () => {
  const [plain, based] = [await openHost(), await openHost({ publishBase: 'develop' })];
  for (const { api, origin, bench } of [plain, based]) {
    api.faults.push(opened());
    origin.commit({ 'b.txt': 'b\n' }, 'fix');
    expect((await bench.work(change, inShop, { ref: 'fix' })).run.state).toBe('SUCCEEDED');
  }
  expect([plain, based].map(({ api }) => api.requests[0]?.body)).toMatchObject([{ base: 'fix' }, { base: 'develop' }]);
});

test('changes that need those of a setup command are reported as such', async () => {
  const { origin, bench } = await openHost({ setup: ['seq 5 >a.txt'] });
  const { run } = await bench.work(block('seq 6 >a.txt; echo done'), inShop);
  expect(run.statusMessage?.message).toMatch(
    /the changes do not apply to octo-org\/shop at \w{7} without the changes of the setup commands\. .*a\.txt/,
  );
  expect(origin.branches()).toEqual(['main']);
});

test('files of a repository that an agent created in its clone are published', async () => {
  const { origin, bench } = await openHost({ publish: 'branch' });
  const made =
    'mkdir lib; cd lib; git init -q; echo x >code.js; git add .; git -c user.name=o -c user.email=o@o commit -qm x';
  const { run } = await bench.work(block(`${made}; echo done`), inShop);
  expect(run.statusMessage).toBeUndefined();
  expect(origin.read(`agent-run/${run.runId}`, 'lib/code.js')).toBe('x');
});

test('a cut result is mentioned in the pull request, and in a run that was not published', async () => {
  const { api, bench } = await openHost();
  api.faults.push({ ...opened(), status: 422, body: { message: 'Validation Failed' } });
  const { run } = await bench.work(change + block('yes | head -c 5000000 || :'), inShop);
  const leftOut = 5_000_000 - sizes.resultBytes;
  expect(run).toMatchObject({ statusMessage: { error_code: 'publish_failed' }, result: { left_out_bytes: leftOut } });
  const [request] = api.requests;
  const { body } = (request?.body ?? {}) as { body: string };
  expect(body).toContain(`text\n[the first ${leftOut} bytes of the result were cut]\ny\n`);
});

test.each([
  ['before the agent', ['rm .git/HEAD'], ':', 'when the agent began, git cannot read the repository'],
  ['after it', [], 'rm .git/HEAD', 'git ls-files failed'],
])('nothing is published if git cannot find the changes: %s', async (_, setup, code, message) => {
  const { origin, bench } = await openHost({ publish: 'branch', setup });
  const { run } = await bench.work(block(`${code}; echo more >>a.txt; echo done`), inShop);
  expect(run.statusMessage).toMatchObject({
    error_code: 'publish_failed',
    message: expect.stringContaining(message),
  });
  expect(origin.branches()).toEqual(['main']);
});

test('a branch is published without work outside the patch, and the log names that work', async () => {
  const { origin, bench } = await openHost({ publish: 'branch' });
  const ended = await bench.work(
    block('git worktree add -q ../wt; echo x >git~1; echo more >>a.txt; echo done'),
    inShop,
  );
  expect(warningsOf(ended)).toEqual(['warning: not in changes.patch: the worktree "../wt"; invalid path \'git~1\'']);
  expect(origin.read(`agent-run/${ended.run.runId}`, 'a.txt')).toBe('a\nmore');
});

test('a change in another worktree only is not logged as no change', async () => {
  const { bench } = await openHost({ publish: 'branch' });
  const { run, log } = await bench.work(block('git worktree add -q ../wt; echo done'), inShop);
  expect(run.state).toBe('SUCCEEDED');
  expect(log.system).toContain('nothing changed in the working tree itself, so nothing was published\n');
});
