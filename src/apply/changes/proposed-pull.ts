/** The verb `pull_request`: the agent's changes as one commit on a branch of its own, and a pull request for it. */
import { isSameText, readOwnLogin } from '../../action/github/comments.ts';
import type { GitHub } from '../../action/github/github.ts';
import { GitHubError } from '../../action/github/github-error.ts';
import { quoteInline } from '../../action/text/markdown.ts';
import type { PullRequestInputs } from '../apply-inputs.ts';
import { failureOf, type VerbOutcome } from '../outcome.ts';
import type { Repository } from '../target.ts';
import { makeCommit } from './make-commit.ts';
import type { PatchedTree } from './patched-tree.ts';
import { isOwnMessage, type ProposalText, printMessage } from './proposal-text.ts';

export interface Proposing {
  readonly github: GitHub;
  readonly repository: Repository;
  readonly inputs: PullRequestInputs;
  readonly tree: PatchedTree;
  readonly text: ProposalText;
  /** The commit that the agent saw. */
  readonly commit: string;
  readonly branch: string;
  /** The repository's default branch if undefined. */
  readonly base: string | undefined;
  readonly key: string;
  readonly isDryRun: boolean;
}

/** Throws GitHubError, and an Error if the branch has commits of others or the base lacks the commit. */
export async function proposePull(given: Proposing): Promise<VerbOutcome> {
  const { github, tree, text, commit, branch, isDryRun } = given;
  if (tree.files.length === 0) return { verb: 'pull_request', deeds: [], notes: ['The patch changes nothing'] };
  const base = await findBase(given);
  if (base === branch)
    throw new Error(`\`pull_request_branch\` and the base are both ${branch}. Choose another branch`);
  const standing = await readBranch(given);
  const open = await findOpen(given);
  const previews = [
    { place: 'the pull request', markdown: `**${quoteInline(text.title)}**\n\n${text.body}` },
    { place: 'its files', markdown: tree.files.map(({ path }) => `- ${quoteInline(path)}`).join('\n') },
  ];
  const isCurrent = standing?.tree === tree.sha && standing.parent === commit;
  const isSame = open?.title === text.title && isSameText(open.body, text.body);
  const isForeign = open !== undefined && open.author?.toLowerCase() !== (await readOwnLogin(github)).toLowerCase();
  const isEdited = open !== undefined && !isSame && !isForeign;
  const notes = isForeign ? ['Somebody else opened the pull request of this branch, so its text stays as it is'] : [];
  const deeds = [
    ...(isCurrent ? [] : [`1 commit on the branch ${branch}`]),
    ...(open === undefined ? ['a new pull request'] : isEdited ? ['1 edited pull request'] : []),
  ];
  const lacking = open === undefined ? given.inputs : isForeign ? {} : await findLacking(given, open);
  if (open !== undefined && Object.keys(lacking).length > 0) deeds.push('labels or reviewers that it lacked');
  const outcome = { verb: 'pull_request', deeds, notes, link: open?.link } as const;
  if (isDryRun) return { ...outcome, previews };
  let [done, link] = [0, open?.link];
  try {
    if (!isCurrent) {
      await writeBranch(given, standing);
      done += 1;
    }
    if (isEdited) await editPull(given, open.number);
    const pull = open ?? (await openPull(given, base));
    if (open === undefined || isEdited) done += 1;
    link = pull.link;
    await completePull(given, pull.number, lacking);
  } catch (error) {
    // Report what exists by now.
    return { ...outcome, deeds: deeds.slice(0, done), link, failure: failureOf(error) };
  }
  return { ...outcome, link };
}

async function editPull({ github, repository, text }: Proposing, number: number): Promise<void> {
  await github.request('PATCH /repos/{owner}/{repo}/pulls/{pull_number}', {
    ...repository,
    pull_number: number,
    ...text,
  });
}

type Completion = Partial<Pick<PullRequestInputs, 'labels' | 'reviewers'>>;

/** All of a kind, if an earlier run was refused them. A person who removes only some is not opposed. */
async function findLacking(
  { github, repository, inputs }: Proposing,
  { number, hasReviewers }: Pull,
): Promise<Completion> {
  const { labels, reviewers } = inputs;
  if (labels.length + reviewers.length === 0) return {};
  const place = { ...repository, issue_number: number };
  const { data: issue } = await github.request('GET /repos/{owner}/{repo}/issues/{issue_number}', place);
  const present = issue.labels.map(label => (typeof label === 'string' ? label : (label.name ?? '')).toLowerCase());
  const isReviewed = async () => {
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews';
    return (
      hasReviewers || (await github.request(route, { ...repository, pull_number: number, per_page: 1 })).data.length > 0
    );
  };
  return {
    ...(labels.length > 0 && !labels.some(label => present.includes(label.toLowerCase())) && { labels }),
    ...(reviewers.length > 0 && !(await isReviewed()) && { reviewers }),
  };
}

