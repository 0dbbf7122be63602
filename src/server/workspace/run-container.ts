import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ContainerPlace } from '../executor/executor.ts';
import { placedSkillsFolder, type RunFolder } from './run-folder.ts';

/**
 * The folders of a run that a container is given. Each is given by itself, never the folder around them: what is mounted cannot be replaced from inside by
 * a link, so that the server does not follow one later.
 */
export function placeContainer(
  image: string,
  folder: RunFolder,
  {
    isAgent,
    readable = [],
  }: {
    /** Setup commands, and what they start, get nothing of what the server writes before it starts the agent. */
    readonly isAgent: boolean;
    readonly readable?: readonly string[] | undefined;
  },
): ContainerPlace {
  const { workspace, home, temporary, state, artifacts, resultFile } = folder;
  const skills = placedSkillsFolder(folder);
  return {
    image,
    writable: [workspace, home, temporary, ...(isAgent ? [state, artifacts, dirname(resultFile)] : [])],
    readable: [...(existsSync(skills) ? [skills] : []), ...readable],
  };
}
