/**
 * The agent's patch, applied to the commit that the agent saw. git does it, in a new repository without a working
 * tree: no file of the patch is written under its name, let alone executed.
 */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { getCACertificates } from 'node:tls';
import { messageOf } from '../../base/cause.ts';
import { removeTree } from '../../border/folders.ts';
import { plainLine } from '../../border/terminal-text.ts';
import { type GitPlace, runGit } from './git-program.ts';

export interface ChangedFile {
  readonly path: string;
  /** `100644`, `100755`, `120000` (link), `160000` (submodule); `000000` if the file is removed. */
  readonly mode: string;
  readonly formerMode: string;
  /** Size after the change. */
  readonly bytes: number;
  /** git's hash of the content. */
  readonly sha: string;
}

export interface PatchedTree extends AsyncDisposable {
  /** git's hash of the tree with the changes, and of that of the commit. */
  readonly sha: string;
  readonly baseSha: string;
  readonly files: readonly ChangedFile[];
  /** Every line that the patch adds. */
  readonly addedText: string;
  readContent(file: ChangedFile): Promise<Buffer>;
}

interface Patching extends Omit<GitPlace, 'folder'> {
  readonly tempDir: string | undefined;
  /** `https://github.com/octo-org/shop` */
  readonly repositoryUrl: string;
  readonly token: string;
  readonly commit: string;
  readonly patch: Uint8Array;
}

/** Throws an Error with a sentence. */
export async function openPatchedTree({
  tempDir = tmpdir(),
  repositoryUrl,
  token,
  commit,
  patch,
  ...place
}: Patching): Promise<PatchedTree> {
  const folder = await mkdtemp(join(tempDir, 'agent-run-apply-'));
  const git: GitPlace = { ...place, folder };
  const remove = () => removeTree(folder, place.variables.PATH);
  try {
    await runGit(git, ['init', '--quiet', '--bare', '--template=']);
    const authorities = await writeAuthorities(git);
    const authorization = `Authorization: Basic ${Buffer.from(`x-access-token:${token}`).toString('base64')}`;
    await runGit(git, ['fetch', '--quiet', '--depth=1', '--no-tags', '--', repositoryUrl, commit], {
      config: { 'http.extraHeader': authorization, 'http.followRedirects': 'false', ...authorities },
    });
    await runGit(git, ['read-tree', commit]);
    await runGit(git, ['apply', '--cached', '--whitespace=nowarn', '-'], { input: patch }).catch((error: unknown) => {
      const words = messageOf(error);
      const why = /No valid patches|corrupt|unrecognized/i.test(words)
        ? '`patch_file` is empty or not a patch. Pass the file that the output `patch_file` of the other job names'
        : `the patch does not apply to ${commit.slice(0, 7)}. Set \`commit\` to the commit that the agent worked on, and check out no other repository than this one`;
      throw new Error(`${why} (${words})`);
    });
    const tree = String(await runGit(git, ['write-tree'])).trim();
    const args = ['-r', '--no-renames', commit, tree];
    const files = await readSizes(
      git,
      parseRaw(await runGit(git, ['diff-tree', '-z', '--raw', '--abbrev=64', ...args])),
    );
    const diff = String(await runGit(git, ['diff-tree', '-p', '-U0', '--text', ...args]));
    return {
      sha: tree,
      baseSha: String(await runGit(git, ['rev-parse', `${commit}^{tree}`])).trim(),
      files,
      addedText: diff
        .split('\n')
        .filter(line => line.startsWith('+'))
        // A mark on each line would break up a key of several lines.
        .map(line => line.slice(1))
        .join('\n'),
      readContent: file => runGit(git, ['cat-file', 'blob', file.sha]),
      [Symbol.asyncDispose]: remove,
    };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** With a private authority for Node, git trusts what this program and the system trust. */
async function writeAuthorities({ folder, variables }: GitPlace): Promise<Readonly<Record<string, string>>> {
  if (variables.NODE_EXTRA_CA_CERTS === undefined || variables.GIT_SSL_CAINFO !== undefined) return {};
  const file = join(folder, 'authorities.pem');
  const all = new Set([...getCACertificates('default'), ...getCACertificates('system')]);
  await writeFile(file, [...all].join('\n'), { flag: 'wx' });
  return { 'http.sslCAInfo': file };
}

const removed = '000000';

/** `:MODE MODE SHA SHA STATUS\0PATH\0` for each file. */
function parseRaw(raw: Buffer): readonly Omit<ChangedFile, 'bytes'>[] {
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(raw);
  } catch {
    throw new Error('the patch has a path that is not UTF-8, which GitHub does not take');
  }
  const parts = text.split('\0');
  return parts.flatMap((path, index) => {
    // Patterns do not match across a line break, so a protected path would pass.
    if (index % 2 === 1 && plainLine(path) !== path)
      throw new Error(`the patch has a path with a control character: ${JSON.stringify(path)}`);
    const [formerMode = '', mode = '', , sha = ''] = (parts[index - 1] ?? '').slice(1).split(' ');
    return index % 2 === 0 ? [] : [{ path, mode, formerMode, sha }];
  });
}

async function readSizes(git: GitPlace, files: readonly Omit<ChangedFile, 'bytes'>[]): Promise<readonly ChangedFile[]> {
  const input = files.map(({ sha }) => `${sha}\n`).join('');
  const sizes = String(await runGit(git, ['cat-file', '--batch-check=%(objectsize)'], { input })).split('\n');
  return files.map((file, index) => ({ ...file, bytes: file.mode === removed ? 0 : Number(sizes[index]) || 0 }));
}

export function isRemoved({ mode }: ChangedFile): boolean {
  return mode === removed;
}
