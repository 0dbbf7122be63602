import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { cancelBody } from '../../border/answers.ts';
import { headerNames, serverFeatures } from '../../contract/tables/headers.ts';
import type { HttpEnv, HttpParts } from './app.ts';
import { RequestError } from './problem-response.ts';

/** Gives every answer a request id (the caller's, if valid) and lists this server's features. */
export function announce({ publicUrl }: Pick<HttpParts, 'publicUrl'>): MiddlewareHandler<HttpEnv> {
  return async function announceFeatures(c, next) {
    const given = c.req.header(headerNames.requestId);
    const requestId = given !== undefined && /^[\w.:-]{1,128}$/.test(given) ? given : randomUUID();
    c.set('requestId', requestId);
    c.set('publicUrl', publicUrl());
    c.header(headerNames.requestId, requestId);
    c.header(headerNames.features, serverFeatures.join(', '));
    c.header('X-Content-Type-Options', 'nosniff');
    c.header('Cache-Control', 'no-store');
    await next();
  };
}

/** Logs one debug line per request, without its query (which may contain a token), headers or body. */
export function logRequests({ log }: Pick<HttpParts, 'log'>): MiddlewareHandler<HttpEnv> {
  return async function logRequest(c, next) {
    const startedAt = performance.now();
    await next();
    const ms = Math.round(performance.now() - startedAt);
    log('debug', 'request', {
      method: c.req.method,
      path: c.req.path,
      status: c.res.status,
      ms,
      request: c.get('requestId'),
    });
  };
}

/** The GET handler answers HEAD, and the framework drops the body. An unread file or stream would stay open. */
export const closeUnread: MiddlewareHandler<HttpEnv> = async (c, next) => {
  await next();
  if (c.req.method === 'HEAD') await cancelBody(c.res);
};

/** Gives the same answer for every invalid key. */
export function authenticate({ keys }: Pick<HttpParts, 'keys'>): MiddlewareHandler<HttpEnv> {
  return async function requireKey(c, next) {
    const caller = keys.findCaller(c.req.header('Authorization'));
    if (caller === undefined)
      throw new RequestError('authentication_required', 'send "Authorization: Bearer KEY" with a key of this server', {
        headers: { 'WWW-Authenticate': 'Bearer' },
      });
    c.set('caller', caller);
    await next();
  };
}
