/**
 * What an agent changed in its workspace, as a patch: commits and working tree together, new files and binary ones as well, what the repository
 * ignores not. Of repositories within it there are the files, as if they were its own. The repository itself is only read: trees are made with an index and a store of objects beside the workspace.
 */
import { lstat, mkdir } from 'node:fs/promises';
import { isAbsolute, join } from 'node:path';
import { counted } from '../../base/text.ts';
import { sizes } from '../../contract/sizes.ts';
import type { KeptBaseline } from '../store/continuation.ts';
import type { Clone } from '../workspace/environment-clone.ts';
import { checkGit, GitFault, type GitParts, listRaw, runGit } from '../workspace/run-git.ts';
import { type NestedRepositories, nestedMax, openNestedRepositories } from './nested-repositories.ts';
import type { KeptText, PatchFile } from './patch-file.ts';
import { addAll, keepComparison } from './refused-paths.ts';
import { describeBeside, lookBeside } from './work-beside.ts';
import { findRepositories } from './workspace-repositories.ts';

export const patchName = 'changes.patch';
/** Nested repositories that are remembered as left out: they are kept in the database. */
const leftOutMax = 1000;

/** Of repositories in a workspace that nothing was cloned into: git is started some ten times for each. */
const repositoriesMax = 20;

/** Of repositories and submodules of a kind so many are named in the log, and the others counted: an agent can make thousands. */
const namedMax = 20;
/** What git takes for a commit of another repository, in a listing of `--raw`. */
const linkMode = '160000';

/** What changed in one repository. */
export interface Patch extends KeptText {
  readonly path: string;
}

export interface Changes {
  /** Of repositories with a change; paths in them begin at the workspace. Together they are no larger than an artifact. */
  readonly patches: readonly Patch[];
  /** A sentence on why not all of them are there; undefined where they are. */
  readonly lost: string | undefined;
  /** What else is to be said of them, for the run's log. */
  readonly notes: readonly string[];
  /** Sentences on work that lies beside the working trees, and is in no patch. */
  readonly beside: readonly string[];
}

type RepositoryParts = GitParts & { readonly cwd: string };

/**
 * The repositories in the workspace as they are before the run begins to work: those that were cloned for it, or otherwise whatever is there.
 * `image` is that of the container that git works in.
 */
export async function takeBaselines(
  parts: GitParts,
  runId: string,
  { clones, image }: { readonly clones: readonly Clone[]; readonly image: string | undefined },
): Promise<readonly KeptBaseline[]> {
  const baselines: KeptBaseline[] = [];
  const paths =
    clones.length === 0
      ? await findRepositories(parts.folder.workspace)
      : clones.map(({ repository }) => repository.path);
  const git = image === undefined ? 'git' : `the git of the image ${image}`;
  for (const path of paths) {
    if (clones.length === 0 && baselines.length === repositoriesMax) {
      const fault = `there were more than ${repositoriesMax} repositories in the workspace, and git looked at no others`;
      baselines.push({ path, tree: '', env: {}, fault });
      break;
    }
    const cwd = join(parts.folder.workspace, path);
    // A folder within a larger repository is not that repository.
    if ((await lstat(join(cwd, '.git')).catch(() => undefined)) === undefined) continue;
    // Those of the conversation's first run are wanted again.
    const own = join(parts.folder.state, 'changes', runId, String(baselines.length));
    try {
      baselines.push({ path, ...(await takeBaseline({ ...parts, cwd }, own, git)) });
    } catch (error) {
      if (!(error instanceof GitFault)) throw error;
      baselines.push({ path, tree: '', env: {}, fault: error.message });
    }
  }
  return baselines;
}

