/** The changes of a run that left them as an artifact: `changes.patch`, in a file for a later step. */
import { writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isObject, type JsonObject } from '../../base/json.ts';
import type { Run } from '../../client/index.ts';
import type { Connection } from '../connect/connect.ts';
import { makeFolder } from './make-folder.ts';

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

/** Writes the patch with this id to `path`. Throws where it cannot be had. */
export async function writePatchFile(
  { client, fetch }: Connection,
  uid: string,
  { path, signal }: PatchFile,
): Promise<void> {
  const answer: unknown = await client.get(`/agent/artifacts/${encodeURIComponent(uid)}`, { signal });
  const address = isObject(answer) && isObject(answer.data) ? answer.data.download_url : undefined;
  if (typeof address !== 'string' || !/^https?:\/\//.test(address))
    throw new Error(`the server gives no address for ${patchName}`);
  // The address itself is the permission: the key of the server is nothing for whoever keeps its files.
  const response = await fetch(address, { signal, redirect: 'error' });
  if (!response.ok || response.body === null) throw new Error(`${patchName} cannot be downloaded: ${response.status}`);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > patchBytes) throw new Error(`${patchName} is longer than ${patchBytes} bytes, and no more are taken`);
    chunks.push(chunk);
  }
  await makeFolder(dirname(path));
  await writeFile(path, chunks);
}