async function completePull(
  { github, repository }: Proposing,
  number: number,
  { labels = [], reviewers = [] }: Completion,
): Promise<void> {
  if (labels.length > 0)
    await github.request('POST /repos/{owner}/{repo}/issues/{issue_number}/labels', {
      ...repository,
      issue_number: number,
      labels: [...labels],
    });
  if (reviewers.length > 0)
    await github.request('POST /repos/{owner}/{repo}/pulls/{pull_number}/requested_reviewers', {
      ...repository,
      pull_number: number,
      reviewers: reviewers.filter(name => !name.includes('/')),
      team_reviewers: reviewers.flatMap(name => name.split('/')[1] ?? []),
    });
}

/** The branch that the pull request is for. The agent's commit must be in it, or others' commits would come along. */
async function findBase({ github, repository, commit, ...given }: Proposing): Promise<string> {
  const base = given.base ?? (await github.request('GET /repos/{owner}/{repo}', { ...repository })).data.default_branch;
  const { data } = await github
    .request('GET /repos/{owner}/{repo}/compare/{basehead}', {
      ...repository,
      basehead: `${base}...${commit}`,
      per_page: 1,
    })
    .catch((error: unknown) => {
      if (!(error instanceof GitHubError && error.status === 404)) throw error;
      throw new Error(`the base branch ${base} does not exist. Set \`pull_request_base\``);
    });
  if (data.status === 'identical' || data.status === 'behind') return base;
  throw new Error(
    `the commit ${commit.slice(0, 7)} that the agent saw is not in the branch ${base}. Set \`pull_request_base\` to the branch that has it`,
  );
}

interface Standing {
  readonly sha: string;
  readonly tree: string;
  readonly parent: string;
}

/** Undefined if there is no such branch. */
async function readBranch({ github, repository, branch, key }: Proposing): Promise<Standing | undefined> {
  const sha = await github
    .request('GET /repos/{owner}/{repo}/git/ref/{ref}', { ...repository, ref: `heads/${branch}` })
    .then(({ data }) => data.object.sha)
    .catch((error: unknown) => {
      if (error instanceof GitHubError && error.status === 404) return undefined;
      throw error;
    });
  if (sha === undefined) return undefined;
  const { data } = await github.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', {
    ...repository,
    commit_sha: sha,
  });
  const [tree, parent = ''] = [data.tree.sha, data.parents[0]?.sha];
  if (data.parents.length > 1 || !isOwnMessage(data.message, { tree, parent, key }))
    throw new Error(
      `the branch ${branch} ends with a commit that this job did not make, or that was amended (${sha.slice(0, 7)}). Delete the branch, or set \`pull_request_branch\` to another`,
    );
  return { sha, tree, parent };
}

async function writeBranch(given: Proposing, standing: Standing | undefined): Promise<void> {
  const { github, repository, tree, text, commit, branch, key } = given;
  const message = printMessage({ title: text.title, tree: tree.sha, parent: commit, key });
  const sha = await makeCommit(github, { repository, tree, parent: commit, message });
  // Once more, because the commit took a while. To name the former commit, an update would need GraphQL and a
  // permission that GitHub does not document.
  if (standing !== undefined && (await readBranch(given))?.sha !== standing.sha)
    throw new Error(`the branch ${branch} changed in the meantime. Run this job again`);
  if (standing !== undefined)
    await github.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
      ...repository,
      ref: `heads/${branch}`,
      sha,
      force: true,
    });
  else await github.request('POST /repos/{owner}/{repo}/git/refs', { ...repository, ref: `refs/heads/${branch}`, sha });
}

interface Pull {
  readonly number: number;
  readonly title: string;
  readonly body: string;
  /** Undefined for a deleted account. */
  readonly author: string | undefined;
  readonly link: string;
  /** Whether a review is requested. */
  readonly hasReviewers: boolean;
}

/** A pull request of this branch, which has this job's commits only. */
async function findOpen({ github, repository, branch }: Proposing): Promise<Pull | undefined> {
  const { data } = await github.request('GET /repos/{owner}/{repo}/pulls', {
    ...repository,
    state: 'open',
    head: `${repository.owner}:${branch}`,
    per_page: 1,
  });
  const [pull] = data;
  if (pull === undefined) return undefined;
  const { number, title, body, user, html_url: link, requested_reviewers: people, requested_teams: teams } = pull;
  const hasReviewers = [...(people ?? []), ...(teams ?? [])].length > 0;
  return { number, title, body: body ?? '', author: user?.login, link, hasReviewers };
}

async function openPull(given: Proposing, base: string): Promise<Pick<Pull, 'number' | 'link'>> {
  const { github, repository, inputs, text, branch } = given;
  try {
    const { data } = await github.request('POST /repos/{owner}/{repo}/pulls', {
      ...repository,
      ...text,
      head: branch,
      base,
      draft: inputs.isDraft,
    });
    return { number: data.number, link: data.html_url };
  } catch (error) {
    // It may have been opened in spite of the error.
    const found = error instanceof GitHubError && error.mayBeDone ? await findOpen(given) : undefined;
    if (found === undefined) throw error;
    return found;
  }
}