/** Throws GitFault. */
async function takeBaseline(parts: RepositoryParts, own: string, git: string): Promise<Omit<KeptBaseline, 'path'>> {
  const wanted = ['--git-path', 'objects', '--git-path', 'index', '--absolute-git-dir'];
  const told = checkGit(await runGit(parts, ['rev-parse', ...wanted]), `${git} cannot read the repository`);
  const [objects = '', index = '', gitDir = ''] = told
    .split('\n')
    .map(found => (isAbsolute(found) ? found : join(parts.cwd, found)));
  await mkdir(join(own, 'objects'), { recursive: true, mode: 0o700 });
  const env = {
    // Whatever the repository says later of where it is: an agent may write there.
    GIT_DIR: gitDir,
    GIT_WORK_TREE: parts.cwd,
    GIT_INDEX_FILE: join(own, 'index'),
    GIT_OBJECT_DIRECTORY: join(own, 'objects'),
    GIT_ALTERNATE_OBJECT_DIRECTORIES: objects,
  };
  // With it, only files that have changed since are read.
  await copyIndex(parts, index, env.GIT_INDEX_FILE);
  const { tree, nested, refused } = await writeTree(parts, { env });
  const leftOut = nested.unopened;
  if (leftOut.length > leftOutMax)
    throw new GitFault(`there are more than ${nestedMax + leftOutMax} repositories in it, such as ${leftOut.at(-1)}`);
  const beside = await lookBeside(parts, env);
  return { tree, env, beside, leftOut, refused };
}

/**
 * By a program of the run, where git works: an agent of an earlier run may have put a pipe in its place, or a link that leads out of its
 * container. Without it git reads every file.
 */
async function copyIndex(
  { folder, cwd, searchPath, execute }: RepositoryParts,
  from: string,
  to: string,
): Promise<void> {
  const script = '[ -f "$1" ] && [ ! -L "$1" ] && exec cp -- "$1" "$2"';
  const env = { PATH: searchPath, HOME: folder.home };
  await execute({ argv: ['sh', '-c', script, 'sh', from, to], cwd, env, stdin: '' }, async () => {});
}

/** Makes the patches, as parts of a file of the server's. */
export async function writePatches(
  parts: GitParts,
  baselines: readonly KeptBaseline[],
  file: PatchFile,
): Promise<Changes> {
  const patches: Patch[] = [];
  const notes: string[] = [];
  const lost: string[] = [];
  const beside: string[] = [];
  let bytes = 0;
  for (const baseline of baselines) {
    const at = { ...parts, cwd: join(parts.folder.workspace, baseline.path) };
    const where = baseline.path === '.' ? '' : `in ${baseline.path}: `;
    try {
      const made = await writePatch(at, baseline, { file, bytesMax: sizes.artifactBytes - bytes });
      notes.push(...made.notes);
      beside.push(...made.beside.map(text => `${where}${text}`));
      lost.push(...made.lacks.map(text => `${where}${text}`));
      if (made.patch === undefined) continue;
      patches.push(made.patch);
      bytes += made.patch.bytes;
    } catch (error) {
      if (!(error instanceof GitFault)) throw error;
      lost.push(`${where}${error.message}`);
    }
  }
  const isTooLarge = bytes > sizes.artifactBytes;
  if (isTooLarge) lost.push(`they are ${bytes} bytes, more than the ${sizes.artifactBytes} that a run may leave`);
  const kept = isTooLarge ? [] : patches;
  if (lost.length === 0) return { patches: kept, lost: undefined, notes, beside };
  const what = kept.length === 0 ? `could not be made into ${patchName}` : `are not all in ${patchName}`;
  return { patches: kept, lost: `the changes of the workspace ${what}: ${lost.join('; ')}`, notes, beside };
}

interface MadePatch {
  readonly patch?: Patch;
  readonly notes: readonly string[];
  readonly beside: readonly string[];
  /** Sentences on what is not in it, though it should be. */
  readonly lacks: readonly string[];
}

