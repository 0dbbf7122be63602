/** The changes of a run that left them as an artifact: `changes.patch`, in a file for a later step. */
import { writeFile } from 'node:fs/promises';
import { type ArtifactSource, downloadArtifact } from '../../base/artifact-files.ts';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Run } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';

const patchName = 'changes.patch';
const patchBytes = 64 * 1024 * 1024;

/** The id of the patch among what the run left; undefined where there is none. */
export function findPatch(run: Run): string | undefined {
  const artifact = (run.artifacts ?? []).findLast(
    ({ artifact_type, data }) => artifact_type === 'FILE' && isObject(data) && isPatch(data),
  );
  const data: unknown = artifact?.data;
  const uid = isObject(data) ? data.artifact_uid : undefined;
  return typeof uid === 'string' ? uid : undefined;
}

/** One of that name in a folder is the agent's own. */
function isPatch({ filename, filepath }: JsonObject): boolean {
  return filename === patchName && (filepath === undefined || filepath === patchName);
}

interface PatchFile {
  readonly path: string;
  /** Ends the download. */
  readonly signal: AbortSignal;
}

/** Writes the patch with this id to `path`, where nothing is yet. Throws where it cannot be had. */
export async function writePatchFile(connection: Connection, uid: string, { path, signal }: PatchFile): Promise<void> {
  const chunks: Uint8Array[] = [];
  const download = { name: patchName, bytesMax: patchBytes, signal };
  for await (const chunk of downloadArtifact(sourceOf(connection), uid, download)) chunks.push(chunk);
  await writeFile(path, chunks, { flag: 'wx' });
}

/** Where the files of runs come from in a step. */
export function sourceOf({ client, fetch }: Connection): ArtifactSource {
  return { get: (path, options) => client.get(path, options), fetch };
}
