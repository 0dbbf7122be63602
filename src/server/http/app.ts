import { Hono } from 'hono';
import type { Clock } from '../../base/clock.ts';
import { findShortage } from '../../base/process/shortage.ts';
import type { FoundAgents } from '../../contract/agents.ts';
import type { AgentConfig, HarnessType } from '../../contract/config.ts';
import { apiPrefix, type RouteId, routes } from '../../contract/tables/routes.ts';
import type { SkillSpec } from '../../contract/tables/skill-spec.ts';
import type { Limits } from '../config/config-schema.ts';
import type { Environment } from '../environments/environment.ts';
import { describeError, traceError } from '../error-text.ts';
import type { Log } from '../log.ts';
import type { RunCreator, RunStore, StoredRun } from '../store/store.ts';
import { handleListAgents } from './agent-routes.ts';
import { handleArtifactFile, handleDownloadArtifact, handleReadArtifact } from './artifact-routes.ts';
import { handleListEnvironments } from './environment-routes.ts';
import { handleListEvents } from './event-routes.ts';
import type { KeyRing } from './key-ring.ts';
import { addOpenApi } from './openapi/openapi.ts';
import { addPages } from './pages.ts';
import { answerProblem, RequestError } from './problem-response.ts';
import { handleRedirectConversation, handleRedirectSession } from './redirect-routes.ts';
import { announce, authenticate, closeUnread, logRequests } from './request-middleware.ts';
import { createRunHandler } from './runs/create-run.ts';
import { handleSendFollowup } from './runs/followup-route.ts';
import { handleListRuns } from './runs/list-runs.ts';
import {
  handleCancelRun,
  handleReadResult,
  handleReadRun,
  handleReleaseLease,
  handleRenewLease,
} from './runs/run-routes.ts';
import { RunWaiters } from './runs/run-waiters.ts';
import type { ArtifactLinks, SessionLinks } from './signed-links.ts';

/** Values on a request's context. */
export interface HttpEnv {
  Variables: { requestId: string; publicUrl: string; caller: RunCreator };
}

/** Parts of the HTTP room. It reaches workers only through the store. */
export interface HttpParts {
  readonly store: RunStore;
  readonly clock: Clock;
  readonly log: Log;
  readonly keys: KeyRing;
  /** Describes the caller with the environment's key, as the end of a sentence. */
  readonly environmentCaller: string;
  readonly links: SessionLinks;
  readonly artifactLinks: ArtifactLinks;
  /** Path of an artifact's file. */
  readonly artifactFile: (runId: string, artifactUid: string) => string;
  readonly limits: Limits;
  /** Allowed values of `config.harness.name`, and the default. */
  readonly harnesses: {
    readonly names: readonly string[];
    readonly default: string | undefined;
    readonly publishedType: (name: string) => HarnessType;
    readonly canResume: (name: string) => boolean;
  };
  /** Whether the next run of a conversation still has what it needs. `newest` is over. */
  readonly isConversationKept: (newest: StoredRun) => Promise<boolean>;
  /** Fills in the harness's defaults, or returns why the configuration does not work with it. */
  readonly completeConfig: (
    config: AgentConfig,
    signal: AbortSignal,
  ) => Promise<
    | { readonly config: AgentConfig }
    | {
        readonly refused: 'invalid_request' | 'operation_not_supported' | 'resource_unavailable';
        readonly message: string;
      }
  >;
  /** Why a skill certainly does not exist; undefined if it exists or may exist. */
  readonly refuseSkill: (spec: SkillSpec) => Promise<string | undefined>;
  /** The skills of a repository, or of all checkouts. */
  readonly listSkills: (query: {
    readonly repo: string | undefined;
    readonly isFresh: boolean;
    readonly withMalformed: boolean;
    readonly signal: AbortSignal;
  }) => Promise<
    FoundAgents | { readonly refused: 'resource_not_found' | 'resource_unavailable'; readonly message: string }
  >;
  readonly environments: readonly Environment[];
  /** Start of links, without a trailing slash. */
  readonly publicUrl: () => string;
  /** The server is stopping: it takes no new runs and still answers about existing ones. */
  readonly isDraining: () => boolean;
  /** Whether a new run has to wait for a place. */
  readonly isAtCapacity: () => boolean;
  /** Why the server takes no runs, apart from draining; undefined if it takes them. */
  readonly findUnready: () => Promise<string | undefined>;
  /** Aborted when the last run has ended and the server closes. Waiting requests then answer at once. */
  readonly stopping: AbortSignal;
}

