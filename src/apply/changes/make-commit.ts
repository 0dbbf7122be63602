/** A commit by GitHub's git data API. Without an author, GitHub signs it for the token's app. */
import type { GitHub } from '../../action/github/github.ts';
import type { Repository } from '../target.ts';
import { type ChangedFile, isRemoved, type PatchedTree } from './patched-tree.ts';

interface NewCommit {
  readonly repository: Repository;
  readonly tree: PatchedTree;
  readonly parent: string;
  readonly message: string;
}

/** Returns its hash. Throws GitHubError, and an Error if GitHub's tree is not the one that was checked. */
export async function makeCommit(github: GitHub, { repository, tree, parent, message }: NewCommit): Promise<string> {
  const entries = [];
  for (const file of tree.files) entries.push(await makeEntry(github, { repository, tree, file }));
  const { data: made } = await github.request('POST /repos/{owner}/{repo}/git/trees', {
    ...repository,
    base_tree: tree.baseSha,
    tree: entries,
  });
  if (made.sha !== tree.sha) throw new Error(`GitHub made the tree ${made.sha}, and the patch gives ${tree.sha}`);
  const { data: commit } = await github.request('POST /repos/{owner}/{repo}/git/commits', {
    ...repository,
    message,
    tree: made.sha,
    parents: [parent],
  });
  return commit.sha;
}

interface NewEntry {
  readonly repository: Repository;
  readonly tree: PatchedTree;
  readonly file: ChangedFile;
}

async function makeEntry(github: GitHub, { repository, tree, file }: NewEntry) {
  const mode = (isRemoved(file) ? file.formerMode : file.mode) as '100644' | '100755' | '120000' | '160000';
  const entry = { path: file.path, mode, type: mode === '160000' ? 'commit' : 'blob' } as const;
  if (isRemoved(file)) return { ...entry, sha: null };
  if (mode === '160000') return { ...entry, sha: file.sha };
  const bytes = await tree.readContent(file);
  const content = bytes.toString('utf8');
  // Saves a request for each file of text.
  if (Buffer.from(content).equals(bytes)) return { ...entry, content };
  const { data: blob } = await github.request('POST /repos/{owner}/{repo}/git/blobs', {
    ...repository,
    content: bytes.toString('base64'),
    encoding: 'base64',
  });
  return { ...entry, sha: blob.sha };
}
