/**
 * A connection that can break in two ways: over a port, the socket is reset, and the client's own network code
 * reports that; in process, the errors are made like those of Node's fetch.
 */
import type { ServerResponse } from 'node:http';

/** The server's fetch. `outgoing` is set if the request came over a socket. */
export type ServerFetch = (request: Request, outgoing?: ServerResponse) => Response | Promise<Response>;

export interface Connection {
  /**
   * Breaks it before the headers of a response. In process it throws. Over a port, the returned response reaches no
   * one.
   */
  breakOff(): Promise<Response>;
  /**
   * Breaks it within a body. In process that is an error of the body. Over a port, the rest of the body reaches no
   * one.
   */
  breakBody(): Promise<Error | undefined>;
  /** Closes it as soon as the response is sent. */
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
      // Earlier data must have left this process, or the client would not see the start of the body.
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

/** Like an error of Node's fetch: a TypeError around the error of the system call. */
export function createFetchFailure(message: string, code: 'ECONNRESET' | 'ECONNREFUSED'): TypeError {
  const syscall = code === 'ECONNRESET' ? 'read' : 'connect';
  return new TypeError(message, { cause: Object.assign(new Error(`${syscall} ${code}`), { code, syscall }) });
}
