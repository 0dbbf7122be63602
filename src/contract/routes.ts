/** The addresses of the service below the prefix. The client, the server and the OpenAPI document read this one table. */
export const apiPrefix = '/api/v1';

interface Route {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** With `{name}` for a part that is filled in. */
  readonly path: string;
  readonly summary: string;
}

export const routes = {
  createRun: { id: 'createRun', method: 'POST', path: '/agent/runs', summary: 'Start a run' },
  createRunOldPath: {
    id: 'createRunOldPath',
    method: 'POST',
    path: '/agent/run',
    summary: 'Start a run (the older address, the same)',
  },
  listRuns: { id: 'listRuns', method: 'GET', path: '/agent/runs', summary: 'List runs, a page at a time' },
  readRun: {
    id: 'readRun',
    method: 'GET',
    path: '/agent/runs/{runId}',
    summary: 'One run; waits for a change when asked to',
  },
  cancelRun: {
    id: 'cancelRun',
    method: 'POST',
    path: '/agent/runs/{runId}/cancel',
    summary: 'Cancel a run that is not over',
  },
  renewLease: {
    id: 'renewLease',
    method: 'PUT',
    path: '/agent/runs/{runId}/lease',
    summary: 'Renew the lease of a run',
  },
  listEvents: {
    id: 'listEvents',
    method: 'GET',
    path: '/agent/runs/{runId}/events',
    summary: 'What happened in a run, in order',
  },
  readResult: {
    id: 'readResult',
    method: 'GET',
    path: '/agent/runs/{runId}/result',
    summary: 'The whole result of a run as text',
  },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteId = keyof typeof routes;

/** A route's path with its parts filled in and percent-encoded. Throws on '', '.' and '..', which would change the address. */
export function routePath(id: RouteId, parts: Readonly<Record<string, string>> = {}): string {
  return routes[id].path.replace(/\{(\w+)\}/g, (_all, name: string) => encodePathPart(name, parts[name] ?? ''));
}

/** One part of a path, percent-encoded. */
function encodePathPart(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new RangeError(`${name} cannot be ${JSON.stringify(value)} in an address`);
  return encodeURIComponent(value);
}
