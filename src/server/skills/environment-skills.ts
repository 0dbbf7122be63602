import type { SkillSpec } from '../../contract/tables/skill-spec.ts';
import { RunFailure } from '../run-failure.ts';
import type { Clone } from '../workspace/environment-clone.ts';
import { createSkillSource, type FoundSkill, findName, type SkillSource } from './skill-source.ts';

/** Finds a skill in the clones of a run's environment first, then in the server's repositories. Throws RunFailure. */
export function createSkillFinder(
  clones: readonly Clone[],
  server: SkillSource,
): (spec: SkillSpec, signal: AbortSignal) => Promise<FoundSkill> {
  const checkouts = Object.fromEntries(clones.map(({ repository, folder }) => [repository.name, folder]));
  const source = createSkillSource(checkouts);
  const isThere = ({ owner, repo }: SkillSpec) => findName(checkouts, `${owner}/${repo}`) !== undefined;
  return async (spec, signal) => {
    if (!isThere(spec)) return await server.find(spec, signal);
    try {
      return await source.find(spec);
    } catch (error) {
      if (!isMissing(error) || (await server.refuse(spec)) !== undefined) throw error;
      return await server.find(spec, signal).catch((second: unknown) => {
        if (!isMissing(second)) throw second;
        throw new RunFailure(second.code, `${error.message}; ${second.message}`);
      });
    }
  };
}

function isMissing(error: unknown): error is RunFailure {
  return error instanceof RunFailure && error.code === 'resource_not_found';
}
