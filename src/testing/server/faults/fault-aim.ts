import { apiPrefix, type RouteId, routes } from '../../../contract/tables/routes.ts';
import type { FaultAim } from './fault-plan.ts';

/** Properties of a request that decide whether a fault hits it. */
export interface Target {
  readonly method: string;
  /** Path after the prefix, without the query. */
  readonly path: string;
  readonly route: RouteId | undefined;
  /** The id in the address, for requests about one run. */
  readonly runId: string | undefined;
  readonly isStream: boolean;
}

const patterns = Object.entries(routes).map(([id, { method, path }]) => ({
  id: id as RouteId,
  method,
  pattern: new RegExp(`^${path.replace(/\{\w+\}/g, '([^/]+)')}/?$`),
}));

export function readTarget(request: Request): Target {
  const { pathname } = new URL(request.url);
  const path = pathname.startsWith(apiPrefix) ? pathname.slice(apiPrefix.length) : pathname;
  const found = patterns.find(({ method, pattern }) => method === request.method && pattern.test(path));
  return {
    method: request.method,
    path,
    route: found?.id,
    runId: found?.pattern.exec(path)?.[1],
    isStream: /\btext\/event-stream\b/i.test(request.headers.get('accept') ?? ''),
  };
}

/** Counts the matching requests and returns whether each is hit. */
export function createAim(aim: FaultAim): (target: Target) => boolean {
  const { method, route, path, stream, nth = 1, times = 1 } = aim;
  const pattern = path === undefined ? undefined : new RegExp(`^${path.split('*').map(escapePattern).join('.*')}$`);
  const last = times === 'all' ? Number.POSITIVE_INFINITY : nth + times - 1;
  let seen = 0;
  return target => {
    const fits =
      (method === undefined || method.toUpperCase() === target.method) &&
      (route === undefined || route === target.route) &&
      (pattern === undefined || pattern.test(target.path)) &&
      (stream === undefined || stream === target.isStream);
    if (!fits) return false;
    seen += 1;
    return seen >= nth && seen <= last;
  };
}

function escapePattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
