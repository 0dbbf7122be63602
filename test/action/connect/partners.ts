/**
 * Partners of the network's tests, all on loopback: a proxy that knows otherwise unknown names, and servers behind
 * it.
 */
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import type { Identity } from './certificates.ts';

/** A name that only the proxy can reach. */
export const hiddenHost = 'agents.example.internal';

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', socket => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
  });
  await new Promise<void>(ready => server.listen(0, '127.0.0.1', ready));
  onTestFinished(async () => {
    // The server no longer counts a tunnel as a connection.
    for (const socket of sockets) socket.destroy();
    await new Promise(closed => server.close(closed));
  });
  return (server.address() as AddressInfo).port;
}

export interface Target {
  readonly port: number;
  /** Received requests, as `GET /path`. */
  readonly seen: readonly string[];
  /** The open responses to GET /events. `closed` resolves when the reader is gone. */
  readonly streams: readonly { send(text: string): void; readonly closed: Promise<void> }[];
}

/** Responds `hello` on every path but /events, which stays open. With an identity it uses https. */
export async function openTarget(identity?: Identity): Promise<Target> {
  const seen: string[] = [];
  const streams: { send(text: string): void; closed: Promise<void> }[] = [];
  const answer = (asked: IncomingMessage, response: ServerResponse): void => {
    seen.push(`${asked.method} ${asked.url}`);
    if (asked.url !== '/events') {
      response.end('hello');
      return;
    }
    response.writeHead(200, { 'Content-Type': 'text/event-stream' });
    response.write('data: 0\n\n');
    streams.push({
      send: text => response.write(text),
      closed: new Promise(closed => response.once('close', () => closed())),
    });
  };
  const server = identity === undefined ? createServer(answer) : createTlsServer(identity, answer);
  return { port: await listen(server), seen, streams };
}

export interface TestProxy {
  readonly host: string;
  /** Received requests, as `CONNECT host:port` or `GET http://host/path`. */
  readonly seen: readonly string[];
  /** The last Proxy-Authorization, decoded. */
  credentials(): string | undefined;
}

interface ProxyOptions {
  /** The hidden host's real port. */
  readonly port: number;
  /** Required `user:password`. */
  readonly credentials?: string;
  /** Status for every request. */
  readonly refusal?: number;
  /** The proxy itself uses TLS, as localhost. */
  readonly identity?: Identity;
}

export async function openProxy({ port, credentials, refusal, identity }: ProxyOptions): Promise<TestProxy> {
  const seen: string[] = [];
  let last: string | undefined;
  const judge = (headers: { 'proxy-authorization'?: string | undefined }): number | undefined => {
    const given = headers['proxy-authorization']?.replace(/^Basic /, '');
    last = given === undefined ? undefined : Buffer.from(given, 'base64').toString();
    return credentials !== undefined && last !== credentials ? 407 : refusal;
  };
  const isHidden = (host: string | undefined): boolean => host?.replace(/:\d+$/, '') === hiddenHost;
  const server = identity === undefined ? createServer() : createTlsServer(identity);
  server.on('request', (asked, response) => {
    seen.push(`${asked.method} ${asked.url}`);
    const url = new URL(asked.url ?? '');
    const status = judge(asked.headers) ?? (isHidden(url.host) ? undefined : 502);
    if (status !== undefined) {
      response.writeHead(status).end('no');
      return;
    }
    const onward = request({ port, path: url.pathname, method: asked.method, headers: asked.headers }, got => {
      response.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(response);
    });
    response.on('close', () => onward.destroy());
    onward.on('error', () => response.destroy());
    asked.pipe(onward);
  });
  server.on('connect', (asked, socket: Socket) => {
    seen.push(`CONNECT ${asked.url}`);
    socket.on('error', () => {});
    const status = judge(asked.headers) ?? (isHidden(asked.url) ? undefined : 502);
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const onward = connect(port, '127.0.0.1', () => socket.write('HTTP/1.1 200 Connection established\r\n\r\n'));
    onward.on('error', () => socket.destroy());
    onward.on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const own = identity === undefined ? '127.0.0.1' : 'localhost';
  return { host: `${own}:${await listen(server)}`, seen, credentials: () => last };
}
