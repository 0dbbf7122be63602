/**
 * The address and key that `serve` leaves in its data folder for commands of the same user. `serve` makes the key at each start and keeps it
 * nowhere else, so it ends with the server.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { isLoopback } from '../base/loopback.ts';
import { openPlainFile } from '../base/plain-file.ts';
import { parseUrl } from '../base/url.ts';
import { UsageError } from './arguments.ts';
import type { Shell } from './shell.ts';

interface LocalServer {
  readonly url: string;
  readonly key: string;
}

const fileName = 'local-server.json';

/** Returns what removes the file. A server that a command on this machine cannot simply reach leaves none. */
export function leaveLocalServer(dataDir: string, { url, key }: LocalServer): () => void {
  const path = join(dataDir, fileName);
  const remove = () => rmSync(path, { force: true });
  remove();
  if (isPlainLoopback(url)) writeFileSync(path, `${JSON.stringify({ url, key })}\n`, { mode: 0o600, flag: 'wx' });
  return remove;
}

/** Undefined where no server left a file. Throws UsageError for a file that somebody else could have written or read. */
export async function findLocalServer(shell: Shell): Promise<(LocalServer & { readonly path: string }) | undefined> {
  const path = join(resolve(shell.cwd, shell.env.AGENT_RUN_DATA?.trim() || '.agent-run'), fileName);
  const file = await openPlainFile(path);
  if (file === undefined) return undefined;
  try {
    const { mode, uid } = await file.stat();
    // Windows has neither; a repository that someone cloned can hold such a file, with an address of its own.
    if (process.getuid !== undefined && (uid !== process.getuid() || (mode & 0o077) !== 0))
      throw new UsageError(
        `${path} is not used: it must belong to you and have mode 600. Delete it and start the server again, or set AGENT_RUN_BASE_URL.`,
      );
    const left = parse(await file.readFile('utf8'));
    if (left !== undefined) return { ...left, path };
    throw new UsageError(`${path} is damaged. Delete it and start the server again, or set AGENT_RUN_BASE_URL.`);
  } finally {
    await file.close();
  }
}

function parse(text: string): LocalServer | undefined {
  try {
    const { url, key }: Record<string, unknown> = Object(JSON.parse(text));
    return typeof url === 'string' && typeof key === 'string' && isPlainLoopback(url) ? { url, key } : undefined;
  } catch {
    return undefined;
  }
}

function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = parseUrl(url) ?? {};
  return protocol === 'http:' && hostname !== undefined && isLoopback(hostname);
}
