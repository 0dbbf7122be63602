import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { WireError } from './apis/wire-api.ts';
import type { ModelApi } from './model-request.ts';

/** Headers that may contain a key. */
const secretHeaders = /^(authorization|proxy-authorization|cookie|x-api-key|api-key|x-goog-api-key)$/;

/** The key of a request, from any place where an API has it. Undefined if there is none. */
export function readKey(headers: IncomingHttpHeaders, query: URLSearchParams): string | undefined {
  const [, bearer] = /^Bearer (.+)$/i.exec(headers.authorization ?? '') ?? [];
  const named = headers['x-api-key'] ?? headers['x-goog-api-key'] ?? query.get('key') ?? undefined;
  return bearer ?? (typeof named === 'string' ? named : undefined);
}

export function isSameKey(given: string | undefined, right: string): boolean {
  return given !== undefined && timingSafeEqual(digest(given), digest(right));
}

/** Each service's message for a wrong key. */
export function refuseKey(api: ModelApi): WireError {
  if (api === 'gemini')
    return { status: 400, message: 'API key not valid. Please pass a valid API key.', code: 'API_KEY_INVALID' };
  if (api === 'anthropic') return { status: 401, message: 'invalid x-api-key', code: undefined };
  return { status: 401, message: 'Incorrect API key provided.', code: 'invalid_api_key' };
}

/** Header names in lower case. Keys are replaced. */
export function noteHeaders(headers: IncomingHttpHeaders): Readonly<Record<string, string>> {
  const entries = Object.entries(headers).map(([name, value]) => {
    const text = Array.isArray(value) ? value.join(', ') : (value ?? '');
    return [name, secretHeaders.test(name) ? noteKey(text) : text] as const;
  });
  return Object.fromEntries(entries);
}

/** The same for one key in any header, so that APIs can be compared. */
function noteKey(value: string): string {
  return `sha256:${digest(value.replace(/^Bearer /i, ''))
    .toString('hex')
    .slice(0, 12)}`;
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
