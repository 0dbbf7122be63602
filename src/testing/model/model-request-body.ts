import type { IncomingMessage } from 'node:http';
import { RefusedRequest } from './apis/wire-api.ts';

const bodyLimitBytes = 16 * 1024 * 1024;

/**
 * The body as JSON. Undefined if it is empty. Throws RefusedRequest if it is too long, compressed, or invalid JSON.
 */
export async function readBody(request: IncomingMessage): Promise<unknown> {
  const encoding = request.headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity')
    throw new RefusedRequest(415, `content-encoding ${encoding} is not supported; send the body uncompressed`);
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of request) {
    bytes += piece.length;
    if (bytes <= bodyLimitBytes) pieces.push(piece);
  }
  // Read to its end: a client that is still sending does not see an answer.
  if (bytes > bodyLimitBytes) throw new RefusedRequest(413, `the body is longer than ${bodyLimitBytes} bytes`);
  if (bytes === 0) return undefined;
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'));
  } catch {
    throw new RefusedRequest(400, 'the body is not JSON');
  }
}
