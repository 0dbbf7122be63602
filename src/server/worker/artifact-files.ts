/** The files that a run leaves in its folder for artifacts, taken over when nothing of the run is left that could change them. */
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { v7 as uuidv7 } from 'uuid';
import { counted } from '../../base/text.ts';
import { sizes } from '../../contract/sizes.ts';
import type { ArtifactDraft } from '../store/store.ts';
import type { RunFolder } from './run-folder.ts';
import { patchName } from './workspace-changes.ts';

const artifactsFolder = 'artifacts';
const depthMax = 8;
/** Entries that are looked at, so that a folder without end ends. */
const entriesMax = 10_000;

/** The kept file of an artifact. */
export function locateArtifact(dataDir: string, runId: string, artifactUid: string): string {
  return join(dataDir, artifactsFolder, runId, artifactUid);
}

export interface TakenArtifacts {
  readonly artifacts: readonly ArtifactDraft[];
  /** What was left out and why, for the run's log; undefined where nothing was. */
  readonly leftOut: string | undefined;
}

/**
 * Copies what is there into the data folder. Links, pipes and devices are no artifacts. `hasPatch`: the patch there is the server's, which comes first and counts for
 * no limit; else its name is nobody's, for whoever finds it takes it for what changed.
 */
export async function takeArtifacts(
  folder: RunFolder,
  { dataDir, runId, hasPatch }: { readonly dataDir: string; readonly runId: string; readonly hasPatch: boolean },
): Promise<TakenArtifacts> {
  const artifacts: ArtifactDraft[] = [];
  const { files, skipped } = await listFiles(folder.artifacts);
  let bytesLeft: number = sizes.artifactBytes;
  let tooMany = 0;
  let tooLarge = 0;
  const take = async (path: string, bytesMax: number): Promise<number | undefined> => {
    const uid = uuidv7();
    const bytes = await copyFile(join(folder.artifacts, path), locateArtifact(dataDir, runId, uid), bytesMax);
    if (bytes !== undefined) artifacts.push(describeFile({ uid, path, bytes }));
    return bytes;
  };
  if (hasPatch) await take(patchName, sizes.artifactBytes);
  const filesMax = sizes.artifactFiles + artifacts.length;
  for (const path of files) {
    if (path === patchName) continue;
    if (artifacts.length >= filesMax) {
      tooMany += 1;
      continue;
    }
    const bytes = await take(path, bytesLeft);
    if (bytes === undefined) tooLarge += 1;
    else bytesLeft -= bytes;
  }
  const leftOut = [
    ...(!hasPatch && files.includes(patchName) ? [`${patchName}, the name of what the server finds changed`] : []),
    ...(tooMany > 0 ? [`${counted(tooMany, 'file')} beyond the ${sizes.artifactFiles} that one run may leave`] : []),
    ...(tooLarge > 0
      ? [`${counted(tooLarge, 'file')} for which there was no room in the ${sizes.artifactBytes} bytes of one run`]
      : []),
    ...(skipped > 0
      ? [`${counted(skipped, 'other thing')} that ${skipped === 1 ? 'is no plain file' : 'are no plain files'}`]
      : []),
  ];
  return { artifacts, leftOut: leftOut.length === 0 ? undefined : `not kept as artifacts: ${leftOut.join('; ')}` };
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

/** Types that whoever shows a file can do something with. */
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

/** By the end of the name; any other file is bytes. */
function typeOf(filename: string): string {
  const ending = filename.slice(filename.lastIndexOf('.') + 1).toLowerCase();
  return (Object.hasOwn(mimeTypes, ending) ? mimeTypes[ending] : undefined) ?? 'application/octet-stream';
}

/** Paths below the folder with slashes, in the order of their names. */
async function listFiles(root: string): Promise<{ readonly files: readonly string[]; readonly skipped: number }> {
  const files: string[] = [];
  let skipped = 0;
  let looked = 0;
  const visit = async (folder: string, depth: number): Promise<void> => {
    const isFolder = (await lstat(join(root, folder)).catch(() => undefined))?.isDirectory() ?? false;
    const entries = isFolder ? await readdir(join(root, folder), { withFileTypes: true }).catch(() => []) : [];
    for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
      looked += 1;
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (looked > entriesMax) skipped += 1;
      else if (entry.isFile()) files.push(path);
      else if (entry.isDirectory() && depth < depthMax) await visit(path, depth + 1);
      else skipped += 1;
    }
  };
  await visit('', 0);
  return { files, skipped };
}

/** Its size, or undefined where it is larger than `bytesMax` or cannot be read. */
async function copyFile(from: string, to: string, bytesMax: number): Promise<number | undefined> {
  const source = await open(from, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW).catch(
    () => undefined,
  );
  if (source === undefined) return undefined;
  try {
    const info = await source.stat();
    if (!info.isFile() || info.size > bytesMax) return undefined;
    await mkdir(dirname(to), { recursive: true, mode: 0o700 });
    const target = await open(to, 'wx', 0o600);
    try {
      // No more than was promised, whatever becomes of it meanwhile.
      const chunks = info.size === 0 ? [] : source.createReadStream({ autoClose: false, end: info.size - 1 });
      for await (const chunk of chunks) await target.writeFile(chunk);
      return (await target.stat()).size;
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}
