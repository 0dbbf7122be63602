import { realpath } from 'node:fs/promises';
import { basename, dirname, join, relative, sep } from 'node:path';
import { findShortage } from '../../base/process/shortage.ts';
import { readPlainFile } from '../../border/files.ts';
import { readEntries } from '../../border/folders.ts';
import { skippedFolders } from '../workspace/tree-copy.ts';
import { parseSkillFile, SkillFileError } from './skill-file.ts';

/** Folders where agents look for skills, in this order. The first hit counts. */
export const usualFolders = [
  '.agents/skills',
  '.warp/skills',
  '.claude/skills',
  '.codex/skills',
  '.cursor/skills',
  '.gemini/skills',
  '.copilot/skills',
  '.factory/skills',
  '.github/skills',
  '.opencode/skills',
  'skills',
] as const;
export const fileName = 'SKILL.md';
export const depthMax = 4;
const foldersMax = 5000;
/** Limit for one folder. */
const entriesMax = 10_000;
/** A larger SKILL.md is ignored. */
export const fileBytesMax = 1024 * 1024;

/** A SKILL.md of a checkout. */
export interface SkillLocation {
  /** Relative to the checkout, with slashes. No part of it is a link. */
  readonly path: string;
  readonly text: string;
}

/** Finds the SKILL.md of that name in the usual folders of a checkout. */
export async function findUsualSkill(checkout: string, name: string): Promise<SkillLocation | undefined> {
  for (const folder of usualFolders) {
    const found = await readSkill(checkout, `${folder}/${name}/${fileName}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** A skill as a search of a whole checkout finds it. */
export interface ListedSkill extends SkillLocation {
  readonly folderName: string;
  /** From its front matter, otherwise that of the folder. */
  readonly name: string;
}

/**
 * Finds every SKILL.md of a checkout, at most four folders deep. `isWhole` is false if there were too many folders to
 * search.
 */
export async function listSkills(
  checkout: string,
): Promise<{ readonly skills: readonly ListedSkill[]; readonly isWhole: boolean }> {
  const skills: ListedSkill[] = [];
  let level = ['.'];
  let looked = 0;
  let wasWhole = true;
  for (let depth = 0; depth <= depthMax; depth += 1) {
    const next: string[] = [];
    for (const folder of level) {
      if (looked >= foldersMax) return { skills, isWhole: false };
      looked += 1;
      const { entries, isWhole } = await readEntries(join(checkout, folder), entriesMax);
      wasWhole &&= isWhole;
      // Links to folders are not followed: they lead in circles, or to files that are found anyway.
      for (const entry of entries)
        if (entry.isDirectory() && !skippedFolders.includes(entry.name)) next.push(join(folder, entry.name));
      if (!entries.some(entry => entry.name === fileName)) continue;
      const found = await readSkill(checkout, join(folder, fileName));
      if (found !== undefined) skills.push(listSkill(checkout, found));
    }
    level = next;
  }
  return { skills, isWhole: wasWhole };
}

/**
 * Reads a file of a checkout. Undefined if it is missing, not a regular file, larger than 1 MiB, or outside through a
 * link.
 */
export async function readSkill(checkout: string, path: string): Promise<SkillLocation | undefined> {
  try {
    const root = await realpath(checkout);
    const real = await realpath(join(root, path));
    const realPath = relative(root, real);
    if (realPath.split(sep)[0] === '..') return undefined;
    const text = await readPlainFile(real, fileBytesMax);
    return text === undefined ? undefined : { path: realPath.split(sep).join('/'), text };
  } catch (error) {
    if (findShortage(error) !== undefined) throw error;
    return undefined;
  }
}

function listSkill(checkout: string, location: SkillLocation): ListedSkill {
  const folder = dirname(location.path);
  const folderName = basename(folder === '.' ? checkout : folder);
  return { ...location, folderName, name: readName(location.text, folderName) };
}

/** A file with invalid front matter is still listed by its folder's name. */
export function readName(text: string, folderName: string): string {
  try {
    return parseSkillFile(text, folderName).name;
  } catch (error) {
    if (error instanceof SkillFileError) return folderName;
    throw error;
  }
}
