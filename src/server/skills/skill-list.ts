import type { FoundAgents } from '../../contract/agents.ts';
import { type Environment, findRepository } from '../environments/environment.ts';
import { RunFailure } from '../run-failure.ts';
import type { GitHubSkills } from './github-skills.ts';
import { parseSkillFile, SkillFileError } from './skill-file.ts';
import { listSkills } from './skill-search.ts';
import { describeUnknown, findName } from './skill-source.ts';

export interface SkillQuery {
  /** `owner/repo`. @default all local checkouts */
  readonly repo: string | undefined;
  /** Ask GitHub again, even if its last answer is recent. */
  readonly isFresh: boolean;
  /** Includes skills with invalid front matter. */
  readonly withMalformed: boolean;
  readonly signal?: AbortSignal;
}

type Refusal = { readonly refused: 'resource_not_found' | 'resource_unavailable'; readonly message: string };
type Agent = FoundAgents['agents'][number];
type Variant = Agent['variants'][number];

/** Lists skills in the shape of the public API: skills with the same name form one entry. */
export function createSkillList({
  repositories,
  github,
  environments,
}: {
  /** Folders of checkouts by `owner/repo`. */
  readonly repositories: Readonly<Record<string, string>>;
  readonly github: GitHubSkills | undefined;
  readonly environments: readonly Environment[];
}): (query: SkillQuery) => Promise<FoundAgents | Refusal> {
  const readLocal = async (repository: string) => {
    const { skills } = await listSkills(repositories[repository] ?? '');
    return skills.map(skill => ({ repository, ...skill }));
  };
  const read = async ({ repo, isFresh, signal }: SkillQuery) => {
    if (repo === undefined) return (await Promise.all(Object.keys(repositories).map(readLocal))).flat();
    const local = findName(repositories, repo);
    if (local !== undefined) return await readLocal(local);
    const remote = github?.spell(repo);
    if (github !== undefined && remote !== undefined)
      return (await github.list(remote, { isFresh, signal })).map(skill => ({ repository: remote, ...skill }));
    const known = { local: Object.keys(repositories), offered: github?.offered ?? [] };
    throw new RunFailure('resource_not_found', describeUnknown(repo, known));
  };
  return async query => {
    try {
      const found = (await read(query)).map(skill => describe(skill, environments));
      const shown = found.filter(({ variant }) => query.withMalformed || variant.error === undefined);
      const agents = [...Map.groupBy(shown, ({ name }) => name)].map(([name, entries]) => ({
        name,
        variants: entries.map(({ variant }) => variant).toSorted((a, b) => compare(a.id, b.id)),
      }));
      return { agents: agents.toSorted((a, b) => compare(a.name, b.name)) };
    } catch (error) {
      if (!(error instanceof RunFailure)) throw error;
      const refused = error.code === 'resource_not_found' ? error.code : 'resource_unavailable';
      return { refused, message: error.message };
    }
  };
}

interface Listed {
  readonly repository: string;
  readonly path: string;
  readonly folderName: string;
  readonly text: string;
}

function describe(
  { repository, path, folderName, text }: Listed,
  environments: readonly Environment[],
): { readonly name: string; readonly variant: Variant } {
  const [owner = '', name = ''] = repository.split('/');
  const place = {
    id: `${repository}:${path}`,
    environments: environments
      .filter(environment => findRepository(environment, repository) !== undefined)
      .map(environment => ({ uid: environment.uid, name: environment.name })),
    source: { owner, name, skill_path: path },
  };
  try {
    const read = parseSkillFile(text, folderName);
    return { name: read.name, variant: { ...place, base_prompt: read.body, description: read.description } };
  } catch (error) {
    if (!(error instanceof SkillFileError)) throw error;
    const variant = {
      ...place,
      base_prompt: text,
      description: '',
      error: `its front matter is not valid: ${error.message}`,
    };
    return { name: folderName, variant };
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
