/** What a failed fetch means, in words: which host, what happened, and whether the request can have reached a server. */
import { isObject } from '../../base/json.ts';
import { ConnectionError, type ConnectionFault } from '../errors/errors.ts';

interface Meaning {
  readonly fault: ConnectionFault;
  readonly words: string;
  /** Undefined: it depends on the system call that failed. */
  readonly neverLeft?: boolean;
}

const untrusted: Meaning = {
  fault: 'certificate',
  words: 'certificate not trusted; name the file of its authority in NODE_EXTRA_CA_CERTS before the program starts',
  neverLeft: true,
};
const unresolved: Meaning = { fault: 'unresolved', words: 'name does not resolve', neverLeft: true };
const unreachable: Meaning = { fault: 'unreachable', words: 'host cannot be reached' };
const closed: Meaning = { fault: 'closed', words: 'connection closed before the answer was complete' };
const silent: Meaning = { fault: 'timeout', words: 'no answer in time' };

/** By the codes of Node, undici and Bun, or the message where there is no code. */
const meanings: Readonly<Record<string, Meaning>> = {
  'bad port': { fault: 'other', words: 'fetch refuses to use this port', neverLeft: true },
  ECONNREFUSED: { fault: 'refused', words: 'connection refused', neverLeft: true },
  ConnectionRefused: { fault: 'refused', words: 'connection refused', neverLeft: true },
  ENOTFOUND: unresolved,
  EAI_AGAIN: unresolved,
  EAI_FAIL: unresolved,
  EAI_NODATA: unresolved,
  EHOSTUNREACH: unreachable,
  ENETUNREACH: unreachable,
  ENETDOWN: unreachable,
  EADDRNOTAVAIL: unreachable,
  UND_ERR_CONNECT_TIMEOUT: { fault: 'timeout', words: 'no connection in time', neverLeft: true },
  ETIMEDOUT: silent,
  UND_ERR_HEADERS_TIMEOUT: silent,
  UND_ERR_BODY_TIMEOUT: silent,
  ECONNRESET: closed,
  EPIPE: closed,
  UND_ERR_SOCKET: closed,
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: closed,
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  UNABLE_TO_GET_ISSUER_CERT: untrusted,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: untrusted,
  CERT_UNTRUSTED: untrusted,
  CERT_HAS_EXPIRED: { fault: 'certificate', words: 'certificate has expired', neverLeft: true },
  CERT_NOT_YET_VALID: { fault: 'certificate', words: 'certificate is not valid yet', neverLeft: true },
  ERR_TLS_CERT_ALTNAME_INVALID: { fault: 'certificate', words: 'certificate is for another name', neverLeft: true },
  ERR_SSL_WRONG_VERSION_NUMBER: { fault: 'tls', words: 'no TLS there; is it http instead of https?', neverLeft: true },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: {
    fault: 'tls',
    words: 'no TLS there; is it http instead of https?',
    neverLeft: true,
  },
};

/** While these fail nothing has been written yet. */
const earlyCalls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/** The typed error for what `fetch`, or reading its answer, threw. */
export function describeConnectionFailure(
  thrown: unknown,
  call: { readonly method: string; readonly path: string; readonly host: string },
): ConnectionError {
  const { code, isEarly, message } = readFailure(thrown);
  const key = code ?? message;
  const known = Object.hasOwn(meanings, key) ? meanings[key] : undefined;
  const fault = known?.fault ?? 'other';
  const words = known?.words ?? message;
  return new ConnectionError(
    `${call.method} ${call.path}: ${call.host}: ${words}${code === undefined ? '' : ` (${code})`}`,
    { host: call.host, fault, neverLeft: known?.neverLeft ?? isEarly, cause: thrown },
  );
}

/** The innermost error tells: fetch wraps it in a TypeError, several tried addresses in an AggregateError. */
function readFailure(thrown: unknown): { code: string | undefined; isEarly: boolean; message: string } {
  let error = thrown;
  let code: string | undefined;
  let isEarly = false;
  let message = 'no answer';
  for (let depth = 0; depth < 5 && isObject(error); depth += 1) {
    if (typeof error.code === 'string') code = error.code;
    if (earlyCalls.has(error.syscall)) isEarly = true;
    if (typeof error.message === 'string' && error.message !== '') message = error.message;
    error = error.cause ?? (Array.isArray(error.errors) ? error.errors[0] : undefined);
  }
  return { code, isEarly, message };
}
