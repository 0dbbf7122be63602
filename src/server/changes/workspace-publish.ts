/**
 * Publishes a run's changes as a branch and a pull request. The agent's clone is not used: its patch is applied to a
 * commit fetched into a new folder, so no hook, filter or setting of the agent sees the token.
 */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { removeTree } from '../../border/folders.ts';
import { plainLine } from '../../border/terminal-text.ts';
import type { Environment } from '../environments/environment.ts';
import { RunFailure } from '../run-failure.ts';
import type { ArtifactDraft, StoredRun } from '../store/store.ts';
import type { Clone } from '../workspace/environment-clone.ts';
import { explainGit, type HostParts, runHostGit } from '../workspace/git-host.ts';
import { askGit, type GitOutcome, runGit } from '../workspace/run-git.ts';
import { writeTexts } from './patch-file.ts';
import { openPullRequest, printPullRequestBody } from './pull-request.ts';
import type { Changes, Patch } from './workspace-changes.ts';

export interface PublishParts extends HostParts {
  readonly run: StoredRun;
  readonly signal: AbortSignal;
  /** Writes a line to the run's log. */
  readonly writeLog: (text: string) => Promise<void>;
  /** Called with each published item as soon as it exists. */
  readonly onArtifact: (artifact: ArtifactDraft) => void;
  /**
   * Address of the run's page, without the token that opens it: more people read a pull request than may read the
   * run.
   */
  readonly pageUrl: (runId: string) => string;
}

interface Publication {
  readonly environment: Environment;
  readonly clones: readonly Clone[];
  readonly changes: Changes;
  readonly resultText: string;
}

const author = { name: 'agent-run', email: 'agent-run@localhost' };

/** Throws RunFailure (publish_failed), and errors of `execute`. */
export async function publishChanges(publication: Publication, parts: PublishParts): Promise<void> {
  const { clones, changes } = publication;
  if (changes.lost !== undefined) throw failed(changes.lost);
  if (changes.patches.length === 0) {
    const where = changes.outside.length === 0 ? '' : ' in the working tree itself';
    return await parts.writeLog(`nothing changed${where}, so nothing was published`);
  }
  for (const patch of changes.patches) {
    const clone = clones.find(({ repository }) => repository.path === patch.path);
    if (clone !== undefined) await publishPatch(publication, { clone, patch }, parts);
  }
}

async function publishPatch(
  { environment, resultText }: Publication,
  { clone, patch }: { readonly clone: Clone; readonly patch: Patch },
  parts: PublishParts,
): Promise<void> {
  const { name, url } = clone.repository;
  const { run } = parts;
  const branch = `agent-run/${run.runId}`;
  await parts.writeLog(`publishing the branch ${branch} to ${name}, ${url}`);
  const commit = await makeCommit({ clone, patch }, parts);
  const pushed = await runHostGit(commit.parts, url, [
    ...['push', '--quiet', '--no-verify', '--no-recurse-submodules', '--', url],
    `${commit.sha}:refs/heads/${branch}`,
  ]);
  check(pushed, `could not push the branch ${branch} to ${name}`);
  await parts.writeLog(`pushed the branch ${branch} to ${name}`);
  const host = parts.git.hosts[new URL(url).host];
  if (environment.publish === 'branch' || host === undefined) {
    parts.onArtifact(describeBranch(clone, branch, host !== undefined));
    return;
  }
  const base = environment.publishBase ?? clone.branch ?? clone.usualBranch;
  if (base === undefined)
    throw failed(`${name}: no branch was checked out that the pull request could be for; name one with publish_base`);
  const opened = await openPullRequest(
    {
      repository: name,
      title: oneLine(run.title),
      body: printPullRequestBody(resultText, { runId: run.runId, pageUrl: parts.pageUrl(run.runId) }),
      head: branch,
      base,
    },
    { host, signal: parts.signal },
  ).catch((error: unknown) => {
    parts.onArtifact(describeBranch(clone, branch, true));
    if (parts.signal.aborted || !(error instanceof Error)) throw error;
    throw failed(
      `the branch ${branch} is in ${name}, but no pull request for ${base} could be opened: ${error.message}`,
    );
  });
  parts.onArtifact({ type: 'PULL_REQUEST', data: { url: opened, branch } });
  await parts.writeLog(`opened the pull request ${opened}`);
}

/**
 * Applies the patch to the commit that the run began with. Without a working tree, git executes nothing that the tree
 * asks for.
 */
async function makeCommit(
  { clone, patch }: { readonly clone: Clone; readonly patch: Patch },
  parts: PublishParts,
): Promise<{ readonly sha: string; readonly parts: HostParts }> {
  const { name, url, path } = clone.repository;
  if (clone.commit === undefined) throw failed(`${name} is empty, so there is no commit to branch from`);
  const root = join(parts.folder.root, 'publish');
  await removeTree(root);
  const folder = {
    ...parts.folder,
    workspace: join(root, 'repository'),
    state: join(root, 'state'),
    home: join(root, 'home'),
  };
  for (const made of [root, folder.workspace, folder.state, folder.home]) await mkdir(made, { mode: 0o700 });
  const own = { git: parts.git, signal: parts.signal, searchPath: parts.searchPath, execute: parts.execute, folder };
  check(await runGit(own, ['init', '--quiet', '--bare', '--template=']), `${name}: git cannot make a repository`);
  const fetched = await runHostGit(own, url, [
    ...['fetch', '--quiet', '--depth=1', '--no-tags', '--no-recurse-submodules', '--', url, `+${clone.commit}`],
  ]);
  check(fetched, `could not fetch ${clone.commit} from ${name}`);
  check(await runGit(own, ['read-tree', clone.commit]), `${name}: git cannot read ${clone.commit}`);
  const depth = path === '.' ? 1 : 1 + path.split('/').length;
  const patchFile = join(root, 'patch');
  await writeTexts([patch], patchFile);
  const applied = await runGit(own, ['apply', '--cached', '--whitespace=nowarn', `-p${depth}`, '--', patchFile]);
  check(
    applied,
    `the changes do not apply to ${name} at ${clone.commit.slice(0, 7)} without the changes of the setup commands`,
  );
  const tree = (await askGit(own, ['write-tree']))?.trim() ?? '';
  const env = {
    GIT_AUTHOR_NAME: author.name,
    GIT_AUTHOR_EMAIL: author.email,
    GIT_COMMITTER_NAME: author.name,
    GIT_COMMITTER_EMAIL: author.email,
  };
  const message = ['-m', oneLine(parts.run.title), '-m', `Run: ${parts.run.runId}`];
  const sha = (await askGit(own, ['commit-tree', '-p', clone.commit, ...message, tree], { env }))?.trim();
  if (sha === undefined) throw failed(`${name}: git cannot make a commit`);
  return { sha, parts: own };
}

function describeBranch({ repository: { name, url } }: Clone, branch: string, hasPages: boolean): ArtifactDraft {
  const page = url.replace(/\/+$/, '').replace(/\.git$/, '');
  return {
    type: 'EXTERNAL_REFERENCE',
    data: {
      reference_type: 'branch',
      url: hasPages ? `${page}/tree/${branch}` : url,
      title: branch,
      metadata: { repository: name, branch },
    },
  };
}

function oneLine(text: string): string {
  return plainLine(text).replace(/\s+/g, ' ').trim() || 'Changes of a run';
}

function check(outcome: GitOutcome, what: string): void {
  if (outcome.end.kind === 'not_started' || outcome.end.exitCode !== 0) throw failed(`${what}${explainGit(outcome)}`);
}

function failed(message: string): RunFailure {
  return new RunFailure('publish_failed', message);
}
