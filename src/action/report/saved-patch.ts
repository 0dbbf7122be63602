/** The patch that a run left as an artifact: `changes.patch`, written to a file for a later step. */
import { writeFile } from 'node:fs/promises';
import { type ArtifactSource, downloadArtifact } from '../../border/downloads.ts';
import type { Artifact, Run } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import { type Changes, listChanges } from './changed-files.ts';

const patchName = 'changes.patch';
const patchBytes = 64 * 1024 * 1024;

/** ID of the run's patch, if there is one. */
export function findPatch(run: Run): string | undefined {
  const patch = (run.artifacts ?? []).findLast(isPatch);
  return patch && fileUid(patch);
}

/** A file with that name in a folder belongs to the agent. */
export function isPatch({ artifact_type: type, data }: Artifact): boolean {
  return type === 'FILE' && data.filename === patchName && (data.filepath ?? patchName) === patchName;
}

/** ID of a file artifact. Undefined for any other. */
export function fileUid({ artifact_type: type, data }: Artifact): string | undefined {
  return type === 'FILE' ? data.artifact_uid : undefined;
}

interface PatchFile {
  readonly path: string;
  readonly signal: AbortSignal;
}

/** Writes the patch to `path`, which must not exist, and returns its changes. Throws if it cannot be read. */
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

export function sourceOf({ client, fetch }: Connection): ArtifactSource {
  return { get: (path, options) => client.get(path, options), fetch };
}
