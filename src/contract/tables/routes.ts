/** The paths of the service below the prefix. The client, the server and the OpenAPI document use this table. */
export const apiPrefix = '/api/v1';

interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Parts in `{}` are filled in. */
  readonly path: string;
}

export const routes = {
  createRun: { method: 'POST', path: '/agent/runs' },
  createRunOldPath: { method: 'POST', path: '/agent/run' },
  listRuns: { method: 'GET', path: '/agent/runs' },
  readRun: { method: 'GET', path: '/agent/runs/{runId}' },
  cancelRun: { method: 'POST', path: '/agent/runs/{runId}/cancel' },
  sendFollowup: { method: 'POST', path: '/agent/runs/{runId}/followups' },
  renewLease: { method: 'PUT', path: '/agent/runs/{runId}/lease' },
  releaseLease: { method: 'DELETE', path: '/agent/runs/{runId}/lease' },
  listEvents: { method: 'GET', path: '/agent/runs/{runId}/events' },
  readResult: { method: 'GET', path: '/agent/runs/{runId}/result' },
  listAgents: { method: 'GET', path: '/agent' },
  listEnvironments: { method: 'GET', path: '/agent/environments' },
  readArtifact: { method: 'GET', path: '/agent/artifacts/{artifactUid}' },
  downloadArtifact: { method: 'GET', path: '/agent/artifacts/{artifactUid}/download' },
  redirectSession: { method: 'GET', path: '/agent/sessions/{sessionUuid}/redirect' },
  redirectConversation: { method: 'GET', path: '/agent/conversations/{conversationId}/redirect' },
} as const satisfies Readonly<Record<string, Route>>;

export type RouteId = keyof typeof routes;

/** Separate from the routes to keep the client's bundle small. */
export const routeSummaries: Readonly<Record<RouteId, string>> = {
  createRun: 'Start a run',
  createRunOldPath: 'Start a run (older path)',
  listRuns: 'List runs, page by page',
  readRun: 'Read a run, or wait for a change',
  cancelRun: 'Cancel a run',
  sendFollowup: 'Answer a BLOCKED run',
  renewLease: 'Renew the lease of a run',
  releaseLease: 'Remove the lease of a run',
  listEvents: 'Read the events of a run',
  readResult: 'Read the whole result of a run as text',
  listAgents: 'List the skills that a run can use',
  listEnvironments: 'List the environments that a run can use',
  readArtifact: 'Read an artifact, with a download URL that expires',
  downloadArtifact: 'Redirect to the download URL of an artifact',
  redirectSession: 'Redirect to the conversation of an ended session (no key needed)',
  redirectConversation: 'Redirect to the session of a running conversation (no key needed)',
};

/**
 * A route's path with its parts filled in and percent-encoded. Throws on '', '.' and '..', which would change the
 * path.
 */
export function routePath(id: RouteId, parts: Readonly<Record<string, string>> = {}): string {
  return routes[id].path.replace(/\{(\w+)\}/g, (_all, name: string) => encodePathPart(name, parts[name] ?? ''));
}

function encodePathPart(name: string, value: string): string {
  if (value === '' || value === '.' || value === '..')
    throw new RangeError(`${name} must not be ${JSON.stringify(value)} in a URL path`);
  return encodeURIComponent(value);
}