/** No patch where nothing changed. Throws GitFault. */
async function writePatch(
  parts: RepositoryParts,
  baseline: KeptBaseline,
  { file, bytesMax }: { readonly file: PatchFile; readonly bytesMax: number },
): Promise<MadePatch> {
  const { path, tree, env, leftOut, fault, refused: known = [] } = baseline;
  if (tree === '') throw new GitFault(`when the agent began, ${fault ?? 'git could not read the working tree'}`);
  const { tree: now, nested, refused } = await writeTree(parts, { env, leftOut });
  const links = await noteLinks(parts, { env, tree, now });
  const below = path === '.' ? '' : `${path}/`;
  const notes = [...describeNested(nested), ...links].flatMap(noted => printNotes(noted, below));
  const unopened = describeUnopened(nested);
  const lookAround = async () => await describeBeside(parts, baseline, { named: nested.worktrees, patchName });
  const fresh = refused.filter(said => !known.includes(said));
  if (now === tree) return { notes, beside: await lookAround(), lacks: [...unopened, ...describeRefused(fresh)] };
  // Not `git diff`, which the settings of the repository can have write what cannot be applied.
  const args = [
    ...['diff-tree', '-r', '-p', '-M', '--no-ext-diff', '--no-textconv', '--binary', '--full-index', '--no-color'],
    ...['--ignore-submodules=none', `--src-prefix=a/${below}`, `--dst-prefix=b/${below}`],
  ];
  // By its standard output: a file that git wrote would lie where whatever the repository has git execute can put something else in its place.
  const compared = await keepComparison(parts, args, { env, trees: [tree, now], file, bytesMax });
  const lacks = [...unopened, ...describeRefused([...fresh, ...compared.refused])];
  const patch = { ...compared.text, path };
  // Last, so that the patch is there whatever time git has left.
  return { ...(patch.bytes === 0 ? {} : { patch }), notes, beside: await lookAround(), lacks };
}

function describeRefused(refused: readonly string[]): readonly string[] {
  if (refused.length === 0) return [];
  const more = refused.length > namedMax ? `; and ${counted(refused.length - namedMax, 'other')}` : '';
  return [`git refused some paths: ${refused.slice(0, namedMax).join('; ')}${more}`];
}

function describeUnopened({ unopened }: NestedRepositories): readonly string[] {
  const [first] = unopened;
  if (first === undefined) return [];
  return [
    `there are more than ${nestedMax} repositories within it, and of ${counted(unopened.length, 'other')} it has nothing (such as ${first})`,
  ];
}

/** Paths of which the same is to be said. */
interface Noted {
  /** `a submodule` */
  readonly kind: string;
  readonly of: readonly { readonly path: string; readonly said: string }[];
}

function printNotes({ kind, of }: Noted, below: string): readonly string[] {
  const named = of.slice(0, namedMax).map(({ path, said }) => `${below}${path} is ${kind}${said}`);
  const more = of.length - named.length;
  return more > 0
    ? [...named, `the same holds for ${counted(more, 'other')}, such as ${below}${of.at(-1)?.path}`]
    : named;
}

function describeNested({ opened, worktrees }: NestedRepositories): readonly Noted[] {
  return [
    {
      kind: 'a repository of its own',
      of: opened.map(path => ({ path, said: `: its files are in ${patchName}, its commits are not` })),
    },
    {
      kind: 'another worktree of the repository',
      of: worktrees.map(path => ({ path, said: `, and is not in ${patchName}` })),
    },
  ];
}

/** Of submodules a tree has a commit, and nothing of what is in them. */
async function noteLinks(
  parts: RepositoryParts,
  { env, tree, now }: { readonly env: KeptBaseline['env']; readonly tree: string; readonly now: string },
): Promise<readonly Noted[]> {
  const moved = await listRaw(parts, ['diff-tree', '-r', '-z', '--raw', '--no-renames', tree, now], env, linkMode);
  const looking = listRaw(parts, ['diff-files', '-z', '--raw', '--ignore-submodules=none'], env, linkMode);
  // One that is broken costs nobody the patch.
  const dirty = await looking.catch((error: unknown) => {
    if (error instanceof GitFault) return [];
    throw error;
  });
  return [
    {
      kind: 'a submodule',
      of: moved.map(({ path, id }) => ({ path, said: `: ${patchName} has only its commit ${id.slice(0, 7)}` })),
    },
    {
      kind: 'a submodule',
      of: dirty.map(({ path }) => ({ path, said: `, and its uncommitted changes are not in ${patchName}` })),
    },
  ];
}

/** Throws GitFault. */
async function writeTree(
  parts: RepositoryParts,
  { env, leftOut = [] }: Pick<KeptBaseline, 'env' | 'leftOut'>,
): Promise<{ readonly tree: string; readonly nested: NestedRepositories; readonly refused: readonly string[] }> {
  const nested = await openNestedRepositories(parts, env, leftOut);
  const refused = await addAll(parts, env, [...nested.worktrees, ...nested.unopened]);
  const tree = checkGit(await runGit(parts, ['write-tree'], { env }), 'git cannot write a tree').trim();
  return { tree, nested, refused };
}
