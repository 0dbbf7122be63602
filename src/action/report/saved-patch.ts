/** The changes of a run that left them as an artifact: `changes.patch`, in a file for a later step. */
import { writeFile } from 'node:fs/promises';
import { type ArtifactSource, downloadArtifact } from '../../border/downloads.ts';
import type { Artifact, Run } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import { type Changes, listChanges } from './changed-files.ts';

const patchName = 'changes.patch';
const patchBytes = 64 * 1024 * 1024;

/** The id of the patch among what the run left; undefined where there is none. */
export function findPatch(run: Run): string | undefined {
  const patch = (run.artifacts ?? []).findLast(isPatch);
  return patch && fileUid(patch);
}

/** One of that name in a folder is the agent's own. */
export function isPatch({ artifact_type: type, data }: Artifact): boolean {
  return type === 'FILE' && data.filename === patchName && (data.filepath ?? patchName) === patchName;
}

/** The id of a file; undefined for anything else. */
export function fileUid({ artifact_type: type, data }: Artifact): string | undefined {
  return type === 'FILE' ? data.artifact_uid : undefined;
}

interface PatchFile {
  readonly path: string;
  /** Ends the download. */
  readonly signal: AbortSignal;
}

/** Writes the patch with this id to `path`, where nothing is yet, and says what it changes. Throws where it cannot be had. */
export async function writePatchFile(
  connection: Connection,
  uid: string,
  { path, signal }: PatchFile,
): Promise<Changes> {
  const chunks: Uint8Array[] = [];
  const download = { name: patchName, bytesMax: patchBytes, signal };
  for await (const chunk of downloadArtifact(sourceOf(connection), uid, download)) chunks.push(chunk);
  await writeFile(path, chunks, { flag: 'wx' });
  return listChanges(Buffer.concat(chunks).toString());
}

/** Where the files of runs come from in a step. */
export function sourceOf({ client, fetch }: Connection): ArtifactSource {
  return { get: (path, options) => client.get(path, options), fetch };
}
