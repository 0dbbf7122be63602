/**
 * The instruction files of a pull request's base branch: files that agent programs read from the working directory
 * and obey. Whoever opens a pull request from a fork can write anything into their own.
 */
import type { GitHubEvent } from './event.ts';
import type { GitHub } from './github.ts';
import { idOf, objectOf, textOf } from './payload.ts';

/** In lower case, because some file systems ignore case. */
export const instructionFiles: readonly string[] = [
  ...['claude.md', 'claude.local.md', 'agents.md', 'agents.override.md', 'gemini.md', 'qwen.md', 'context.md'],
  ...['.mcp.json', 'opencode.json', 'opencode.jsonc', '.cursorrules', 'copilot-instructions.md'],
];
export const instructionFolders: readonly string[] = [
  ...['.claude', '.codex', '.gemini', '.opencode', '.agents', '.qwen', '.pi', '.cursor'],
];

/** Whether a path is such a file, or in such a folder. */
export function isInstruction(path: string): boolean {
  const parts = path.toLowerCase().split('/');
  return instructionFiles.includes(parts.at(-1) ?? '') || parts.some(part => instructionFolders.includes(part));
}

export interface Base {
  /** `owner/name`. */
  readonly repository: string;
  readonly commit: string;
}

/** A fork's pull request. `base` is undefined if nothing tells it. */
export interface ForkPull {
  readonly base: Base | undefined;
}

export interface TreeFile {
  readonly path: string;
  /** As git writes it: `100644`, `100755`, or `120000` for a link. */
  readonly mode: string;
  readonly sha: string;
}

/**
 * The fork's pull request that the event is about. Undefined if it is about none. `mainCommit` stands in for a base
 * that the event does not have and GitHub does not tell. A pull request is a fork's unless GitHub says otherwise.
 */
export async function findForkPull(
  { name, repository, head, baseCommit, subject }: GitHubEvent,
  { mainCommit, github }: { readonly mainCommit: string | undefined; readonly github: GitHub | undefined },
): Promise<ForkPull | undefined> {
  const isPull = subject?.kind === 'pull_request' || name.startsWith('pull_request');
  if (head === undefined ? !isPull : !head.isFork) return undefined;
  let commit = baseCommit ?? mainCommit;
  // The event of a comment does not have its pull request.
  if (head === undefined && github !== undefined && repository !== undefined && subject !== undefined) {
    const [owner = '', repo = ''] = repository.split('/');
    const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}';
    const answer = await github.request(route, { owner, repo, pull_number: subject.number }).catch(() => undefined);
    const pull = objectOf(answer?.data);
    const [from, to] = [objectOf(pull?.head), objectOf(pull?.base)];
    const id = idOf(objectOf(from?.repo)?.id);
    if (id !== undefined && id === objectOf(to?.repo)?.id) return undefined;
    commit = textOf(to?.sha) ?? commit;
  }
  return { base: repository === undefined || commit === undefined ? undefined : { repository, commit } };
}

/** Throws GitHubError, or an Error if GitHub does not list all files. */
export async function listBaseFiles(github: GitHub, { repository, commit }: Base): Promise<readonly TreeFile[]> {
  const [owner = '', repo = ''] = repository.split('/');
  const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
  const { data } = await github.request(route, { owner, repo, tree_sha: commit, recursive: '1' });
  if (data.truncated === true) throw new Error('the repository has more files than GitHub lists');
  return data.tree
    .filter(({ type, path }) => type === 'blob' && isInstruction(path))
    .map(({ path, mode, sha }) => ({ path, mode, sha }));
}

/** Throws GitHubError. */
export async function readBaseFile(github: GitHub, { repository }: Base, { sha }: TreeFile): Promise<Buffer> {
  const [owner = '', repo = ''] = repository.split('/');
  const route = 'GET /repos/{owner}/{repo}/git/blobs/{file_sha}';
  const { data } = await github.request(route, { owner, repo, file_sha: sha });
  return Buffer.from(data.content, 'base64');
}
