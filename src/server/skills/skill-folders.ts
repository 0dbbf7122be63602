import { realpath } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { TaskSkill } from '../harness/harness.ts';
import { RunFailure } from '../run-failure.ts';
import { placedSkillsFolder, type RunFolder } from '../workspace/run-folder.ts';
import type { FoundSkill } from './skill-source.ts';

/**
 * Copies the folders of skills that an agent reads when it needs them next to the run's workspace. Throws RunFailure,
 * or the signal's reason.
 */
export async function placeSkills(
  skills: readonly FoundSkill[],
  { folder, dataDir, signal }: { readonly folder: RunFolder; readonly dataDir: string; readonly signal: AbortSignal },
): Promise<readonly TaskSkill[]> {
  const placed: TaskSkill[] = [];
  for (const { name, description, repository, path, folder: from, copyTo } of skills) {
    // Agents call a skill by its folder name.
    const folderName = basename(from === '.' ? repository : from);
    const to = join(placedSkillsFolder(folder), folderName);
    if (placed.some(other => other.folder === to))
      throw new RunFailure(
        'invalid_request',
        `config.skills: two of the skills are called ${folderName} (${repository}:${path} is one)`,
      );
    await copyTo(to, { except: await realpath(dataDir), signal });
    placed.push({ name, description, folder: to });
  }
  return placed;
}
