/**
 * The files that a run leaves in its artifacts folder. They are collected when no process of the run can still change
 * them.
 */
import { lstat, mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { counted } from '../../base/text.ts';
import { copyPlainFile } from '../../border/files.ts';
import { readEntries } from '../../border/folders.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import { type KeptText, writeTexts } from '../changes/patch-file.ts';
import { patchName } from '../changes/workspace-changes.ts';
import type { ArtifactDraft } from '../store/store.ts';
import type { RunFolder } from '../workspace/run-folder.ts';

const artifactsFolder = 'artifacts';
const depthMax = 8;
/** Limit on entries to look at, so that a huge folder ends. */
const entriesMax = 10_000;
const namedMax = 3;

/** Path of the stored copy. */
export function locateArtifact(dataDir: string, runId: string, artifactUid: string): string {
  return join(dataDir, artifactsFolder, runId, artifactUid);
}

export interface TakenArtifacts {
  readonly artifacts: readonly ArtifactDraft[];
  /** What was left out and why, for the run's log. Undefined if nothing was. */
  readonly leftOut: string | undefined;
}

/**
 * Copies the files into the data folder. Skips links, pipes and devices. `patch` is the server's own: it comes first,
 * counts toward no limit, and no other artifact may have its name, because clients take that one for the changes.
 */
export async function takeArtifacts(
  folder: RunFolder,
  { dataDir, runId, patch }: { readonly dataDir: string; readonly runId: string; readonly patch: readonly KeptText[] },
): Promise<TakenArtifacts> {
  const artifacts: ArtifactDraft[] = [];
  const hasPatch = patch.length > 0;
  const findPlace = () => {
    const uid = uuidv7();
    return { uid, file: locateArtifact(dataDir, runId, uid) };
  };
  if (hasPatch) {
    const { uid, file } = findPlace();
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    await writeTexts(patch, file);
    artifacts.push(describeFile({ uid, path: patchName, bytes: patch.reduce((sum, { bytes }) => sum + bytes, 0) }));
  }
  const { files, unnamed, skipped, isWhole } = await listFiles(folder.artifacts);
  let bytesLeft: number = sizes.artifactBytes;
  const tooMany: string[] = [];
  const tooLarge: string[] = [];
  const unread: string[] = [];
  const filesMax = sizes.artifactFiles + artifacts.length;
  for (const path of files) {
    if (path === patchName) continue;
    if (artifacts.length >= filesMax) {
      tooMany.push(path);
      continue;
    }
    const { uid, file } = findPlace();
    await mkdir(dirname(file), { recursive: true, mode: 0o700 });
    const bytes = await copyPlainFile(join(folder.artifacts, path), { to: file, bytesMax: bytesLeft });
    if (bytes === 'too large') tooLarge.push(path);
    else if (bytes === undefined) unread.push(path);
    else {
      artifacts.push(describeFile({ uid, path, bytes }));
      bytesLeft -= bytes;
    }
  }
  const leftOut = [
    ...(!hasPatch && files.includes(patchName)
      ? [`${patchName}, a name reserved for changes found by the server`]
      : []),
    ...(tooMany.length > 0
      ? [
          `${counted(tooMany.length, 'file')} beyond the limit of ${sizes.artifactFiles} for one run (${nameFew(tooMany)})`,
        ]
      : []),
    ...(tooLarge.length > 0
      ? [
          `${counted(tooLarge.length, 'file')} beyond the limit of ${sizes.artifactBytes} bytes for one run (${nameFew(tooLarge)})`,
        ]
      : []),
    ...(unread.length > 0 ? [`${counted(unread.length, 'file')} that cannot be read (${nameFew(unread)})`] : []),
    ...(unnamed > 0 ? [`${counted(unnamed, 'thing')} with a name that is not UTF-8`] : []),
    ...(skipped.length > 0
      ? [`${nameFew(skipped)}, which ${skipped.length === 1 ? 'is not a regular file' : 'are not regular files'}`]
      : []),
    ...(isWhole ? [] : [`everything after the first ${entriesMax} files and folders`]),
  ];
  return { artifacts, leftOut: leftOut.length === 0 ? undefined : `not kept as artifacts: ${leftOut.join('; ')}` };
}

/** `"a", "b" and 3 others`. */
function nameFew(paths: readonly string[]): string {
  const named = paths.slice(0, namedMax).map(path => JSON.stringify(path));
  const more = paths.length > namedMax ? ` and ${counted(paths.length - namedMax, 'other')}` : '';
  return `${named.join(', ')}${more}`;
}

function describeFile({
  uid,
  path,
  bytes,
}: {
  readonly uid: string;
  readonly path: string;
  readonly bytes: number;
}): ArtifactDraft {
  const filename = path.slice(path.lastIndexOf('/') + 1);
  return {
    type: 'FILE',
    data: {
      artifact_uid: uid,
      filename,
      filepath: path,
      mime_type: typeOf(filename),
      size_bytes: bytes,
    },
  };
}

/** Types that a client can do something with. */
const mimeTypes: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  diff: 'text/x-diff',
  gif: 'image/gif',
  gz: 'application/gzip',
  htm: 'text/html',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  log: 'text/plain',
  md: 'text/markdown',
  patch: 'text/x-diff',
  pdf: 'application/pdf',
  png: 'image/png',
  svg: 'image/svg+xml',
  tar: 'application/x-tar',
  txt: 'text/plain',
  webp: 'image/webp',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
  zip: 'application/zip',
};

/** By file name extension. Any other file is bytes. */
function typeOf(filename: string): string {
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(mimeTypes, ending) ? mimeTypes[ending] : undefined) ?? 'application/octet-stream';
}

interface FoundFiles {
  /** Paths below the folder, with slashes, sorted by name. */
  readonly files: readonly string[];
  /** Entries whose name is not UTF-8. They cannot be opened by it. */
  readonly unnamed: number;
  /** Entries that are not regular files. */
  readonly skipped: readonly string[];
  /** Whether every entry was looked at. */
  readonly isWhole: boolean;
}

async function listFiles(root: string): Promise<FoundFiles> {
  const files: string[] = [];
  let unnamed = 0;
  const skipped: string[] = [];
  let left = entriesMax;
  let isWhole = true;
  const visit = async (folder: string, depth: number): Promise<void> => {
    const isFolder = (await lstat(join(root, folder)).catch(() => undefined))?.isDirectory() ?? false;
    if (!isFolder) return;
    const found = await readEntries(join(root, folder), left);
    left -= found.entries.length;
    isWhole &&= found.isWhole;
    for (const entry of found.entries) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      // Invalid bytes become U+FFFD, which another name may really contain.
      const isUnnamed = entry.name.includes('\uFFFD') && !(await isThere(join(root, path)));
      if (isUnnamed) unnamed += 1;
      else if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && depth < depthMax) await visit(path, depth + 1);
      else skipped.push(path);
    }
  };
  await visit('', 0);
  return { files, unnamed, skipped, isWhole };
}

async function isThere(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => undefined)) !== undefined;
}
