/** Describes a failed fetch: the host, the fault, and whether the request can have reached a server. */
import { isObject } from '../../base/json.ts';
import { ConnectionError, type ConnectionFault } from '../errors/errors.ts';
import type { KnownKeys } from '../options/known-keys.ts';

interface Meaning {
  readonly fault: ConnectionFault;
  readonly words: string;
  /** If undefined, it depends on the system call that failed. */
  readonly neverLeft?: boolean;
}

/** Matched against the codes of Node, undici and Bun, or the message if there is no code, as in Deno. */
const meanings: readonly (readonly [RegExp, Meaning])[] = [
  [/^bad port$| are blocked$/, { fault: 'fetch', words: 'fetch refuses to use this port', neverLeft: true }],
  [
    /^(ECONNREFUSED|ConnectionRefused)$|\(Connect\).*Connection refused/,
    { fault: 'refused', words: 'connection refused', neverLeft: true },
  ],
  [
    /^(ENOTFOUND|EAI_(AGAIN|FAIL|NODATA))$|\(Connect\): dns error/,
    { fault: 'unresolved', words: 'name does not resolve', neverLeft: true },
  ],
  [/^(E(HOST|NET)UNREACH|ENETDOWN|EADDRNOTAVAIL)$/, { fault: 'unreachable', words: 'host cannot be reached' }],
  [/^UND_ERR_CONNECT_TIMEOUT$/, { fault: 'timeout', words: 'timed out while connecting', neverLeft: true }],
  [/^(ETIMEDOUT|UND_ERR_(HEADERS|BODY)_TIMEOUT)$/, { fault: 'timeout', words: 'timed out waiting for an answer' }],
  [
    /^(ECONNRESET|EPIPE|UND_ERR_(SOCKET|RES_CONTENT_LENGTH_MISMATCH))$|: connection closed before|^Connection reset|^error reading a body/,
    { fault: 'closed', words: 'connection closed before the answer was complete' },
  ],
  [
    /SELF_SIGNED_CERT|^UNABLE_TO_(VERIFY|GET)_|^CERT_UNTRUSTED$|certificate: (UnknownIssuer|Other)/,
    {
      fault: 'certificate',
      words: 'certificate not trusted; set NODE_EXTRA_CA_CERTS to the file of its authority before the program starts',
      neverLeft: true,
    },
  ],
  [
    /^CERT_HAS_EXPIRED$|certificate:? .*[Ee]xpired/,
    { fault: 'certificate', words: 'certificate has expired', neverLeft: true },
  ],
  [/^CERT_NOT_YET_VALID$/, { fault: 'certificate', words: 'certificate is not valid yet', neverLeft: true }],
  [
    /^ERR_TLS_CERT_ALTNAME|certificate: certificate not valid for name/,
    { fault: 'certificate', words: 'certificate is for another host name', neverLeft: true },
  ],
  [
    /^(ERR_SSL_(WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)|EPROTO)$|\(Connect\): received corrupt message/,
    { fault: 'tls', words: 'no TLS there; use http instead of https?', neverLeft: true },
  ],
];

/** Nothing has been written yet when one of these fails. */
const earlyCalls: ReadonlySet<unknown> = new Set(['connect', 'getaddrinfo', 'queryA', 'queryAaaa']);

/** The typed error for what `fetch`, or reading its response, threw. */
export function describeConnectionFailure(
  thrown: unknown,
  call: { readonly method: string; readonly path: string; readonly host: string; readonly keys: KnownKeys },
): ConnectionError {
  const { code, isEarly, message, parts } = readFailure(thrown);
  const key = code ?? message;
  const known = meanings.find(([pattern]) => pattern.test(key))?.[1];
  const fault = known?.fault ?? 'other';
  const say = (words: string, more = ''): string => {
    const closing = code === undefined ? '' : ` (${code}${more})`;
    return call.keys.redact(`${call.method} ${call.path}: ${call.host}: ${words}${closing}`);
  };
  return new ConnectionError(say(known?.words ?? message, parts), {
    host: call.host,
    fault,
    neverLeft: known?.neverLeft ?? isEarly,
    headline: say(known?.words ?? 'no complete answer'),
    cause: call.keys.redactCause(thrown),
  });
}

/**
 * Whether response bytes arrived before the failure, as far as undici's errors say. If so, the other end speaks HTTP.
 */
export function hasAnswerBegun({ cause }: ConnectionError): boolean {
  for (let error = cause, depth = 0; depth < 5 && isObject(error); depth += 1, error = error.cause) {
    if (error.code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH') return true;
    if (isObject(error.socket) && Number(error.socket.bytesRead) > 0) return true;
  }
  return false;
}

/** Reads the innermost error: fetch wraps it in a TypeError, and several tried addresses in an AggregateError. */
function readFailure(thrown: unknown): { code: string | undefined; isEarly: boolean; message: string; parts: string } {
  let error = thrown;
  let parts = '';
  let code: string | undefined;
  let isEarly = false;
  let message = 'no answer';
  try {
    for (let depth = 0; depth < 5 && isObject(error); depth += 1) {
      if (typeof error.code === 'string') code = error.code;
      if (earlyCalls.has(error.syscall)) isEarly = true;
      // Deno and Bun quote the address, and a query may be private.
      if (typeof error.message === 'string' && error.message !== '')
        message = error.message.replace(/\bhttps?:[^\s")]+/g, '…');
      if (message.includes('client error (Connect)')) isEarly = true;
      const each = Array.isArray(error.errors) ? error.errors : [];
      if (each.length > 0) parts = `: ${each.map(part => part.message).join('; ')}`;
      error = error.cause ?? each[0];
    }
  } catch {
    // A member that throws when read is ignored.
  }
  return { code, isEarly, message, parts };
}
