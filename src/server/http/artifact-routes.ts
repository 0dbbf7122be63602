import { Readable } from 'node:stream';
import type { Context, Handler } from 'hono';
import { validate as isUuid } from 'uuid';
import { openPlainFile } from '../../border/files.ts';
import type { StoredArtifact } from '../store/store.ts';
import type { Handlers, HttpEnv } from './app.ts';
import { RequestError } from './problem-response.ts';
import { printTime } from './runs/run-view.ts';

type ArtifactParts = Pick<Handlers, 'store' | 'artifactLinks' | 'artifactFile' | 'publicUrl'>;

/** GET /agent/artifacts/{artifactUid}: its data, and a download address that needs no key and expires. */
export function handleReadArtifact(parts: ArtifactParts): Handler<HttpEnv> {
  return async c => {
    const { uid, artifact } = await findFile(parts, c);
    const { path, expiresAt } = parts.artifactLinks.pathFor(uid);
    const { mime_type: contentType, ...data } = artifact.data;
    return c.json({
      artifact_uid: uid,
      artifact_type: artifact.type,
      created_at: printTime(artifact.createdAt),
      data: {
        ...data,
        content_type: contentType,
        download_url: `${parts.publicUrl()}${path}`,
        expires_at: printTime(expiresAt),
      },
    });
  };
}

/** GET /agent/artifacts/{artifactUid}/download */
export function handleDownloadArtifact(parts: ArtifactParts): Handler<HttpEnv> {
  return async c => {
    const { uid } = await findFile(parts, c);
    return c.redirect(`${parts.publicUrl()}${parts.artifactLinks.pathFor(uid).path}`, 302);
  };
}

/** GET /artifacts/{artifactUid}?token=…: the file. The browser never renders it, because an agent made it. */
export function handleArtifactFile(parts: ArtifactParts): Handler<HttpEnv> {
  return async c => {
    if (!parts.artifactLinks.isValid(c.req.param('artifactUid') ?? '', c.req.query('token')))
      throw new RequestError(
        'not_authorized',
        'this link has expired or is incomplete; request the artifact again with a key',
      );
    const { runId, uid, artifact } = await findFile(parts, c);
    return await answerFile(c, parts.artifactFile(runId, uid), artifact);
  };
}

/** Answers with a file that the browser saves. Throws RequestError. */
export async function answerFile(c: Context<HttpEnv>, path: string, { data }: StoredArtifact): Promise<Response> {
  const { filename, size_bytes: size } = data;
  const file = await openPlainFile(path);
  if (file === undefined) throw new RequestError('resource_not_found', 'the file of this artifact is no longer kept');
  return c.body(Readable.toWeb(file.createReadStream()) as ReadableStream, 200, {
    'Content-Type': 'application/octet-stream',
    'Content-Length': String(size),
    'Content-Disposition': `attachment; filename*=UTF-8''${encodeURIComponent(String(filename))}`,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cache-Control': 'private, no-store',
  });
}

async function findFile(
  { store }: ArtifactParts,
  c: Context<HttpEnv>,
): Promise<{ readonly runId: string; readonly uid: string; readonly artifact: StoredArtifact }> {
  const uid = c.req.param('artifactUid') ?? '';
  const found = isUuid(uid) ? await store.findArtifact(uid.toLowerCase()) : undefined;
  if (found === undefined || found.artifact.type !== 'FILE')
    throw new RequestError('resource_not_found', 'no file has this id');
  return { ...found, uid: uid.toLowerCase() };
}
