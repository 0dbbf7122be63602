import * as z from 'zod';
import type { UnknownWord } from './open-world.ts';

/** The kinds of artifacts and their `data`. A newer server may have more. */
const artifactDataSchemas = {
  PLAN: z.object({
    document_uid: z.string(),
    artifact_uid: z.string().optional(),
    notebook_uid: z.string().optional(),
    title: z.string().optional(),
    url: z.string().optional(),
  }),
  PULL_REQUEST: z.object({ url: z.string(), branch: z.string() }),
  SCREENSHOT: z.object({ artifact_uid: z.string(), mime_type: z.string(), description: z.string().optional() }),
  FILE: z.object({
    artifact_uid: z.string(),
    filename: z.string(),
    filepath: z.string(),
    mime_type: z.string(),
    title: z.string().optional(),
    description: z.string().optional(),
    size_bytes: z.number().optional(),
  }),
  EXTERNAL_REFERENCE: z.object({
    reference_type: z.string(),
    url: z.string(),
    title: z.string().optional(),
    metadata: z.record(z.string(), z.unknown()).optional(),
  }),
} as const;

type ArtifactDataSchemas = typeof artifactDataSchemas;
export type ArtifactType = keyof ArtifactDataSchemas;
export const artifactTypes = Object.keys(artifactDataSchemas) as readonly ArtifactType[];

type KnownArtifact = {
  [T in ArtifactType]: {
    readonly artifact_type: T;
    readonly created_at: string;
    readonly data: Readonly<z.infer<ArtifactDataSchemas[T]>>;
  };
}[ArtifactType];

/** An artifact of a kind that this version does not know. */
export interface UnknownArtifact {
  readonly artifact_type: UnknownWord;
  readonly created_at: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * An artifact of a run. A `switch` over `artifact_type` narrows `data`; `default` gets the kinds of newer servers.
 */
export type Artifact = KnownArtifact | UnknownArtifact;

export const artifactSchema = z.object({
  artifact_type: z.string().describe(`One of ${artifactTypes.join(', ')}; newer servers may add more`),
  created_at: z.string().describe('RFC 3339, UTC, milliseconds'),
  data: z.looseObject({}).describe('Its members depend on the type'),
});

/** One artifact by its id. A FILE has a `download_url`, which needs no key and expires. */
export const artifactAnswerSchema = z.object({
  artifact_uid: z.string(),
  artifact_type: z.string(),
  created_at: z.string().describe('RFC 3339, UTC, milliseconds'),
  data: z.looseObject({
    download_url: z.string(),
    expires_at: z.string().describe('RFC 3339, UTC, milliseconds'),
    content_type: z.string(),
    filename: z.string(),
    filepath: z.string().optional(),
    size_bytes: z.number().optional(),
  }),
});
