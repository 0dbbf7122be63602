import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import type { ContainerPlace } from '../executor/executor.ts';
import { placedSkillsFolder, type RunFolder } from './run-folder.ts';

/**
 * Folders of a run that a container mounts. Each one is mounted by itself, never their parent: a mount point cannot
 * be replaced by a symlink from inside, so the server does not follow one later.
 */
export function placeContainer(
  image: string,
  folder: RunFolder,
  {
    isAgent,
    readable = [],
  }: {
    /** Setup commands and their children get none of the files that the server writes for the agent. */
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
