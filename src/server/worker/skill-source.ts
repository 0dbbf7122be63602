import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseSkillSpec, type SkillSpec, skillName } from '../../contract/skill-spec.ts';
import { RunFailure } from './run-ending.ts';
import { parseSkillFile, SkillFileError } from './skill-file.ts';
import {
  findUsualSkill,
  type ListedSkill,
  listSkills,
  readSkill,
  type SkillLocation,
  usualFolders,
} from './skill-search.ts';

/** A skill with everything that a run needs of it. */
export interface FoundSkill {
  readonly name: string;
  readonly description: string;
  /** `owner/repo` as the configuration spells it. */
  readonly repository: string;
  /** Absolute path of the checkout that it was found in. */
  readonly checkout: string;
  /** Path of the SKILL.md and of its folder, relative to the checkout; the folder is '.' at the top. */
  readonly path: string;
  readonly folder: string;
  /** The whole file, and its text after the front matter. */
  readonly text: string;
  readonly body: string;
  /** The line of the file that the body begins on. */
  readonly bodyLine: number;
}

export interface SkillSource {
  /** Throws RunFailure: resource_not_found, or another code when the skill is there and cannot be used. */
  find(spec: string): Promise<FoundSkill>;
  /** Why a skill certainly cannot be found, for whoever asks before there is a run; undefined when it is there. */
  refuse(spec: string): Promise<string | undefined>;
}

const listedMax = 10;

/** Skills from local checkouts; `repositories` has their absolute paths by `owner/repo`, which is compared case-blind. */
export function createSkillSource(repositories: Readonly<Record<string, string>>): SkillSource {
  const find = async (text: string): Promise<FoundSkill> => {
    const spec = parseSkillSpec(text);
    const { repository, checkout } = await findCheckout(repositories, spec);
    const location =
      'path' in spec.target
        ? ((await readSkill(checkout, spec.target.path)) ?? (await refuseAsMissing(checkout, repository, spec)))
        : await findByName(checkout, repository, spec, spec.target.name);
    return readFound({ repository, checkout, location, usualName: skillName(spec) });
  };
  return {
    find,
    async refuse(spec) {
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

async function findCheckout(
  repositories: Readonly<Record<string, string>>,
  { owner, repo }: SkillSpec,
): Promise<{ repository: string; checkout: string }> {
  const wanted = `${owner}/${repo}`;
  const names = Object.keys(repositories);
  const repository = names.find(name => name.toLowerCase() === wanted.toLowerCase());
  if (repository === undefined)
    throw notFound(
      `this server has no checkout of ${wanted}; ${names.length === 0 ? 'none is named in skills.repositories' : `skills.repositories names ${names.slice(0, listedMax).join(', ')}`}`,
    );
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
  if (hit === undefined) return refuseAsMissing(checkout, repository, spec);
  if (more.length > 0)
    throw new RunFailure(
      'invalid_request',
      `${repository} has ${hits.length} skills called ${name}: ${printPaths(hits)}; name one by its path, as in ${repository}:${hit.path}`,
    );
  return hit;
}

async function refuseAsMissing(checkout: string, repository: string, { target }: SkillSpec): Promise<never> {
  const what = 'path' in target ? `no file ${target.path}` : `no skill ${target.name}`;
  const where =
    'path' in target
      ? 'it takes a file of at most 1 MiB that no link leads out of the checkout to'
      : `looked for ${target.name}/SKILL.md in ${usualFolders.join(', ')}, then for any SKILL.md of that name up to four folders deep`;
  const { skills, isWhole } = await listSkills(checkout);
  const there = skills.length === 0 ? 'it has no skill at all' : `its skills: ${printPaths(skills)}`;
  throw notFound(
    `${repository} has ${what} (${where}); ${there}${isWhole ? '' : ' (not all of its folders were looked at: there are too many)'}`,
  );
}

function readFound({
  repository,
  checkout,
  location: { path, text },
  usualName,
}: {
  repository: string;
  checkout: string;
  location: SkillLocation;
  usualName: string;
}): FoundSkill {
  try {
    return { ...parseSkillFile(text, usualName), repository, checkout, path, folder: dirname(path), text };
  } catch (error) {
    if (!(error instanceof SkillFileError)) throw error;
    throw new RunFailure(
      'environment_setup_failed',
      `the front matter of ${repository}:${path} is not valid: ${error.message}`,
    );
  }
}

function printPaths(skills: readonly ListedSkill[]): string {
  const shown = skills.slice(0, listedMax).map(({ path }) => path);
  return [...shown, ...(skills.length > listedMax ? [`and ${skills.length - listedMax} more`] : [])].join(', ');
}

function notFound(message: string): RunFailure {
  return new RunFailure('resource_not_found', message);
}
