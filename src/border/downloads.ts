/** Downloads a run's files from a server into a local folder. The agent chose their names. */
import { open, rm } from 'node:fs/promises';
import { dirname, join, parse } from 'node:path';
import { messageOf } from '../base/cause.ts';
import { isObject } from '../base/json.ts';
import { BodyTooLongError, readChunks } from './answers.ts';
import { makeFolderWithin } from './folders.ts';

/** Asks the server for an artifact, and fetches its download address. */
export interface ArtifactSource {
  get(path: string, options: { readonly signal: AbortSignal }): PromiseLike<unknown>;
  fetch(url: string, init: RequestInit): Promise<Response>;
}

interface Download {
  /** For errors. */
  readonly name: string;
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/** The bytes of the file with this id. Throws an Error if it cannot be downloaded or has more than `bytesMax`. */
export async function* downloadArtifact(
  source: ArtifactSource,
  uid: string,
  { name, bytesMax, signal }: Download,
): AsyncGenerator<Uint8Array> {
  const answer = await source.get(`/agent/artifacts/${encodeURIComponent(uid)}`, { signal });
  const address = isObject(answer) && isObject(answer.data) ? answer.data.download_url : undefined;
  if (typeof address !== 'string' || !/^https?:\/\//.test(address))
    throw new Error(`the server returned no download URL for ${name}`);
  // The address is the permission. The file storage must not get the server's key.
  const response = await source.fetch(address, { signal, redirect: 'error' });
  if (!response.ok) throw new Error(`${name} could not be downloaded: status ${response.status}`);
  try {
    yield* readChunks(response, bytesMax);
  } catch (error) {
    if (!(error instanceof BodyTooLongError)) throw error;
    throw new Error(`${name} is larger than the limit of ${bytesMax} bytes`);
  }
}

export interface SavedArtifacts {
  /** The local path of each file, by id. */
  readonly paths: ReadonlyMap<string, string>;
  /** Why other files are missing, one sentence each. */
  readonly faults: readonly string[];
}

interface Saving {
  /** Created if it does not exist. */
  readonly folder: string;
  /** The limit for all files together. */
  readonly bytesMax: number;
  readonly signal: AbortSignal;
}

/**
 * Saves the file artifacts below the folder, with portable forms of their paths. The second of two equal paths gets a
 * number. Existing files are not changed. Throws the signal's reason.
 */
export async function saveArtifacts(
  source: ArtifactSource,
  artifacts: readonly unknown[],
  { folder, bytesMax, signal }: Saving,
): Promise<SavedArtifacts> {
  const paths = new Map<string, string>();
  const faults: string[] = [];
  const taken = new Set<string>();
  let left = bytesMax;
  for (const { uid, name } of artifacts.flatMap(readFile)) {
    signal.throwIfAborted();
    try {
      const path = join(folder, findFree(makePortable(name), taken));
      left -= await writeArtifact(folder, path, downloadArtifact(source, uid, { name, bytesMax: left, signal }));
      paths.set(uid, path);
    } catch (error) {
      signal.throwIfAborted();
      faults.push(explain(error, name));
    }
  }
  return { paths, faults };
}

function readFile(artifact: unknown): readonly { readonly uid: string; readonly name: string }[] {
  const { artifact_type: type, data } = isObject(artifact) ? artifact : {};
  if (type !== 'FILE' || !isObject(data) || typeof data.artifact_uid !== 'string') return [];
  const name = [data.filepath, data.filename].find(text => typeof text === 'string' && text !== '');
  return [{ uid: data.artifact_uid, name: typeof name === 'string' ? name : data.artifact_uid }];
}

/** Characters that Windows and actions/upload-artifact reject in a path, or that a terminal obeys. */
const unportable = /["*:<>?\\|]|[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** Names that git accepts for its own folder, whose settings can name programs. Includes Windows and macOS spellings. */
const gitFolder =
  /^(?:\.\p{Default_Ignorable_Code_Point}*g\p{Default_Ignorable_Code_Point}*i\p{Default_Ignorable_Code_Point}*t|git~\d+)(?=[. \p{Default_Ignorable_Code_Point}]*$)/iu;

/** A relative path that is valid on every system. Throws for a name that leads out of the folder. */
function makePortable(name: string): string {
  const parts = name.split('/');
  if (parts.some(part => ['', '.', '..'].includes(part) || part.includes('\0')))
    throw new Error(`${name} is not a safe relative path, so it was not written`);
  return parts.map(part => part.replace(unportable, '_').replace(gitFolder, '_git')).join('/');
}

/** Windows and macOS ignore case, and an artifact may be unpacked there. */
function findFree(path: string, taken: Set<string>): string {
  const { dir, name, ext } = parse(path);
  for (let number = 1; ; number += 1) {
    const free = number === 1 ? path : join(dir, `${name}-${number}${ext}`);
    const key = free.normalize().toLowerCase();
    if (!taken.has(key) && taken.add(key)) return free;
  }
}

/** Returns the size in bytes. Removes an incomplete file. */
async function writeArtifact(folder: string, path: string, chunks: AsyncIterable<Uint8Array>): Promise<number> {
  await makeFolderWithin(folder, dirname(path));
  const file = await open(path, 'wx');
  try {
    let size = 0;
    for await (const chunk of chunks) {
      await file.writeFile(chunk);
      size += chunk.length;
    }
    return size;
  } catch (error) {
    await rm(path, { force: true });
    throw error;
  } finally {
    await file.close();
  }
}

function explain(error: unknown, name: string): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EEXIST') return `${name} already exists and was not overwritten`;
  if (code === 'ENOTDIR') return `${name} was not written, because part of its path is a file`;
  const message = messageOf(error);
  return message.includes(name) ? message : `${name}: ${message}`;
}
