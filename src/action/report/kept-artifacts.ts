import { saveArtifacts } from '../../border/downloads.ts';
import type { Artifact, Run } from '../../client/index.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import type { Connection } from '../connect/connect.ts';
import { fileUid, sourceOf } from './saved-patch.ts';

interface Keeping {
  readonly folder: string;
  /** The patch, which has a file of its own. */
  readonly except: string | undefined;
  /** Ends the copying. */
  readonly signal: AbortSignal;
}

/** Copies the files, within what the server takes of a run. Where each is, by its id, and why others are not there. */
export async function keepArtifacts(connection: Connection, run: Run, { folder, except, signal }: Keeping) {
  const files = (run.artifacts ?? []).filter(artifact => fileUid(artifact) !== except);
  return await saveArtifacts(sourceOf(connection), files, { folder, bytesMax: sizes.artifactBytes, signal });
}

export function hasFiles(run: Run, except: string | undefined): boolean {
  return (run.artifacts ?? []).some(artifact => fileUid(artifact) !== undefined && fileUid(artifact) !== except);
}

/** The run with a `path` beside each file: where it is on this runner, or null where it is gone. */
export function tellPaths(run: Run, paths: ReadonlyMap<string, string>): Run {
  if (run.artifacts === undefined) return run;
  const artifacts = run.artifacts.map(artifact => {
    const uid = fileUid(artifact);
    return uid === undefined ? artifact : { ...artifact, data: { ...artifact.data, path: paths.get(uid) ?? null } };
  });
  return { ...run, artifacts: artifacts as readonly Artifact[] };
}
