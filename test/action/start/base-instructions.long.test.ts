/** A pull request from a fork in a step without a server: which instruction files the agent meets. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { runAction } from '../../../src/action/run-action.ts';
import { pathOfEvent } from '../../support/event.ts';
import { createTempFolder } from '../../support/temp-folder.ts';
import { createFakeHost } from '../fake-host.ts';

interface Job {
  readonly workspace: string;
  readonly base: string;
  readonly requests: string[];
  git(...args: string[]): string;
  write(files: Readonly<Record<string, string>>): void;
  commit(): string;
  /** The agent is this script. */
  step(script: string, more?: StepMore): Promise<ReturnType<typeof createFakeHost>>;
}

interface StepMore {
  readonly eventName?: string;
  readonly event?: unknown;
  readonly sha?: string;
  readonly inputs?: Readonly<Record<string, string>>;
}

/** A checkout of `octo-org/demo`, and a GitHub that has the same commits. */
async function openJob(baseFiles: Readonly<Record<string, string>>): Promise<Job> {
  const [workspace, tempDir] = [createTempFolder(), createTempFolder()];
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=mona', '-c', 'user.email=mona@example.com', ...args], {
      cwd: workspace,
      encoding: 'utf8',
    });
  const write = (files: Readonly<Record<string, string>>) => {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(workspace, path)), { recursive: true });
      writeFileSync(join(workspace, path), text);
    }
  };
  const commit = () => {
    git('add', '--all');
    git('commit', '--quiet', '--allow-empty', '--message', 'x');
    return git('rev-parse', 'HEAD').trim();
  };
  git('init', '--quiet', '--initial-branch=main');
  git('remote', 'add', 'origin', 'https://github.com/octo-org/demo');
  write({ 'src/main.txt': 'one\n', ...baseFiles });
  const base = commit();
  const requests: string[] = [];
  const objects = createServer((request, response) => {
    requests.push(`${request.method} ${request.url}`);
    const [, kind = '', id = ''] = /\/git\/(trees|blobs)\/(\w+)/.exec(request.url ?? '') ?? [];
    const isPull = /\/pulls\/12$/.test(request.url ?? '');
    const repo = (number: number) => ({ id: number });
    const pull = { head: { repo: repo(2) }, base: { repo: repo(1), sha: base } };
    response.writeHead(kind === '' && !isPull ? 404 : 200, { 'Content-Type': 'application/json' });
    const body =
      kind === 'trees'
        ? { sha: id, truncated: false, tree: listTree(git, id) }
        : kind === 'blobs'
          ? readBlob(git, id)
          : pull;
    response.end(JSON.stringify(body));
  });
  await new Promise<void>(ready => objects.listen(0, '127.0.0.1', ready));
  onTestFinished(() => void objects.close());
  const apiUrl = `http://127.0.0.1:${(objects.address() as AddressInfo).port}`;
  return {
    workspace,
    base,
    requests,
    git,
    write,
    commit,
    async step(script, { eventName = 'pull_request', event, sha = '0'.repeat(40), inputs = {} } = {}) {
      const eventPath = join(tempDir, 'event.json');
      writeFileSync(eventPath, JSON.stringify(event ?? forkEvent(base)));
      const host = createFakeHost(
        {
          prompt: 'x',
          command: JSON.stringify(['sh', '-c', script]),
          github_token: 'a-token-of-the-job',
          require_permission: 'none',
          ...inputs,
        },
        {
          PATH: process.env.PATH ?? '',
          GITHUB_WORKSPACE: workspace,
          RUNNER_TEMP: tempDir,
          GITHUB_REPOSITORY: 'octo-org/demo',
          GITHUB_EVENT_NAME: eventName,
          GITHUB_EVENT_PATH: eventPath,
          GITHUB_SHA: sha,
          GITHUB_ACTOR: 'mona',
          GITHUB_API_URL: apiUrl,
        },
      );
      await runAction(host);
      return host;
    },
  };
}

type Git = Job['git'];

function listTree(git: Git, commit: string) {
  const lines = git('ls-tree', '-r', commit).trim().split('\n');
  return lines.map(line => {
    const [, mode, type, sha, path] = /^(\d+) (\w+) (\w+)\t(.+)$/.exec(line) ?? [];
    return { mode, type, sha, path };
  });
}

