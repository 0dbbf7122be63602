import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { type SkillSpec, skillName } from '../../contract/skill-spec.ts';
import type { Snapshot } from './github-cache.ts';
import { createGitHubLooks, type GitHubLooks, type View } from './github-look.ts';
import { filesMax, folderBytesMax, isNearTop, readTreeSkills, type TreeSkill } from './github-tree.ts';
import { RunFailure } from './run-ending.ts';
import { fileName, readName, usualFolders } from './skill-search.ts';
import { type FoundSkill, readFound, refuseAsAmbiguous, refuseAsMissing } from './skill-source.ts';

export interface GitHubSkillSettings {
  /** `owner/repo`, or `owner/*` for all that an owner has. */
  readonly repositories: readonly string[];
  /** Root of the API, without a slash at its end. */
  readonly apiUrl: string;
  readonly token: string | undefined;
}

/** A SKILL.md as a list of a whole repository has it. */
export interface GitHubSkillText {
  readonly path: string;
  readonly folderName: string;
  readonly text: string;
}

export interface GitHubSkills {
  /** What the configuration offers, for people. */
  readonly offered: readonly string[];
  /** `owner/repo` as the configuration spells it; undefined where it does not offer it. */
  spell(repository: string): string | undefined;
  /** Throws RunFailure, or the signal's reason. */
  find(repository: string, spec: SkillSpec, signal?: AbortSignal): Promise<FoundSkill>;
  /** At most 100. `isFresh`: what GitHub said within the last minute does not do. Throws the same. */
  list(
    repository: string,
    options?: { readonly isFresh?: boolean; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly GitHubSkillText[]>;
}

const listAgeMs = 60_000;
const listMax = 100;
/** Files that are read to learn the names that skills have in their front matter. */
const namesMax = 50;
const atOnce = 4;

/** Skills of repositories on GitHub; `folder` is where what was read of them is kept. */
export function createGitHubSkills({ repositories, ...server }: GitHubSkillSettings, folder: string): GitHubSkills {
  const looks = createGitHubLooks(server, folder);
  return {
    offered: repositories,
    spell(repository) {
      const wanted = repository.toLowerCase();
      const all = `${wanted.slice(0, wanted.indexOf('/'))}/*`;
      const exact = repositories.find(name => name.toLowerCase() === wanted);
      return exact ?? (repositories.some(name => name.toLowerCase() === all) ? repository : undefined);
    },
    find: (repository, spec, signal) =>
      looks.look(repository, { signal }, async seen => {
        const view = { ...seen, snapshot: await complete(seen, spec) };
        return { snapshot: view.snapshot, value: await readSkill(view, spec, looks) };
      }),
    list: (repository, { isFresh = false, signal } = {}) =>
      looks.look(repository, { signal, maxAgeMs: isFresh ? 0 : listAgeMs }, async view => {
        const skills = listNearTop(view.snapshot).slice(0, listMax);
        const texts = await mapFew(skills, async skill => ({
          path: skill.path,
          folderName: nameFolder(repository, skill),
          text: await readText(view, skill),
        }));
        return { snapshot: view.snapshot, value: texts };
      }),
  };
}

/** Where GitHub does not list all files, the folders that a skill can be in are asked for one by one. */
async function complete({ repository, snapshot, api, signal }: View, { target }: SkillSpec): Promise<Snapshot> {
  if (snapshot.isWhole || api === undefined) return snapshot;
  const folders = 'path' in target ? [dirname(target.path)] : usualFolders.map(usual => `${usual}/${target.name}`);
  for (const path of folders.filter(path => path !== '.')) {
    const sha = await api.findFolder(repository, { path, commit: snapshot.commit }, signal);
    if (sha === undefined) continue;
    const { entries } = await api.readTree(repository, sha, signal);
    const below = entries.map(entry => ({ ...entry, path: `${path}/${entry.path}` }));
    const skill = readTreeSkills(below).find(found => found.folder === path);
    if (skill === undefined) continue;
    return { ...snapshot, skills: [...snapshot.skills.filter(other => other.path !== skill.path), skill] };
  }
  return snapshot;
}

/** Throws RunFailure where there is none, or where several could be meant. */
async function findSkill(view: View, spec: SkillSpec): Promise<TreeSkill> {
  const { repository, snapshot } = view;
  const { target } = spec;
  const at = (path: string) => snapshot.skills.find(skill => skill.path === path);
  const skills = listNearTop(snapshot);
  const missing = () => refuseAsMissing({ repository, spec, skills, isWhole: snapshot.isWhole, isLocal: false });
  if ('path' in target) return at(target.path) ?? missing();
  for (const folder of usualFolders) {
    const skill = at(`${folder}/${target.name}/${fileName}`);
    if (skill !== undefined) return skill;
  }
  const ofFolder = skills.filter(skill => nameFolder(repository, skill) === target.name);
  const hits = ofFolder.length > 0 ? ofFolder : await findByFrontMatter(view, skills.slice(0, namesMax), target.name);
  const [hit, ...more] = hits;
  if (hit === undefined) return missing();
  return more.length > 0 ? refuseAsAmbiguous(repository, target.name, hits) : hit;
}

async function findByFrontMatter(
  view: View,
  skills: readonly TreeSkill[],
  name: string,
): Promise<readonly TreeSkill[]> {
  const named = await mapFew(skills, async skill => ({
    skill,
    name: readName(await readText(view, skill), nameFolder(view.repository, skill)),
  }));
  return named.filter(other => other.name === name).map(({ skill }) => skill);
}

/** Reads all files of the skill's folder, so that copying them later asks nobody. */
async function readSkill(view: View, spec: SkillSpec, looks: GitHubLooks): Promise<FoundSkill> {
  const { repository, snapshot, note } = view;
  const skill = await findSkill(view, spec);
  const { path, files, fileCount, bytes, leftOut } = skill;
  if (fileCount > filesMax || bytes > folderBytesMax)
    throw new RunFailure(
      'environment_setup_failed',
      `the folder of ${repository}:${path} has ${fileCount} files of ${Math.ceil(bytes / 1024)} KiB together; from GitHub come ${filesMax} files and ${folderBytesMax / 1024} KiB at most. Name a checkout of it in skills.repositories`,
    );
  const text = await readText(view, skill);
  await mapFew(files, file => view.readBlob(file));
  const left = `${repository}:${path}: skipped links and submodules in its folder (${leftOut})`;
  return {
    ...readFound({ repository, location: { path, text }, usualName: skillName(spec) }),
    checkout: undefined,
    origin: `${repository}:${path} at ${snapshot.commit.slice(0, 7)}`,
    notes: [...(note === undefined ? [] : [note]), ...(leftOut === 0 ? [] : [left])],
    async copyTo(to, { signal }) {
      for (const file of files) {
        signal.throwIfAborted();
        const target = join(to, file.path);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, await looks.readBlob(repository, file, signal));
        if (file.isExecutable) await chmod(target, 0o755);
      }
    },
  };
}

async function readText(view: View, skill: TreeSkill): Promise<string> {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(await view.readBlob(skill));
}

function nameFolder(repository: string, { folder }: TreeSkill): string {
  return basename(folder === '.' ? repository : folder);
}

function listNearTop({ skills }: Snapshot): readonly TreeSkill[] {
  return skills.filter(isNearTop).toSorted((a, b) => (a.path < b.path ? -1 : 1));
}

/** A few at a time, in their order. */
async function mapFew<T, R>(items: readonly T[], map: (item: T) => Promise<R>): Promise<readonly R[]> {
  const results: R[] = [];
  for (let index = 0; index < items.length; index += atOnce)
    results.push(...(await Promise.all(items.slice(index, index + atOnce).map(map))));
  return results;
}
