import { saveArtifacts } from '../../border/downloads.ts';
import type { Artifact, Run } from '../../client/index.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import type { Connection } from '../connect/connect.ts';
import { fileUid, sourceOf } from './saved-patch.ts';

interface Keeping {
  readonly folder: string;
  /** The patch, which has its own file. */
  readonly except: string | undefined;
  readonly signal: AbortSignal;
}

/** Keeps to the server's limits for a run. Returns paths by ID, and why files are missing. */
export async function keepArtifacts(connection: Connection, run: Run, { folder, except, signal }: Keeping) {
  const files = (run.artifacts ?? []).filter(artifact => fileUid(artifact) !== except);
  return await saveArtifacts(sourceOf(connection), files, { folder, bytesMax: sizes.artifactBytes, signal });
}

export function hasFiles(run: Run, except: string | undefined): boolean {
  return (run.artifacts ?? []).some(artifact => fileUid(artifact) !== undefined && fileUid(artifact) !== except);
}

/** Returns the run with a `path` for each file: its place on this runner, or null if it is missing. */
export function addPaths(run: Run, paths: ReadonlyMap<string, string>): Run {
  if (run.artifacts === undefined) return run;
  const artifacts = run.artifacts.map(artifact => {
    const uid = fileUid(artifact);
    return uid === undefined ? artifact : { ...artifact, data: { ...artifact.data, path: paths.get(uid) ?? null } };
  });
  return { ...run, artifacts: artifacts as readonly Artifact[] };
}