export type Handlers = HttpParts & { readonly waiters: RunWaiters };

/** The service as a function from a Request to a Response. */
export function createApp(parts: HttpParts): { fetch(request: Request): Response | Promise<Response>; close(): void } {
  const waiters = new RunWaiters(parts);
  const handlers: Handlers = { ...parts, waiters };
  const app = new Hono<HttpEnv>();
  app.onError((error, c) => {
    if (error instanceof RequestError) return answerProblem(c, error);
    if (findShortage(error) !== undefined) {
      parts.log('warn', 'a request failed because resources ran out', {
        request: c.get('requestId'),
        error: describeError(error),
      });
      const detail = 'the server is short of open files, processes or memory; try again later';
      return answerProblem(c, new RequestError('resource_unavailable', detail));
    }
    parts.log('error', 'a request failed', { request: c.get('requestId'), error: traceError(error) });
    return answerProblem(c, new RequestError('internal_error', `look up ${c.get('requestId')} in the server's log`));
  });
  app.notFound(c => answerProblem(c, refuseAddress(c.req.method, c.req.path)));
  app.use(closeUnread, announce(parts), logRequests(parts));
  const at = (id: RouteId) => `${apiPrefix}${routes[id].path.replace(/\{(\w+)\}/g, ':$1')}`;
  // Before authentication: published clients send no key here.
  app.get(at('redirectSession'), handleRedirectSession(handlers));
  app.get(at('redirectConversation'), handleRedirectConversation(handlers));
  app.use(`${apiPrefix}/*`, authenticate(parts));
  const createRun = createRunHandler(handlers);
  app.post(at('createRun'), createRun);
  app.post(at('createRunOldPath'), createRun);
  app.get(at('listRuns'), handleListRuns(handlers));
  app.get(at('readRun'), handleReadRun(handlers));
  app.post(at('cancelRun'), handleCancelRun(handlers));
  app.post(at('sendFollowup'), handleSendFollowup(handlers));
  app.put(at('renewLease'), handleRenewLease(handlers));
  app.delete(at('releaseLease'), handleReleaseLease(handlers));
  app.get(at('listEvents'), handleListEvents(handlers));
  app.get(at('readResult'), handleReadResult(handlers));
  app.get(at('listAgents'), handleListAgents(handlers));
  app.get(at('listEnvironments'), handleListEnvironments(handlers));
  app.get(at('readArtifact'), handleReadArtifact(handlers));
  app.get(at('downloadArtifact'), handleDownloadArtifact(handlers));
  app.get('/artifacts/:artifactUid', handleArtifactFile(handlers));
  app.get('/healthz', c => c.json({ status: 'ok' }));
  app.get('/readyz', async c => {
    if (parts.isDraining()) return c.json({ status: 'stopping' }, 503);
    const reason = await parts.findUnready();
    return reason === undefined ? c.json({ status: 'ok' }) : c.json({ status: 'not ready', reason }, 503);
  });
  addOpenApi(app, parts);
  addPages(app, handlers);
  return { fetch: request => app.fetch(request), close: () => waiters.close() };
}

/** 405 with `Allow` if another method exists, otherwise 404. */
function refuseAddress(method: string, path: string): RequestError {
  const patterns = Object.values(routes).map(route => ({
    method: route.method,
    pattern: new RegExp(`^${apiPrefix}${route.path.replace(/\{\w+\}/g, '[^/]+')}/?$`),
  }));
  const allowed = [...new Set(patterns.filter(({ pattern }) => pattern.test(path)).map(route => route.method))];
  if (allowed.length === 0 || allowed.some(known => known === method))
    return new RequestError('resource_not_found', `no route matches ${path}`);
  return new RequestError('method_not_allowed', `${path} supports ${allowed.join(', ')}, not ${method}`, {
    headers: { Allow: allowed.join(', ') },
  });
}
