import http from 'node:http';
import https from 'node:https';
import type { AddressInfo } from 'node:net';
import { getRequestListener } from '@hono/node-server';
import { readTlsFiles } from './config/tls-files.ts';
import { boundConnections } from './connections.ts';

/** Handles requests. `outgoing` lets a test server break the connection. The service ignores it. */
interface Listener {
  fetch(request: Request, outgoing: http.ServerResponse): Response | Promise<Response>;
  setAddress(url: string): void;
}

export interface Listening {
  /** `http://127.0.0.1:7420`: where the server can be reached from this machine. */
  readonly url: string;
  /** Reloads certificate and key (SIGHUP). Throws if they cannot be read, and keeps the old ones. */
  reloadTls(): void;
  /** Accepts no more connections. Resolves when the last answer is sent, at most `graceMs` later. */
  close(graceMs?: number): Promise<void>;
}

interface ListenOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Time for a request to arrive, in ms. @default 120,000: the largest body at one megabit a second */
  readonly arrivalMs?: number;
  /**
   * Replaces the global Request and Response with those of the HTTP library, which are several times faster. Only for a
   * process that runs nothing else. @default false
   */
  readonly ownsProcess?: boolean;
}

/** Opens the port. Throws with a sentence if the port is taken or not allowed. */
export async function listen(
  server: Listener,
  { host, port, tls, arrivalMs = 120_000, ownsProcess = false }: ListenOptions,
): Promise<Listening> {
  const listener = getRequestListener(
    // The sockets below use HTTP/1.1 only.
    (request, { outgoing }) => server.fetch(request, outgoing as http.ServerResponse),
    { overrideGlobalObjects: ownsProcess },
  );
  const handle: http.RequestListener = (incoming, outgoing) => void listener(incoming, outgoing);
  // Longer than the pause between two polls, so that clients do not use a connection that is being closed.
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
      // For example with too many open files. The connection is lost, the server continues.
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

/** An address for clients on this machine. */
function printHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
