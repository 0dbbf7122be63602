import { realpath } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type SkillSpec, skillName } from '../../contract/tables/skill-spec.ts';
import { RunFailure } from '../run-failure.ts';
import { copyTree } from '../workspace/tree-copy.ts';
import type { GitHubSkills } from './github-skills.ts';
import { parseSkillFile, SkillFileError } from './skill-file.ts';
import { findUsualSkill, listSkills, readSkill, type SkillLocation, usualFolders } from './skill-search.ts';

/** A skill with everything that a run needs. */
export interface FoundSkill {
  readonly name: string;
  readonly description: string;
  /** `owner/repo` as the configuration spells it. */
  readonly repository: string;
  /**
   * Absolute path of its checkout. Undefined for a skill from GitHub, which comes without the rest of its repository.
   */
  readonly checkout: string | undefined;
  /** Where it comes from, for people. */
  readonly origin: string;
  /** A warning about it for the run's log. */
  readonly notes: readonly string[];
  /** Paths of the SKILL.md and its folder, relative to the repository. The folder is '.' at the top. */
  readonly path: string;
  readonly folder: string;
  /** The whole file, and its text after the front matter. */
  readonly text: string;
  readonly body: string;
  /** The line of the file where the body starts. */
  readonly bodyLine: number;
  /** Copies its folder, except the path `except`. Throws RunFailure, or the signal's reason. */
  copyTo(to: string, options: { readonly except: string; readonly signal: AbortSignal }): Promise<void>;
}

export interface SkillSource {
  /**
   * Throws the signal's reason or RunFailure: resource_not_found, or another code if the skill exists but cannot be
   * used.
   */
  find(spec: SkillSpec, signal?: AbortSignal): Promise<FoundSkill>;
  /**
   * Why a skill certainly does not exist, for checks before a run is created. Undefined if it exists, or if only
   * GitHub knows.
   */
  refuse(spec: SkillSpec): Promise<string | undefined>;
}

const listedMax = 10;
/** Limits for a skill's folder. It may be a whole repository, and an agent may have filled it. */
const entriesMax = 100_000;
const bytesMax = 1024 ** 3;

/**
 * Skills from local checkouts, then from GitHub. `repositories` maps `owner/repo`, in any case, to absolute paths of
 * checkouts.
 */
export function createSkillSource(
  repositories: Readonly<Record<string, string>>,
  github?: GitHubSkills | undefined,
): SkillSource {
  const onGitHub = ({ owner, repo }: SkillSpec): string | undefined =>
    findName(repositories, `${owner}/${repo}`) === undefined ? github?.spell(`${owner}/${repo}`) : undefined;
  const find: SkillSource['find'] = async (spec, signal) => {
    const remote = onGitHub(spec);
    if (remote !== undefined && github !== undefined) return await github.find(remote, spec, signal);
    const { repository, checkout } = await findCheckout(repositories, spec, github?.offered ?? []);
    const location =
      'path' in spec.target
        ? ((await readSkill(checkout, spec.target.path)) ?? (await refuseAsMissingIn(checkout, repository, spec)))
        : await findByName(checkout, repository, spec, spec.target.name);
    const found = readFound({ repository, location, usualName: skillName(spec) });
    return {
      ...found,
      checkout,
      origin: `${repository}:${location.path}`,
      notes: [],
      copyTo: (to, options) =>
        copyTree({ from: join(checkout, found.folder), to, room: createRoom(found), ...options }),
    };
  };
  return {
    find,
    async refuse(spec) {
      if (onGitHub(spec) !== undefined) return undefined;
      try {
        await find(spec);
        return undefined;
      } catch (error) {
        if (error instanceof RunFailure) return error.code === 'resource_not_found' ? error.message : undefined;
        throw error;
      }
    },
  };
}

function createRoom({ repository, path }: Pick<FoundSkill, 'repository' | 'path'>) {
  const fault = `the folder of ${repository}:${path} is too large to be copied: ${entriesMax} files and ${bytesMax / 1024 ** 2} MiB are the most; remove files that are not part of the skill`;
  return { entries: entriesMax, bytes: bytesMax, fault };
}

/** The name as spelled there. */
export function findName(repositories: Readonly<Record<string, string>>, wanted: string): string | undefined {
  return Object.keys(repositories).find(name => name.toLowerCase() === wanted.toLowerCase());
}

