import { createHash, randomUUID } from 'node:crypto';
import { chmod, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type SkillSpec, skillName } from '../../contract/tables/skill-spec.ts';
import type { GitSettings } from '../environments/environment.ts';
import type { Executor } from '../executor/executor.ts';
import { RunFailure } from '../run-failure.ts';
import { inPassingFolder } from '../workspace/run-folder.ts';
import { GitFault } from '../workspace/run-git.ts';
import { GitHubFault } from './github-fault.ts';
import {
  fetchFiles,
  fetchTree,
  filesMax,
  isNearTop,
  listTreeFolder,
  listTreeSkills,
  type ReadFile,
  readFiles,
  readHead,
  type TreeFile,
  type TreeParts,
} from './github-tree.ts';
import { fileBytesMax, fileName, readName, usualFolders } from './skill-search.ts';
import { type FoundSkill, readFound, refuseAsAmbiguous, refuseAsMissing } from './skill-source.ts';

export interface GitHubSkillSettings {
  /** `owner/repo`, or `owner/*` for all repositories of an owner. */
  readonly repositories: readonly string[];
  /** Address of the host, without a trailing slash. */
  readonly url: string;
  readonly git: GitSettings;
}

/** How git is executed, and where it works and keeps its results. */
interface GitHubSkillParts {
  readonly executor: Pick<Executor, 'execute'>;
  readonly searchPath: string;
  readonly dataDir: string;
}

/** A SKILL.md as the list of a whole repository has it. */
interface GitHubSkillText {
  readonly path: string;
  readonly folderName: string;
  readonly text: string;
}

