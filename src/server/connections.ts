/**
 * How many connections a server holds at once. They take open files from the programs of runs, and need no key: whoever reaches the port can
 * open as many as the process may have files.
 */
import { readFileSync } from 'node:fs';
import type http from 'node:http';
import type https from 'node:https';
import type { Socket } from 'node:net';

/** Beyond what is counted: connections on their way, and those that have not spoken TLS yet. */
const spare = 16;

/**
 * Closes the connection that has been without a request for longest when there are too many. A connection with a request in hand is kept: that
 * is answered at once, or was asked with a key or a link. `event` is emitted for each new one.
 */
export function boundConnections(server: http.Server | https.Server, event: 'connection' | 'secureConnection'): void {
  const most = findMostConnections();
  if (most === undefined) return;
  server.maxConnections = most + spare;
  const open = new Set<Socket>();
  /** Without a request; the one that has been so for longest is first. */
  const idle = new Set<Socket>();
  server.on(event, (socket: Socket) => {
    open.add(socket);
    idle.add(socket);
    socket.once('close', () => {
      open.delete(socket);
      idle.delete(socket);
    });
    const [oldest] = idle;
    if (open.size > most) oldest?.destroy();
  });
  server.on('request', ({ socket }: http.IncomingMessage, response: http.ServerResponse) => {
    idle.delete(socket);
    response.once('close', () => {
      if (!socket.destroyed) idle.add(socket);
    });
  });
}

/**
 * With the spare ones a third of the files that this process may have open: each connection may download one, and the rest is for runs. Undefined
 * where the limit is not known.
 */
function findMostConnections(): number | undefined {
  try {
    const openFiles = /^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1];
    return openFiles === undefined ? undefined : Math.max(8, Math.floor(Number(openFiles) / 3) - spare);
  } catch {
    // Not on Linux.
    return undefined;
  }
}
