/**
 * A connection that can break, in the two ways there are: over a port the socket is reset, which the client's own network code then
 * reports; in process the errors are made as Node's fetch makes them.
 */
import type { ServerResponse } from 'node:http';

/** The server's fetch; `outgoing` is there where the request came by a socket. */
export type ServerFetch = (request: Request, outgoing?: ServerResponse) => Response | Promise<Response>;

export interface Connection {
  /** Breaks it before the head of an answer. In process it throws; over a port what it gives reaches nobody. */
  breakOff(): Promise<Response>;
  /** Breaks it in the middle of a body. In process that is an error of the body; over a port what ends there reaches nobody. */
  breakBody(): Promise<Error | undefined>;
  /** Closes it as soon as the answer is out. */
  closeAfterAnswer(): void;
}

export function createConnection(outgoing: ServerResponse | undefined): Connection {
  return outgoing === undefined ? inProcess : createSocketConnection(outgoing);
}

const inProcess: Connection = {
  async breakOff() {
    throw createFetchFailure('fetch failed', 'ECONNRESET');
  },
  async breakBody() {
    return createFetchFailure('terminated', 'ECONNRESET');
  },
  closeAfterAnswer() {},
};

function createSocketConnection(outgoing: ServerResponse): Connection {
  return {
    async breakOff() {
      outgoing.socket?.resetAndDestroy();
      return new Response(null);
    },
    async breakBody() {
      // What was written before must have left this process, or the client would not see the start of the body.
      await new Promise(resolve => setTimeout(resolve, 5));
      outgoing.socket?.resetAndDestroy();
      return undefined;
    },
    closeAfterAnswer() {
      const { socket } = outgoing;
      outgoing.once('finish', () => socket?.end());
    },
  };
}

/** As Node's fetch throws it: a TypeError around the error of the system call. */
export function createFetchFailure(message: string, code: 'ECONNRESET' | 'ECONNREFUSED'): TypeError {
  const syscall = code === 'ECONNRESET' ? 'read' : 'connect';
  return new TypeError(message, { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}