function readBlob(git: Git, sha: string) {
  return { sha, encoding: 'base64', content: Buffer.from(git('cat-file', 'blob', sha)).toString('base64') };
}

function forkEvent(base: string, isFork = true) {
  const event = JSON.parse(readFileSync(pathOfEvent('pull_request-fork'), 'utf8'));
  event.pull_request.base.sha = base;
  if (!isFork) event.pull_request.head.repo = event.pull_request.base.repo;
  return event;
}

const ofBase = { 'CLAUDE.md': 'base\n', '.mcp.json': '{}\n', 'sub/AGENTS.md': 'base sub\n' };
const ofFork = {
  'CLAUDE.md': 'fork\n',
  '.claude/settings.json': '{"hooks":{}}\n',
  'sub/AGENTS.md': 'base sub\n',
  'src/main.txt': 'two\n',
};
const show = 'cat CLAUDE.md sub/AGENTS.md; ls -A; git status --porcelain';

test('the agent meets the files of the base branch, git sees no change, and the fork gets its own back', async () => {
  const job = await openJob(ofBase);
  job.write(ofFork);
  rmSync(join(job.workspace, '.mcp.json'));
  job.commit();
  const host = await job.step(show);
  expect(host.outputs.conclusion).toBe('succeeded');
  expect(host.outputs.result).toBe('base\nbase sub\n.git\n.mcp.json\nCLAUDE.md\nsrc\nsub\n');
  expect(host.outputs.patch_file).toBe('');
  const named = `from the base branch at ${job.base.slice(0, 7)}`;
  expect(host.lines).toContain(`pull request from a fork: the agent gets CLAUDE.md, .mcp.json ${named}`);
  expect(host.lines).toContain(
    `pull request from a fork: hidden from the agent, because they are not in the base branch at ${job.base.slice(0, 7)}: .claude/settings.json`,
  );
  expect(job.git('status', '--porcelain', '--ignored')).toBe('');
  expect(readFileSync(join(job.workspace, 'CLAUDE.md'), 'utf8')).toBe('fork\n');
  expect(readdirSync(job.workspace).sort()).toEqual(['.claude', '.git', 'CLAUDE.md', 'src', 'sub']);
  expect(job.git('ls-files', '-t').match(/^S/gm)).toBeNull();
  expect(readdirSync(join(job.workspace, '.git')).filter(name => name.startsWith('agent-run'))).toEqual([]);
});

test('the patch and a commit of the agent have its own work alone', async () => {
  const job = await openJob(ofBase);
  job.write(ofFork);
  rmSync(join(job.workspace, '.mcp.json'));
  job.commit();
  const commit = 'git add -A && git -c user.name=a -c user.email=a@example.com commit -qam done';
  const host = await job.step(
    `echo three > src/main.txt; echo more >> CLAUDE.md; echo x > .mcp.json; ${commit}; echo done`,
  );
  const patch = readFileSync(host.outputs.patch_file ?? '', 'utf8');
  expect(patch.match(/^diff .*/gm)).toEqual(['diff --git a/src/main.txt b/src/main.txt']);
  expect(job.git('show', '--name-only', '--format=', 'HEAD')).toBe('src/main.txt\n');
  expect(readFileSync(join(job.workspace, 'CLAUDE.md'), 'utf8')).toBe('fork\n');
  expect(existsSync(join(job.workspace, '.mcp.json'))).toBe(false);
  expect(job.git('status', '--porcelain')).toBe('');
});

test('a link of the fork is replaced, and nothing is written through one', async () => {
  const job = await openJob({
    'CLAUDE.md': 'base\n',
    'docs/AGENTS.md': 'base docs\n',
    '.claude/settings.json': '{}\n',
  });
  const outside = createTempFolder();
  writeFileSync(join(outside, 'evil.md'), 'evil\n');
  for (const path of ['CLAUDE.md', 'docs', '.claude']) rmSync(join(job.workspace, path), { recursive: true });
  symlinkSync(join(outside, 'evil.md'), join(job.workspace, 'CLAUDE.md'));
  for (const path of ['docs', '.claude']) symlinkSync(outside, join(job.workspace, path));
  job.commit();
  const host = await job.step('cat CLAUDE.md .claude/settings.json');
  expect(host.outputs.result).toBe('base\n{}\n');
  expect(readdirSync(outside)).toEqual(['evil.md']);
  expect(lstatSync(join(job.workspace, '.claude')).isSymbolicLink()).toBe(true);
  expect(job.git('status', '--porcelain')).toBe('');
});

