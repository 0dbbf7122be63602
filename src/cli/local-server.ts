/**
 * The address and key that `serve` leaves in its data folder for commands of the same user. `serve` creates the key
 * at each start and stores it only there, so it expires with the server. The file has two lines: address and key.
 */
import { rmSync, writeFileSync } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { isLoopback } from '../base/network/loopback.ts';
import { parseUrl } from '../base/network/url.ts';
import { openPlainFile } from '../border/files.ts';
import type { ServerConfig } from '../server/index.ts';
import { UsageError } from './arguments.ts';
import type { Shell } from './terminal/command-shell.ts';

interface LocalServer {
  readonly url: string;
  readonly key: string;
}

const fileName = 'local-server';
const bytesMax = 1024;

type Exposure = Pick<ServerConfig, 'dataDir' | 'host' | 'tls' | 'behindProxy' | 'publicUrl'>;

/** Whether only this machine can call the server, so that the key for local commands is useless elsewhere. */
export function isLocalOnly({ host, tls, behindProxy, publicUrl }: Exposure): boolean {
  return isLoopback(host) && tls === undefined && !behindProxy && publicUrl === undefined;
}

/** Returns a function that removes the file. A server that other machines can call leaves no file. */
export function leaveLocalServer(config: Exposure, { url, key }: LocalServer): () => void {
  const path = join(config.dataDir, fileName);
  const remove = () => rmSync(path, { force: true });
  remove();
  if (isLocalOnly(config)) writeFileSync(path, `${url}\n${key}\n`, { mode: 0o600, flag: 'wx' });
  return remove;
}

/** Throws UsageError if no server left a file, or if another user could have written or read it. */
export async function findLocalServer(shell: Shell): Promise<LocalServer & { readonly path: string }> {
  const named = shell.env.AGENT_RUN_DATA?.trim();
  const path = join(resolve(shell.cwd, named || '.agent-run'), fileName);
  const file = await openPlainFile(path);
  if (file === undefined) throw new UsageError(await explainMissing(path, named ? ' (AGENT_RUN_DATA)' : ''));
  try {
    const { mode, uid, size } = await file.stat();
    const [url = '', key = ''] = size > bytesMax ? [] : (await file.readFile('utf8')).split('\n');
    // Windows has neither. A cloned repository may contain such a file with an address of its own.
    const isOwn = process.getuid === undefined || (uid === process.getuid() && (mode & 0o077) === 0);
    if (isOwn && isPlainLoopback(url) && /^ar-[\w-]{43}$/.test(key)) {
      const { isDataFolderLocked } = await import('../base/process/folder-lock.ts');
      if (isDataFolderLocked(dirname(path))) return { url, key, path };
      // Another program may use its port by now.
      throw new UsageError(
        `No server is running in ${dirname(path)}. Start one in this folder with \`npx agent-run serve\`, or set AGENT_RUN_BASE_URL and AGENT_RUN_API_KEY.`,
      );
    }
    throw new UsageError(
      `${path} is not used: it must belong to you, have mode 600, and hold a loopback address and a key. Delete it and restart the server, or set AGENT_RUN_BASE_URL.`,
    );
  } finally {
    await file.close();
  }
}

async function explainMissing(path: string, origin: string): Promise<string> {
  const folder = `${dirname(path)}${origin}`;
  const opening = 'No server found: AGENT_RUN_BASE_URL is not set, and';
  const remedy = 'set AGENT_RUN_BASE_URL and AGENT_RUN_API_KEY.';
  const code = await access(path).catch((error: NodeJS.ErrnoException) => error.code);
  if (code === 'EACCES') return `${opening} ${folder} belongs to another user. Instead, ${remedy}`;
  return `${opening} ${folder} holds no server address. Start one in this folder with \`npx agent-run serve\`, or ${remedy}`;
}

function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = parseUrl(url) ?? {};
  return protocol === 'http:' && hostname !== undefined && isLoopback(hostname);
}
