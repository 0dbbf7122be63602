/** What an agent left in a step without a server: files that would go with the server inside the step, copied to where the result is. */
import { isObject } from '../../base/json.ts';
import { saveArtifacts } from '../../border/downloads.ts';
import type { Run } from '../../client/index.ts';
import { sizes } from '../../contract/sizes.ts';
import type { Connection } from '../connect/connect.ts';
import { sourceOf } from './saved-patch.ts';

type Artifact = NonNullable<Run['artifacts']>[number];

interface Keeping {
  readonly folder: string;
  /** The patch, which has a file of its own. */
  readonly except: string | undefined;
  /** Ends the copying. */
  readonly signal: AbortSignal;
}

/** Copies the files, within what the server takes of a run. Where each is, by its id, and why others are not there. */
export async function keepArtifacts(connection: Connection, run: Run, { folder, except, signal }: Keeping) {
  const files = (run.artifacts ?? []).filter(artifact => uidOf(artifact) !== except);
  return await saveArtifacts(sourceOf(connection), files, { folder, bytesMax: sizes.artifactBytes, signal });
}

export function hasFiles(run: Run, except: string | undefined): boolean {
  return (run.artifacts ?? []).some(artifact => uidOf(artifact) !== undefined && uidOf(artifact) !== except);
}

/** The run with a `path` beside each file: where it is on this runner, or null where it is gone. */
export function tellPaths(run: Run, paths: ReadonlyMap<string, string>): Run {
  if (run.artifacts === undefined) return run;
  const artifacts = run.artifacts.map(artifact => {
    const uid = uidOf(artifact);
    return uid === undefined ? artifact : { ...artifact, data: { ...artifact.data, path: paths.get(uid) ?? null } };
  });
  return { ...run, artifacts: artifacts as readonly Artifact[] };
}

/** Of a file. */
function uidOf({ artifact_type, data }: Artifact): string | undefined {
  const uid: unknown = artifact_type === 'FILE' && isObject(data) ? data.artifact_uid : undefined;
  return typeof uid === 'string' ? uid : undefined;
}