export interface GitHubSkills {
  /** The offered repositories, for people. */
  readonly offered: readonly string[];
  /** `owner/repo` as the configuration spells it. Undefined if it is not offered. */
  spell(repository: string): string | undefined;
  /** Throws RunFailure, or the signal's reason. */
  find(repository: string, spec: SkillSpec, signal?: AbortSignal): Promise<FoundSkill>;
  /** At most 100. `isFresh`: do not use an answer of the last minute. Throws RunFailure, or the signal's reason. */
  list(
    repository: string,
    options?: { readonly isFresh?: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly GitHubSkillText[]>;
}

/** A skill as it is stored. */
interface ReadSkill {
  readonly path: string;
  /** Paths are relative to its folder. */
  readonly files: readonly ReadFile[];
  readonly leftOut: number;
}

/** The results for one commit. */
interface Look<T> {
  readonly commit: string;
  readonly value: T;
}

interface Wanted {
  readonly repository: string;
  readonly spec: SkillSpec;
}

/** Time limit for one request to GitHub. */
const limitMs = 60_000;
const listAgeMs = 60_000;
/** Includes files that are read to learn the names in their front matter. */
const listMax = 100;
const folderBytesMax = 8 * 1024 * 1024;

/**
 * Skills of repositories on GitHub, read by git. Lists and skills are stored separately. They are not fetched again
 * while the last commit is the same, and are used while GitHub is unreachable.
 */
export function createGitHubSkills(
  { repositories, url, git }: GitHubSkillSettings,
  { executor, searchPath, dataDir }: GitHubSkillParts,
): GitHubSkills {
  const { host } = new URL(url);
  /** When GitHub was last asked about a stored file, in ms. */
  const askedAt = new Map<string, number>();

  const look = async <T>(
    { repository, name, maxAgeMs = 0, signal = new AbortController().signal }: Question,
    read: (parts: TreeParts, commit: string) => Promise<T>,
  ): Promise<Look<T> & { readonly note?: string }> => {
    const file = join(dataDir, 'skills', encodeURIComponent(url), repository.toLowerCase(), `${name}.json`);
    const kept = await readKept<T>(file);
    if (kept !== undefined && Date.now() - (askedAt.get(file) ?? 0) < maxAgeMs) return kept;
    const deadline = AbortSignal.timeout(limitMs);
    const bounds = { timeLimitMs: limitMs, graceMs: 1000, signal: AbortSignal.any([signal, deadline]) };
    try {
      return await inPassingFolder(async folder => {
        const place = { runId: `skills.${randomUUID()}`, runDir: folder.root, scratchDir: folder.state };
        const execute: TreeParts['execute'] = (command, onOutput) =>
          executor.execute({ ...place, ...bounds, command, onOutput });
        const address = `${url}/${repository}.git`;
        const parts = { folder, searchPath, git, signal: bounds.signal, url: address, execute };
        const commit = await readHead(parts);
        askedAt.set(file, Date.now());
        if (kept?.commit === commit) return kept;
        await fetchTree(parts, commit);
        const fresh = { commit, value: await read(parts, commit) };
        await keep(file, fresh);
        return fresh;
      }, dataDir);
    } catch (error) {
      signal.throwIfAborted();
      const late = `${host} did not answer everything within ${limitMs / 1000} s`;
      const fault = deadline.aborted ? new GitHubFault('resource_unavailable', late) : error;
      if (fault instanceof GitHubFault && fault.code === 'resource_unavailable' && kept !== undefined) {
        const note = `${fault.message}; using the last copy of ${repository}, at ${kept.commit.slice(0, 7)}`;
        return { ...kept, note };
      }
      // A removed skill must not come back while GitHub is down.
      if (fault instanceof RunFailure && !(fault instanceof GitHubFault)) await rm(file, { force: true });
      if (!(fault instanceof GitHubFault || fault instanceof GitFault)) throw fault;
      const code = fault instanceof GitHubFault ? fault.code : 'environment_setup_failed';
      throw new RunFailure(code, `the skills of ${repository} cannot be read from GitHub: ${fault.message}`);
    }
  };

  return {
    offered: repositories,
    spell(repository) {
      const wanted = repository.toLowerCase();
      const all = `${wanted.slice(0, wanted.indexOf('/'))}/*`;
      const exact = repositories.find(name => name.toLowerCase() === wanted);
      return exact ?? (repositories.some(name => name.toLowerCase() === all) ? repository : undefined);
    },
    async find(repository, spec, signal) {
      const name = createHash('sha256').update(JSON.stringify(spec.target)).digest('hex');
      const wanted = { repository, spec };
      const seen = await look({ repository, name, signal }, (parts, commit) => readSkill(parts, commit, wanted));
      return describeSkill(seen, wanted);
    },
    async list(repository, { isFresh = false, signal } = {}) {
      const asked = { repository, name: 'list', maxAgeMs: isFresh ? 0 : listAgeMs, signal };
      const { value } = await look(asked, async (parts, commit) =>
        readSkillFiles(parts, (await listTreeSkills(parts, commit)).filter(isNearTop)),
      );
      return value.map(file => ({
        path: file.path,
        folderName: nameFolder(repository, file),
        text: readText(file),
      }));
    },
  };
}

interface Question {
  readonly repository: string;
  /** File name of a stored answer. */
  readonly name: string;
  /** Maximum age of GitHub's last answer, in ms. @default 0 */
  readonly maxAgeMs?: number;
  readonly signal: AbortSignal | undefined;
}

/** Throws RunFailure if no skill matches, if several do, or if its folder is too large. */
async function readSkill(parts: TreeParts, commit: string, wanted: Wanted): Promise<ReadSkill> {
  const skills = await listTreeSkills(parts, commit);
  const { path } = await findSkill(parts, skills, wanted);
  const { files, fileCount, leftOut } = await listTreeFolder(parts, commit, dirname(path));
  // Too many are not fetched.
  const fetched = fileCount > filesMax ? [] : await fetchFiles(parts, files);
  const bytes = fetched.reduce((sum, { size }) => sum + size, 0);
  if (fileCount > filesMax || bytes > folderBytesMax) {
    const size = bytes === 0 ? '' : ` of ${Math.ceil(bytes / 1024)} KiB together`;
    throw new RunFailure(
      'environment_setup_failed',
      `the folder of ${wanted.repository}:${path} has ${fileCount} files${size}; from GitHub come ${filesMax} files and ${folderBytesMax / 1024} KiB at most. Name a checkout of it in skills.repositories`,
    );
  }
  if (fetched.some(file => file.path === fileName && file.size > fileBytesMax)) refuseMissing(skills, wanted);
  return { path, files: await readFiles(parts, fetched), leftOut };
}

async function findSkill(parts: TreeParts, skills: readonly TreeFile[], wanted: Wanted): Promise<TreeFile> {
  const { repository, spec } = wanted;
  const { target } = spec;
  const at = (path: string) => skills.find(skill => skill.path === path);
  if ('path' in target) return at(target.path) ?? refuseMissing(skills, wanted);
  const usual = usualFolders.flatMap(folder => at(`${folder}/${target.name}/${fileName}`) ?? []);
  if (usual[0] !== undefined) return usual[0];
  const near = skills.filter(isNearTop);
  const ofFolder = near.filter(skill => nameFolder(repository, skill) === target.name);
  const named = async () => {
    const texts = await readSkillFiles(parts, near);
    const hits = texts.filter(file => readName(readText(file), nameFolder(repository, file)) === target.name);
    return hits.flatMap(({ path }) => at(path) ?? []);
  };
  const hits = ofFolder.length > 0 ? ofFolder : await named();
  const [hit, ...more] = hits;
  if (hit === undefined) return refuseMissing(skills, wanted);
  return more.length > 0 ? refuseAsAmbiguous(repository, target.name, hits) : hit;
}

function refuseMissing(skills: readonly TreeFile[], wanted: Wanted): never {
  return refuseAsMissing({ ...wanted, skills: skills.filter(isNearTop), isWhole: true, isLocal: false });
}

/** The first ones, without those that are too large. */
async function readSkillFiles(parts: TreeParts, skills: readonly TreeFile[]): Promise<readonly ReadFile[]> {
  const fetched = await fetchFiles(parts, skills.slice(0, listMax));
  const usable = fetched.filter(({ size }) => size <= fileBytesMax);
  return await readFiles(parts, usable);
}

function describeSkill(
  { commit, note, value: { path, files, leftOut } }: Look<ReadSkill> & { readonly note?: string },
  { repository, spec }: Wanted,
): FoundSkill {
  const text = readText(files.find(file => file.path === fileName));
  const left = `${repository}:${path}: skipped links and submodules in its folder (${leftOut})`;
  return {
    ...readFound({ repository, location: { path, text }, usualName: skillName(spec) }),
    checkout: undefined,
    origin: `${repository}:${path} at ${commit.slice(0, 7)}`,
    notes: [...(note === undefined ? [] : [note]), ...(leftOut === 0 ? [] : [left])],
    async copyTo(to, { signal }) {
      for (const file of files) {
        signal.throwIfAborted();
        const target = join(to, file.path);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, Buffer.from(file.base64, 'base64'));
        if (file.isExecutable) await chmod(target, 0o755);
      }
    },
  };
}

function readText(file: ReadFile | undefined): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(Buffer.from(file?.base64 ?? '', 'base64'));
}

function nameFolder(repository: string, { path }: Pick<TreeFile, 'path'>): string {
  const folder = dirname(path);
  return basename(folder === '.' ? repository : folder);
}

async function readKept<T>(file: string): Promise<Look<T> | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Look<T>;
  } catch {
    return undefined;
  }
}

async function keep(file: string, look: Look<unknown>): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 });
  const made = `${file}.${randomUUID()}`;
  await writeFile(made, JSON.stringify(look), { mode: 0o600 });
  await rename(made, file);
}
