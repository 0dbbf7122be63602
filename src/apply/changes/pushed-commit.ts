/** The verb `push`: the agent's changes as a commit on the branch of the pull request. */
import type { GitHub } from '../../action/github/github.ts';
import { quoteInline } from '../../action/text/markdown.ts';
import type { VerbOutcome } from '../outcome.ts';
import type { Target } from '../target.ts';
import { makeCommit } from './make-commit.ts';
import type { PatchedTree } from './patched-tree.ts';

interface Pushing {
  readonly github: GitHub;
  readonly target: Target;
  readonly tree: PatchedTree;
  readonly title: string;
  /** The commit that the agent saw. */
  readonly commit: string;
  readonly isDryRun: boolean;
}

/** Throws GitHubError, and an Error for a fork or a pull request that is not open. */
export async function pushCommit({ github, target, tree, title, commit, isDryRun }: Pushing): Promise<VerbOutcome> {
  const { number, ...repository } = target;
  const { data: pull } = await github.request('GET /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...repository,
    pull_number: number,
  });
  const { sha: head, ref: branch, repo } = pull.head;
  if (repo?.full_name.toLowerCase() !== `${repository.owner}/${repository.repo}`.toLowerCase())
    throw new Error(`the branch of #${number} is in another repository, to which \`push\` does not write`);
  if (pull.state !== 'open') throw new Error(`#${number} is not open`);
  if (head !== commit) return { verb: 'push', deeds: [], notes: [], movedTo: head };
  if (tree.files.length === 0) return { verb: 'push', deeds: [], notes: ['The patch changes nothing'] };
  const deeds = [`1 commit on the branch ${branch}`];
  const previews = [{ place: title, markdown: tree.files.map(({ path }) => `- ${quoteInline(path)}`).join('\n') }];
  if (isDryRun) return { verb: 'push', deeds, notes: [], previews };
  const sha = await makeCommit(github, { repository, tree, parent: commit, message: title });
  // Without force: GitHub refuses it if somebody pushed in the meantime.
  await github.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
    ...repository,
    ref: `heads/${branch}`,
    sha,
    force: false,
  });
  return { verb: 'push', deeds, notes: [], link: `${pull.html_url}/commits/${sha}` };
}