test('without an answer of GitHub the agent works without instruction files, and the log warns', async () => {
  const job = await openJob(ofBase);
  job.write(ofFork);
  job.commit();
  const host = await job.step('ls -A; ls sub', { inputs: { github_token: '' } });
  expect(host.outputs.result).toBe('.git\nsrc\nsub\n');
  expect(host.warnings.join()).toContain('the instruction files of the base branch could not be read, so the agent');
  expect(job.git('status', '--porcelain')).toBe('');
});

test('a pull request that the event does not describe counts as a fork without a base', async () => {
  const job = await openJob(ofBase);
  job.write(ofFork);
  job.commit();
  const host = await job.step('ls -A', { eventName: 'pull_request_review', event: {} });
  expect(host.outputs.result).toBe('.git\nsrc\nsub\n');
  expect(host.warnings.join()).toContain('so the agent works without any: the event does not name it');
});

test('a pull request of the repository itself keeps its files, and GitHub is not asked', async () => {
  const job = await openJob(ofBase);
  job.write(ofFork);
  job.commit();
  const host = await job.step('cat CLAUDE.md', { event: forkEvent(job.base, false) });
  expect([host.outputs.result, job.requests]).toEqual(['fork\n', []]);
});

test('the checkout of another repository keeps its files', async () => {
  const job = await openJob(ofBase);
  job.write(ofFork);
  job.commit();
  job.git('remote', 'set-url', 'origin', 'git@github.com:octo-org/tools.git');
  expect((await job.step('cat CLAUDE.md')).outputs.result).toBe('fork\n');
});

test('a fork in a folder of the checkout of the base is replaced as well', async () => {
  const job = await openJob(ofBase);
  job.git('clone', '--quiet', '.', 'pr');
  job.git('-C', 'pr', 'remote', 'set-url', 'origin', 'https://github.com/octo-org/demo');
  job.write({ 'pr/CLAUDE.md': 'fork\n', 'pr/.claude/settings.json': '{"hooks":{}}\n' });
  job.git('-C', 'pr', 'add', '--all');
  job.git('-C', 'pr', 'commit', '--quiet', '--message', 'x');
  const host = await job.step('cat CLAUDE.md pr/CLAUDE.md; ls -A pr');
  expect(host.outputs.result).toBe('base\nbase\n.git\n.mcp.json\nCLAUDE.md\nsrc\nsub\n');
  expect(readFileSync(join(job.workspace, 'pr/CLAUDE.md'), 'utf8')).toBe('fork\n');
  expect(job.git('-C', 'pr', 'status', '--porcelain')).toBe('');
});

test('a comment on a pull request counts as its fork only if the job checked that out', async () => {
  const job = await openJob(ofBase);
  const comment = {
    eventName: 'issue_comment',
    event: JSON.parse(readFileSync(pathOfEvent('issue_comment-pull'), 'utf8')),
  };
  expect((await job.step('cat CLAUDE.md', { ...comment, sha: job.base })).outputs.result).toBe('base\n');
  expect(job.requests).toEqual([]);
  job.write(ofFork);
  job.commit();
  expect((await job.step('cat CLAUDE.md', { ...comment, sha: job.base })).outputs.result).toBe('base\n');
  expect(job.requests[0]).toBe('GET /repos/octo-org/demo/pulls/12');
});

test('a run that fails puts the files of the fork back', async () => {
  const job = await openJob(ofBase);
  job.write(ofFork);
  job.commit();
  const host = await job.step('kill -9 $$');
  expect(host.outputs.conclusion).toBe('failed');
  expect(readFileSync(join(job.workspace, 'CLAUDE.md'), 'utf8')).toBe('fork\n');
});