/** Why skills of a repository are unavailable if neither source offers it. */
export function describeUnknown(
  wanted: string,
  { local, offered }: { readonly local: readonly string[]; readonly offered: readonly string[] },
): string {
  const names =
    local.length === 0 ? 'none is named in skills.repositories' : `skills.repositories names ${print(local)}`;
  const github = offered.length === 0 ? '' : `; from GitHub it reads ${print(offered)} (skills.github.repositories)`;
  return `this server has no checkout of ${wanted}; ${names}${github}`;
}

async function findCheckout(
  repositories: Readonly<Record<string, string>>,
  { owner, repo }: SkillSpec,
  offered: readonly string[],
): Promise<{ repository: string; checkout: string }> {
  const wanted = `${owner}/${repo}`;
  const repository = findName(repositories, wanted);
  if (repository === undefined) throw notFound(describeUnknown(wanted, { local: Object.keys(repositories), offered }));
  const checkout = await realpath(repositories[repository] ?? '').catch(() => undefined);
  if (checkout === undefined) throw notFound(`the checkout of ${repository} is not where skills.repositories says`);
  return { repository, checkout };
}

async function findByName(checkout: string, repository: string, spec: SkillSpec, name: string): Promise<SkillLocation> {
  const usual = await findUsualSkill(checkout, name);
  if (usual !== undefined) return usual;
  const { skills } = await listSkills(checkout);
  const hits = skills.filter(skill => skill.folderName === name || skill.name === name);
  const [hit, ...more] = hits;
  if (hit === undefined) return refuseAsMissingIn(checkout, repository, spec);
  return more.length > 0 ? refuseAsAmbiguous(repository, name, hits) : hit;
}

/** Always throws RunFailure. */
export function refuseAsAmbiguous(repository: string, name: string, hits: readonly { readonly path: string }[]): never {
  throw new RunFailure(
    'invalid_request',
    `${repository} has ${hits.length} skills called ${name}: ${printPaths(hits)}; name one by its path, as in ${repository}:${hits[0]?.path}`,
  );
}

async function refuseAsMissingIn(checkout: string, repository: string, spec: SkillSpec): Promise<never> {
  return refuseAsMissing({ repository, spec, ...(await listSkills(checkout)), isLocal: true });
}

/** Says what was searched, where, and what exists there. Always throws RunFailure. */
export function refuseAsMissing({
  repository,
  spec: { target },
  skills,
  isWhole,
  isLocal,
}: {
  readonly repository: string;
  readonly spec: SkillSpec;
  readonly skills: readonly { readonly path: string }[];
  readonly isWhole: boolean;
  readonly isLocal: boolean;
}): never {
  const what = 'path' in target ? `no file ${target.path}` : `no skill ${target.name}`;
  const file = isLocal
    ? 'it takes a file of at most 1 MiB that no link leads out of the checkout to'
    : 'on GitHub; it takes a file of at most 1 MiB, and links are not followed';
  const where =
    'path' in target
      ? file
      : `looked for ${target.name}/SKILL.md in ${usualFolders.join(', ')}, then for any SKILL.md of that name up to four folders deep${isLocal ? '' : ', on GitHub'}`;
  const there = skills.length === 0 ? 'it has no skill at all' : `its skills: ${printPaths(skills)}`;
  throw notFound(
    `${repository} has ${what} (${where}); ${there}${isWhole ? '' : ' (not all of its folders were looked at: there are too many)'}`,
  );
}

/** Parses the file of a skill. Throws RunFailure if its front matter is invalid. */
export function readFound({
  repository,
  location: { path, text },
  usualName,
}: {
  readonly repository: string;
  readonly location: SkillLocation;
  readonly usualName: string;
}): Omit<FoundSkill, 'checkout' | 'origin' | 'notes' | 'copyTo'> {
  try {
    return { ...parseSkillFile(text, usualName), repository, path, folder: dirname(path), text };
  } catch (error) {
    if (!(error instanceof SkillFileError)) throw error;
    throw new RunFailure(
      'environment_setup_failed',
      `the front matter of ${repository}:${path} is not valid: ${error.message}`,
    );
  }
}

function printPaths(skills: readonly { readonly path: string }[]): string {
  return print(skills.map(({ path }) => path));
}

function print(names: readonly string[]): string {
  const shown = names.slice(0, listedMax);
  return [...shown, ...(names.length > listedMax ? [`and ${names.length - listedMax} more`] : [])].join(', ');
}

function notFound(message: string): RunFailure {
  return new RunFailure('resource_not_found', message);
}
