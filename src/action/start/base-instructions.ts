/**
 * A pull request from a fork: while an agent works in the step, the instruction files of the checkout are those of the
 * base branch.
 */
import { messageOf } from '../../base/cause.ts';
import { counted } from '../../base/text.ts';
import type { Checkout, Replacement } from '../embedded/instruction-files.ts';
import type { Base, TreeFile } from '../github/base-files.ts';
import type { GitHubEvent } from '../github/event.ts';
import type { GitHub } from '../github/github.ts';
import { gitHubLimits, type StepGitHub } from '../github/step-github.ts';
import type { ActionHost } from '../host/host.ts';
import type { StepContext } from '../inputs/step-context.ts';

export interface BaseInstructions {
  /** Puts the fork's files back. Never throws. */
  end(): Promise<void>;
}

interface BaseFiles {
  readonly base: Base | undefined;
  readonly github: GitHub | undefined;
  readonly listed: readonly TreeFile[];
}

interface Request {
  readonly host: ActionHost;
  readonly context: StepContext;
  /** The agent's folder. */
  readonly folder: string;
  readonly github: StepGitHub | undefined;
  readonly signal: AbortSignal;
}

/** Events whose GITHUB_SHA is a commit of the repository itself, not of the pull request. */
const insideCommits: ReadonlySet<string> = new Set(['issue_comment', 'pull_request_target', 'workflow_run']);
const namedMax = 10;

/** Undefined if nothing had to be replaced. Throws git's and the file system's errors: the agent must not start then. */
export async function useBaseInstructions(request: Request): Promise<BaseInstructions | undefined> {
  const { host, context, folder, signal } = request;
  const { eventName, sha } = context;
  if (eventName === undefined || !(eventName.startsWith('pull_request') || insideCommits.has(eventName))) return;
  const { readEvent } = await import('../github/event.ts');
  const event = readEvent(context);
  // Most events are not about a pull request of a fork.
  if (event === undefined || event.head?.isFork === false) return;
  const { findCheckouts } = await import('../embedded/instruction-files.ts');
  const found = await findCheckouts(folder, host.readVariable('PATH') ?? '');
  const isInside = (checkout: Checkout) => insideCommits.has(eventName) && checkout.head === sha;
  const checkouts = found.filter(checkout => !isInside(checkout) && isOfEvent(checkout, event));
  if (checkouts.length === 0) return;
  const github = await request.github?.({ limitMs: gitHubLimits.gate, signal });
  const { findForkPull } = await import('../github/base-files.ts');
  const mainCommit = insideCommits.has(eventName) ? sha : undefined;
  const pull = await findForkPull(event, { mainCommit, github });
  signal.throwIfAborted();
  if (pull === undefined) return;
  const { base } = pull;
  const listed = await readFiles(request, base, github);
  const done: Replacement[] = [];
  const end = async () => {
    for (const { undo } of done)
      await undo().catch((error: unknown) =>
        host.warn(`the instruction files of the fork could not all be put back after the run: ${messageOf(error)}`),
      );
  };
  try {
    for (const checkout of checkouts) done.push(await replaceIn(checkout, { base, github, listed }));
  } catch (error) {
    await end();
    throw new Error(`the instruction files of the fork could not be replaced: ${messageOf(error)}`, { cause: error });
  }
  printReplaced(host, base, done);
  return { end };
}

/** Another repository's checkout is not the fork's. */
function isOfEvent({ origin }: Checkout, { repository, head }: GitHubEvent): boolean {
  const [, name] = /([^/:]+\/[^/]+?)(?:\.git)?\/?$/.exec(origin) ?? [];
  const own = [repository, head?.repository].map(known => known?.toLowerCase());
  return name === undefined || own.includes(undefined) || own.includes(name.toLowerCase());
}

/** Without the base's files the agent works without any. */
async function readFiles(
  { host, signal }: Request,
  base: Base | undefined,
  github: GitHub | undefined,
): Promise<readonly TreeFile[]> {
  const { listBaseFiles } = await import('../github/base-files.ts');
  try {
    if (base === undefined) throw new Error('the event does not name it');
    if (github === undefined) throw new Error('`github_token` is empty');
    return await listBaseFiles(github, base);
  } catch (error) {
    signal.throwIfAborted();
    host.warn(
      `the instruction files of the base branch could not be read, so the agent works without any: ${messageOf(error)}`,
    );
    return [];
  }
}

async function replaceIn(checkout: Checkout, { base, github, listed }: BaseFiles): Promise<Replacement> {
  const [{ listInstructions, replaceFiles }, { readBaseFile }] = await Promise.all([
    import('../embedded/instruction-files.ts'),
    import('../github/base-files.ts'),
  ]);
  const own = await listInstructions(checkout);
  const lacks = (files: readonly TreeFile[]) => {
    const known = new Set(files.map(({ path, mode, sha }) => `${mode} ${sha} ${path}`));
    return ({ path, mode, sha }: TreeFile) => !known.has(`${mode} ${sha} ${path}`);
  };
  const other: (TreeFile & { readonly bytes: Buffer })[] = [];
  if (github !== undefined && base !== undefined)
    for (const file of listed.filter(lacks(own)))
      other.push({ ...file, bytes: await readBaseFile(github, base, file) });
  return await replaceFiles(checkout, own.filter(lacks(listed)), other);
}

function printReplaced({ print }: ActionHost, base: Base | undefined, done: readonly Replacement[]): void {
  const all = (name: 'replaced' | 'hidden' | 'added') => done.flatMap(replacement => replacement[name]);
  const [taken, hidden] = [[...all('replaced'), ...all('added')], all('hidden')];
  const origin = `the base branch${base === undefined ? '' : ` at ${base.commit.slice(0, 7)}`}`;
  if (taken.length > 0) print(`pull request from a fork: the agent gets ${nameFew(taken)} from ${origin}`);
  if (hidden.length > 0)
    print(`pull request from a fork: hidden from the agent, because they are not in ${origin}: ${nameFew(hidden)}`);
}

function nameFew(paths: readonly string[]): string {
  const more = paths.length - namedMax;
  return `${paths.slice(0, namedMax).join(', ')}${more > 0 ? ` and ${counted(more, 'more file')}` : ''}`;
}
