/**
 * Limits open connections. Each takes a file descriptor that runs need, and opening one needs no key: anyone who
 * reaches the port could use up the limit of the process.
 */
import { readFileSync } from 'node:fs';
import type http from 'node:http';
import type https from 'node:https';
import type { Socket } from 'node:net';

/** Connections that are not counted: still in the backlog, or before the TLS handshake. */
const spare = 16;

/**
 * Closes the connection that has been idle longest when there are too many. Connections with a pending request are
 * kept: the answer comes at once, or the request had a key or a link. `event` is emitted for each new connection.
 */
export function boundConnections(server: http.Server | https.Server, event: 'connection' | 'secureConnection'): void {
  const most = findMostConnections();
  if (most === undefined) return;
  server.maxConnections = most + spare;
  const open = new Set<Socket>();
  /** Connections without a request, the longest idle first. */
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
 * A third of the process's file limit, including the spare ones. Each connection may also download a file, and runs
 * need the rest. Undefined if the limit is unknown.
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
