import { posix } from 'node:path';
import { depthMax, fileBytesMax, fileName, skippedFolders } from './skill-search.ts';

/** An entry of a tree as GitHub lists it; the path is relative to the repository. */
export interface TreeEntry {
  readonly path: string;
  /** `100644`, `100755`, `120000` a link, `160000` a submodule, `040000` a folder. */
  readonly mode: string;
  readonly sha: string;
  readonly size: number;
}

/** A SKILL.md of a tree and what lies in its folder. */
export interface TreeSkill {
  readonly path: string;
  /** `.` at the top. */
  readonly folder: string;
  readonly sha: string;
  readonly size: number;
  /** At most `filesMax`, the SKILL.md among them. */
  readonly files: readonly TreeFile[];
  /** Of all files, also where there are too many. */
  readonly fileCount: number;
  readonly bytes: number;
  /** Links and submodules, which are left out. */
  readonly leftOut: number;
}

interface TreeFile {
  /** Relative to the skill's folder. */
  readonly path: string;
  readonly sha: string;
  readonly size: number;
  readonly isExecutable: boolean;
}

export const filesMax = 100;
export const folderBytesMax = 8 * 1024 * 1024;

/** The skills of a tree, at whatever depth. Paths that git itself would never hold, and what lies in `.git` or `node_modules`, are passed over. */
export function readTreeSkills(entries: readonly TreeEntry[]): readonly TreeSkill[] {
  const usable = entries.filter(({ path }) => isUsable(path));
  const skills = new Map<string, Gathered>();
  for (const { path, mode, sha, size } of usable)
    if (posix.basename(path) === fileName && isFile(mode) && size <= fileBytesMax)
      skills.set(posix.dirname(path), { path, sha, size, files: [], fileCount: 0, bytes: 0, leftOut: 0 });
  for (const entry of usable)
    for (const folder of listParents(entry.path)) {
      const skill = skills.get(folder);
      if (skill !== undefined) gather(skill, folder, entry);
    }
  return [...skills].map(([folder, skill]) => ({ ...skill, folder }));
}

/** Whether a look through a whole repository finds it, as in a checkout. */
export function isNearTop({ folder }: Pick<TreeSkill, 'folder'>): boolean {
  return folder === '.' || folder.split('/').length <= depthMax;
}

type Gathered = { -readonly [P in keyof Omit<TreeSkill, 'folder' | 'files'>]: TreeSkill[P] } & { files: TreeFile[] };

function gather(skill: Gathered, folder: string, { path, mode, sha, size }: TreeEntry): void {
  if (mode === '120000' || mode === '160000') skill.leftOut += 1;
  if (!isFile(mode)) return;
  skill.fileCount += 1;
  skill.bytes += size;
  if (skill.files.length < filesMax)
    skill.files.push({ path: posix.relative(folder, path), sha, size, isExecutable: mode === '100755' });
}

function isFile(mode: string): boolean {
  return mode === '100644' || mode === '100664' || mode === '100755';
}

function isUsable(path: string): boolean {
  return path
    .split('/')
    .every(
      part =>
        part !== '' &&
        part !== '.' &&
        part !== '..' &&
        !/[\\\0]/.test(part) &&
        !skippedFolders.includes(part.toLowerCase()),
    );
}

/** The folders that a path lies in, the nearest first, `.` last. */
function listParents(path: string): readonly string[] {
  const parents: string[] = [];
  for (let folder = posix.dirname(path); folder !== '.'; folder = posix.dirname(folder)) parents.push(folder);
  return [...parents, '.'];
}
