/** Turns a call into what is sent. Invalid calls throw ConfigurationError before anything is sent. */
import { version } from '../../base/process/version.ts';
import { headerNames } from '../../contract/tables/headers.ts';
import type { AuthenticationError } from '../errors/answer-errors.ts';
import { ConfigurationError } from '../errors/errors.ts';
import { type HeaderPairs, type HeaderValues, isPlain, type RequestOptions } from '../options/options.ts';
import type { Settings } from '../options/settings.ts';
import type { Expectation } from './answer.ts';
import { joinAddress } from './request-url.ts';

export interface Call extends Expectation, Omit<RequestOptions, 'query'> {
  readonly query?: object | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Safe to carry out twice, so it is retried after a failure of unknown outcome. */
  readonly isIdempotent: boolean;
  /** Sent as a header. It makes the call idempotent. */
  readonly idempotencyKey?: string | undefined;
  /** Whether a proxy's response counts as a failed attempt, to be retried, and not as the answer. */
  readonly retriesProxyPages?: boolean | undefined;
}

export type Limits = Required<Pick<Settings, 'timeoutMs' | 'totalTimeoutMs' | 'maxRetries'>>;

/** A call as every attempt sends it, and the state of its attempts. Later changes by the caller have no effect. */
export interface Prepared extends Limits {
  readonly call: Call;
  /**
   * The API key under which it may have been carried out. Idempotency keys count per caller, so retries must use the
   * same one.
   */
  pinnedKey: string | undefined;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  count: number;
  attemptBeganMs: number;
  /** Whether the last attempt was sent and may have been carried out. */
  hasLeft: boolean;
  /** Whether an attempt may have been carried out. */
  isPerhapsDone: boolean;
  key: string | undefined;
  /** The 401 that made the client ask for another key. */
  refusal: AuthenticationError | undefined;
}

/** Placeholder for the key, which each attempt fills in. A header that the caller set or removed stays as it is. */
export const keyGoesHere = '';

/** Headers whose values are as secret as the key. */
const credentialNames = ['authorization', 'proxy-authorization', 'x-api-key'];

export function prepareRequest(call: Call, settings: Settings, limits: Limits): Prepared {
  const { baseUrl, defaultHeaders, defaultQuery, keys } = settings;
  checkMethod(call);
  const { idempotencyKey } = call;
  // `sizes.idempotencyKeyCharacters`, without the rest of that table in the bundle.
  if (idempotencyKey !== undefined && !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    throw new ConfigurationError('idempotencyKey must be 1 to 255 visible ASCII characters without spaces');
  const body = encodeBody(call.body);
  const url = joinAddress(baseUrl, call.path, { ...defaultQuery, ...call.query });
  const headers = createHeaders(
    {
      'user-agent': `agent-run/${version}`,
      accept: accepted[call.as],
      authorization: keyGoesHere,
      ...(body === null ? {} : { 'content-type': 'application/json' }),
    },
    defaultHeaders,
    call.headers,
  );
  if (idempotencyKey !== undefined) headers[headerNames.idempotencyKey.toLowerCase()] = idempotencyKey;
  // Without the scheme, such as Bearer.
  for (const name of credentialNames) keys.known.add(headers[name]?.replace(/^\S+ +/, '') ?? '');
  return {
    ...limits,
    pinnedKey: undefined,
    // A query may be private, so errors and log lines omit it.
    call: {
      ...call,
      path: keys.known.redact(call.path.split('?', 1).join()),
      isIdempotent: call.isIdempotent || idempotencyKey !== undefined,
    },
    url,
    headers,
    body,
    count: 0,
    attemptBeganMs: 0,
    hasLeft: false,
    isPerhapsDone: false,
    key: undefined,
    refusal: undefined,
  };
}

const accepted: Readonly<Record<Call['as'], string>> = {
  json: 'application/json',
  'any-json': 'application/json',
  text: 'text/plain',
  'any-text': 'text/*',
  bytes: '*/*',
};

/** Whether each method is idempotent (RFC 9110, 9.2.2). */
const methods: Readonly<Record<string, boolean>> = {
  GET: true,
  HEAD: true,
  PUT: true,
  DELETE: true,
  POST: false,
  PATCH: false,
};

export function isIdempotent(method: string): boolean {
  return methods[method] === true;
}

function checkMethod({ method, body }: Call): void {
  if (!Object.hasOwn(methods, method))
    throw new ConfigurationError(
      `the method must be one of ${Object.keys(methods).join(', ')}, not ${JSON.stringify(method)}`,
    );
  if (body !== undefined && (method === 'GET' || method === 'HEAD'))
    throw new ConfigurationError(`a ${method} request cannot have a body`);
}

/** Throws ConfigurationError for what JSON cannot represent: cycles, bigints, functions. */
function encodeBody(body: unknown): string | null {
  if (body === undefined) return null;
  let text: string | undefined;
  let cause: unknown;
  try {
    text = JSON.stringify(body);
  } catch (error) {
    cause = error;
  }
  if (text !== undefined) return text;
  const reason = cause instanceof Error ? cause.message.split('\n', 1)[0] : `it is a ${typeof body}`;
  throw new ConfigurationError(`the body cannot be sent as JSON: ${reason}`, { cause });
}

/** Headers that fetch rejects, drops silently, or accepts only with the value that it sends anyway. */
const ownedByFetch =
  /^(expect|host|keep-alive|transfer-encoding|upgrade|content-length):|^connection: (?!(close|keep-alive)$)/i;

/**
 * The names in `own` are in lower case. Later layers override earlier ones. Throws ConfigurationError, which omits
 * the value because it may be secret.
 */
function createHeaders(
  own: Readonly<Record<string, string>>,
  ...layers: readonly (HeaderValues | undefined)[]
): Record<string, string> {
  const headers = { ...own };
  for (const layer of layers) {
    for (const [given, value] of entriesOf(layer)) {
      const name = given.toLowerCase();
      if (value === undefined || value === null) delete headers[name];
      // The header would not mark the call as safe to retry. As a default header it would be one key for all creates.
      else if (name === headerNames.idempotencyKey.toLowerCase())
        throw new ConfigurationError(`the header ${given} cannot be set; use the option idempotencyKey of a call`);
      else if (ownedByFetch.test(`${name}: ${typeof value === 'object' ? '' : String(value)}`))
        throw new ConfigurationError(`the header ${JSON.stringify(given)} cannot be set; fetch sets it itself`);
      // Numbers have an obvious text form; objects do not.
      else if (
        typeof value !== 'object' &&
        /^[\w!#$%&'*+.^`|~-]+$/.test(name) &&
        /^[\t\x20-\x7e\x80-\xff]*$/.test(String(value))
      )
        headers[name] = String(value);
      else throw new ConfigurationError(`the header ${JSON.stringify(given)} has a name or value that cannot be sent`);
    }
  }
  return headers;
}

/**
 * Accepts `Headers` of other packages, which are not instances of the global class but iterate like it. Throws
 * ConfigurationError.
 */
export function entriesOf(headers: HeaderValues | undefined): HeaderPairs {
  if (headers === undefined || headers === null) return [];
  const pairs: unknown[] =
    typeof headers === 'object' && Symbol.iterator in headers
      ? [...headers]
      : isPlain(headers)
        ? Object.entries(headers)
        : [headers];
  if (pairs.every(pair => Array.isArray(pair) && typeof pair[0] === 'string')) return pairs as unknown as HeaderPairs;
  throw new ConfigurationError('headers must be an object of names and values, a list of pairs, or Headers');
}
