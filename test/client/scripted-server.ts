import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Arrived {
  readonly method: string;
  /** Path and query, without the prefix. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** How one request is answered. */
export type Reply = (response: ServerResponse, request: Arrived) => void | Promise<void>;

export interface ScriptedServer extends AsyncDisposable {
  /** With the prefix. */
  readonly url: string;
  readonly requests: readonly Arrived[];
}

/**
 * A real server on 127.0.0.1 that answers the k-th request with the k-th reply, and later ones with 418. A single
 * function answers all.
 */
export async function startScriptedServer(script: readonly Reply[] | Reply): Promise<ScriptedServer> {
  const requests: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const arrived = {
      method: request.method ?? '',
      path: (request.url ?? '').replace(/^\/api\/v1/, ''),
      headers: request.headers,
      body: Buffer.concat(chunks).toString(),
    };
    const reply = typeof script === 'function' ? script : script[requests.length];
    requests.push(arrived);
    await (reply ?? answerText(418, 'the script is over'))(response, arrived);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/api/v1`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    },
  };
}

type Headers = Readonly<Record<string, string>>;

export const allFeatures: Headers = { 'Agent-Run-Features': 'idempotency, wait, events, lease, result' };

export function answerJson(data: unknown, headers: Headers = {}, status = 200): Reply {
  return response => {
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers });
    response.end(JSON.stringify(data));
  };
}

export function answerProblem(status: number, code: string, more: object = {}, headers: Headers = {}): Reply {
  const problem = { type: `https://example.com/errors/${code}`, title: 'A title', status, error: 'text', ...more };
  return response => {
    response.writeHead(status, { 'Content-Type': 'application/problem+json', ...headers });
    response.end(JSON.stringify(problem));
  };
}

export function answerText(status: number, text: string, headers: Headers = {}): Reply {
  return response => {
    response.writeHead(status, { 'Content-Type': 'text/html', ...headers });
    response.end(text);
  };
}

export const answerEmpty =
  (status: number, headers: Headers = {}): Reply =>
  response => {
    response.writeHead(status, headers);
    response.end();
  };

/** Reads the request and answers no byte. */
export const reset: Reply = response => {
  response.socket?.destroy();
};

/** Sends the head and half of the body, then breaks the connection. */
export const breakOff: Reply = response => {
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': '100' });
  response.write('{"run_id": "1", ', () => response.socket?.destroy());
};

/** A whole HTTP response around half a document. */
export const answerCutJson: Reply = response => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.end('{"run_id": "1", "sta');
};

export const hang: Reply = () => {};

/** Sends the head at once and a body that never ends. */
export const drip: Reply = response => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  response.write('{');
};

/** A port of 127.0.0.1 that refuses connections. */
export async function findClosedPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
