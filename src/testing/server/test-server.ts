import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Optional } from '../../contract/open-world.ts';
import { type ServerFeature, serverFeatures } from '../../contract/tables/headers.ts';
import { apiPrefix, type RouteId } from '../../contract/tables/routes.ts';
import {
  createLog,
  createServer,
  type Listening,
  listen,
  readServerConfig,
  type ServerConfig,
} from '../../server/index.ts';
import { createDataFolder, removeDataFolder } from './data-folders.ts';
import { readTarget } from './faults/fault-aim.ts';
import type { FaultPlan } from './faults/fault-plan.ts';
import type { ServerFetch } from './faults/faulty-connection.ts';
import { createFaultyFetch, type MetFault } from './faults/faulty-fetch.ts';
import { createDirectFetch, type FetchLike } from './faults/with-faults.ts';
import { addLast } from './last-ones.ts';
import { checkOptions, readLimits } from './options-check.ts';

export interface TestServerOptions {
  /** @default none */
  readonly faults?: FaultPlan | undefined;
  /** Features of the server. `none` makes it look like the public service. @default all */
  readonly features?: 'none' | readonly ServerFeature[] | undefined;
  /** Whether it listens on a port of 127.0.0.1. Otherwise only its `fetch` reaches it. @default true */
  readonly listen?: boolean | undefined;
  /** Harness of the runs. @default `script`: runs the sh and bash blocks of a prompt on this machine, as this user */
  readonly harnesses?: ServerConfig['harnesses'] | undefined;
  readonly limits?: Optional<ServerConfig['limits']> | undefined;
  /** Receives the lines of the server's log. @default not printed */
  readonly log?: ((line: string) => void) | undefined;
}

/** A request as it arrived, without credentials, and without a body, which may contain some. */
export interface ArrivedRequest {
  readonly method: string;
  /** Path after `/api/v1`, with the query. */
  readonly path: string;
  /** The id in the table of routes. Undefined for an unknown address. */
  readonly route: RouteId | undefined;
  /** Header names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
}

export interface TestServer extends AsyncDisposable {
  /** Includes the prefix. Without a port, no connection is possible. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Reaches the server without a socket. */
  readonly fetch: FetchLike;
  /** Replaces the faults; counts start again. Throws FaultPlanError. */
  setFaults(faults: FaultPlan): void;
  /** Requests in order; the last 10,000. */
  readonly requests: readonly ArrivedRequest[];
  /** Faults that hit a request, in order; the last 10,000. */
  readonly faultsMet: readonly MetFault[];
  /** Ends runs, connections and hanging requests, and removes the data. */
  stop(): Promise<void>;
}

/** A port that fetch refuses. */
const nowhere = 'http://127.0.0.1:1';

const credentials = /^(authorization|cookie|proxy-authorization|x-api-key)$/;

/**
 * Starts the real server with its own data folder and key. It fails as the plan says. Stop it afterwards. Throws
 * FaultPlanError for an invalid plan, and TypeError for any other invalid option.
 */
export async function createTestServer(options: TestServerOptions = {}): Promise<TestServer> {
  checkOptions(options);
  const folder = await createDataFolder();
  try {
    return await startTestServer(folder, options);
  } catch (error) {
    await removeDataFolder(folder);
    throw error;
  }
}

async function startTestServer(folder: string, options: TestServerOptions): Promise<TestServer> {
  const apiKey = `test-${randomBytes(16).toString('base64url')}`;
  const config = createConfig(folder, apiKey, options);
  const { log: writeLine } = options;
  const stopping = new AbortController();
  const requests: ArrivedRequest[] = [];
  const faultsMet: MetFault[] = [];
  const off = featuresOff(options.features);
  let faulty: ServerFetch;
  const setFaults = (faults: FaultPlan): void => {
    const hooks = { onMet: (met: MetFault) => addLast(faultsMet, met), stopping: stopping.signal };
    const withoutFeatures = createFaultyFetch(request => server.fetch(request), off);
    faulty = createFaultyFetch(withoutFeatures, faults, hooks);
  };
  setFaults(options.faults ?? []);
  const server = await createServer(config, {
    log: writeLine === undefined ? () => {} : createLog(writeLine, 'debug'),
  });
  const serverFetch: ServerFetch = (request, outgoing) => {
    addLast(requests, noteRequest(request));
    return faulty(request, outgoing);
  };
  let listening: Listening | undefined;
  const end = async (): Promise<void> => {
    stopping.abort();
    try {
      await server.stop({ drainSeconds: 0, beforeClose: async () => await listening?.close(100) });
    } finally {
      await removeDataFolder(folder);
    }
  };
  try {
    if (options.listen === false) server.setAddress(nowhere);
    else listening = await listen({ fetch: serverFetch, setAddress: url => server.setAddress(url) }, config);
    await server.start();
  } catch (error) {
    await end().catch(() => {});
    throw error;
  }
  const url = listening?.url ?? nowhere;
  let stopped: Promise<void> | undefined;
  const stop = (): Promise<void> => {
    stopped ??= end();
    return stopped;
  };
  return {
    baseUrl: `${url}${apiPrefix}`,
    apiKey,
    fetch: createDirectFetch(serverFetch, () => stopping.signal.aborted),
    setFaults,
    requests,
    faultsMet,
    stop,
    [Symbol.asyncDispose]: stop,
  };
}

function createConfig(folder: string, apiKey: string, { harnesses, limits }: TestServerOptions): ServerConfig {
  const settings = readServerConfig({ env: { PATH: process.env.PATH, AGENT_RUN_API_KEY: apiKey }, cwd: folder });
  return {
    ...settings,
    port: 0,
    dataDir: join(folder, 'data'),
    harnesses: harnesses ?? { default: 'script', script: true, commands: {} },
    limits: readLimits(limits ?? {}, { ...settings.limits, min_lease_seconds: 1, grace_seconds: 0.5 }),
  };
}

function featuresOff(features: TestServerOptions['features']): FaultPlan {
  if (features === undefined) return [];
  const kept = features === 'none' ? [] : features;
  return serverFeatures
    .filter(feature => !kept.includes(feature))
    .map(feature => ({ kind: 'feature-off', feature }) as const);
}

function noteRequest(request: Request): ArrivedRequest {
  const { method, path, route } = readTarget(request);
  const headers = [...request.headers].filter(([name]) => !credentials.test(name));
  const { pathname, search } = new URL(request.url);
  // The query of a page may contain the token of its link.
  const query = pathname.startsWith(apiPrefix) ? search : '';
  return { method, path: `${path}${query}`, route, headers: Object.fromEntries(headers) };
}
