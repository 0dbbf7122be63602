/** HTTP with next to no work on this side, so that the server of a bench is what limits it. */
import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { apiPrefix } from '../../src/contract/tables/routes.ts';
import { key } from './direct-server.ts';

export interface RawAnswer {
  readonly status: number;
  readonly head: string;
  readonly body: string;
  /** When its last byte came, in ms since the epoch. */
  readonly atMs: number;
}

export interface RawRequest {
  readonly method: string;
  /** Below the prefix of the API. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

export function printRequest({ method, path, headers = {}, body }: RawRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body);
  const sent = {
    Host: '127.0.0.1',
    Authorization: `Bearer ${key}`,
    ...(text === '' ? {} : { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(text)) }),
    ...headers,
  };
  const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${apiPrefix}${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`;
}

/** One request at a time. Answers have a Content-Length or no body. */
export class RawConnection {
  readonly #socket: Socket;
  #received = '';
  #resolve: ((answer: RawAnswer) => void) | undefined;
  #reject: ((error: Error) => void) | undefined;

  private constructor(socket: Socket) {
    this.#socket = socket;
    socket.setNoDelay(true).setEncoding('latin1');
    socket.on('data', (text: string) => this.#take(text));
    socket.on('error', error => this.#reject?.(error));
    socket.on('close', () => this.#reject?.(new Error('the server closed the connection')));
  }

  static async open(port: number): Promise<RawConnection> {
    const socket = createConnection(port, '127.0.0.1');
    await once(socket, 'connect');
    return new RawConnection(socket);
  }

  /** `text` is what `printRequest` made. */
  send(text: string): Promise<RawAnswer> {
    return new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
      this.#socket.write(text);
    });
  }

  close(): void {
    this.#reject = undefined;
    this.#socket.destroy();
  }

  #take(text: string): void {
    this.#received += text;
    const end = this.#received.indexOf('\r\n\r\n');
    if (end === -1) return;
    const head = this.#received.slice(0, end);
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (this.#received.length < end + 4 + length) return;
    const body = this.#received.slice(end + 4);
    this.#received = '';
    this.#resolve?.({ status: Number(head.slice(9, 12)), head, body, atMs: Date.now() });
  }
}
