import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { readTlsFiles } from './config/tls-files.ts';
import { boundConnections } from './connections.ts';

/** What a port is opened for. `outgoing` lets a server for tests break the connection; the service itself never looks at it. */
interface Listener {
  fetch(request: Request, outgoing: http.ServerResponse): Response | Promise<Response>;
  setAddress(url: string): void;
}

export interface Listening {
  /** `http://127.0.0.1:7420`: where the server can be reached from this machine. */
  readonly url: string;
  /** Reads certificate and key again (SIGHUP). Throws when they cannot be read, and goes on with the old ones. */
  reloadTls(): void;
  /** Takes no more connections; resolves when the last answer is out, at most `graceMs` later. */
  close(graceMs?: number): Promise<void>;
}

interface ListenOptions {
  readonly host: string;
  /** 0 takes a free one. */
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** How long a request may take to arrive, in ms. @default 120,000: the largest body at one megabit a second */
  readonly arrivalMs?: number;
}

/** Opens the port for a server. Throws with a sentence when the port is taken or not allowed. */
export async function listen(
  server: Listener,
  { host, port, tls, arrivalMs = 120_000 }: ListenOptions,
): Promise<Listening> {
  const listener = getRequestListener(
    // The sockets below speak HTTP/1.1 alone.
    (request, { outgoing }) => server.fetch(request, outgoing as http.ServerResponse),
    { overrideGlobalObjects: false },
  );
  const handle: http.RequestListener = (incoming, outgoing) => void listener(incoming, outgoing);
  // Longer than any pause between two polls, so that a client does not meet a connection that is just being closed.
  const times = { keepAliveTimeout: 65_000, headersTimeout: Math.min(70_000, arrivalMs), requestTimeout: arrivalMs };
  const options = { ...times, connectionsCheckingInterval: Math.min(10_000, arrivalMs) };
  const socket =
    tls === undefined
      ? http.createServer(options, handle)
      : https.createServer({ ...options, ...readTlsFiles(tls), handshakeTimeout: 10_000 }, handle);
  boundConnections(socket, tls === undefined ? 'connection' : 'secureConnection');
  await new Promise<void>((resolve, reject) => {
    socket.once('error', error => reject(new Error(explainListenError(error, host, port), { cause: error })));
    socket.listen(port, host, () => {
      socket.removeAllListeners('error');
      // Too many open files, say: the connection is lost, the server goes on.
      socket.on('error', error => console.error(`could not accept a connection: ${error.message}`));
      resolve();
    });
  });
  const { port: boundPort } = socket.address() as AddressInfo;
  const url = `${tls === undefined ? 'http' : 'https'}://${printHost(host)}:${boundPort}`;
  server.setAddress(url);
  return {
    url,
    reloadTls() {
      if (tls !== undefined && socket instanceof https.Server) socket.setSecureContext(readTlsFiles(tls));
    },
    async close(graceMs = 2000) {
      const closed = new Promise<void>(resolve => socket.close(() => resolve()));
      socket.closeIdleConnections();
      const timer = setTimeout(() => socket.closeAllConnections(), graceMs);
      await closed;
      clearTimeout(timer);
    },
  };
}

function explainListenError(error: NodeJS.ErrnoException, host: string, port: number): string {
  if (error.code === 'EADDRINUSE')
    return `port ${port} on ${host} is in use; choose another with --port, or stop the program that uses it`;
  if (error.code === 'EACCES')
    return `this user is not allowed to open port ${port} on ${host}; choose a port above 1023 with --port`;
  if (error.code === 'EADDRNOTAVAIL' || error.code === 'ENOTFOUND')
    return `${host} is not an address of this machine; choose another with --host`;
  return `cannot listen on ${host}:${port}: ${error.message}`;
}

/** An address that a client on this machine can use. */
function printHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
