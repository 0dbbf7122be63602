import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { limitsSchema } from '../../src/server/config/config-schema.ts';
import { createApp, type HttpParts } from '../../src/server/http/app.ts';
import { openKeyRing } from '../../src/server/http/key-ring.ts';
import { createArtifactLinks, createSessionLinks } from '../../src/server/http/signed-links.ts';
import { openSqliteStore } from '../../src/server/store/sqlite/sqlite-store.ts';
import type { RunStore, StoredRun } from '../../src/server/store/store.ts';
import { createTempFolder } from './temp-folder.ts';

export const testKey = 'test-key-of-the-environment';

export interface HttpApp {
  readonly store: RunStore;
  /** Calls below the prefix, with the key, as JSON. A string `body` is sent as it is. */
  call(
    method: string,
    path: string,
    options?: { body?: unknown; headers?: Record<string, string>; signal?: AbortSignal },
  ): Promise<Response>;
  fetch(request: Request): Promise<Response>;
  /** Ends waiting requests, like a stopping server. */
  stop(): void;
  drain(): void;
  /** A claimed run of this app's caller. */
  startRun(body?: Record<string, unknown>): Promise<StoredRun>;
}

/** The HTTP room over a real store, without workers: a test plays the worker. */
export async function openHttpApp(more: Partial<HttpParts> = {}): Promise<HttpApp> {
  const store = await openSqliteStore({ folder: createTempFolder(), clock: systemClock });
  const ring = await openKeyRing(store, testKey);
  const stopping = new AbortController();
  const artifactDir = createTempFolder();
  let draining = false;
  const app = createApp({
    store,
    clock: systemClock,
    log: () => {},
    keys: ring,
    environmentCaller: 'with the key in AGENT_RUN_API_KEY',
    links: createSessionLinks({ secret: 'secret', clock: systemClock }),
    artifactLinks: createArtifactLinks({ secret: 'secret', clock: systemClock }),
    artifactFile: (runId, uid) => join(artifactDir, runId, uid),
    limits: limitsSchema.parse({ min_lease_seconds: 1, body_bytes: 2_000_000, keep_conversation_minutes: 20 }),
    harnesses: {
      names: ['script', 'mine'],
      default: 'script',
      publishedType: () => 'oz',
      canResume: name => name === 'mine',
    },
    isConversationKept: async () => true,
    completeConfig: async config => ({ config }),
    environments: [],
    refuseSkill: async spec => (spec.text.endsWith(':gone') ? 'there is no such skill' : undefined),
    listSkills: async () => ({ agents: [] }),
    publicUrl: () => 'https://agents.example.com',
    isDraining: () => draining,
    isAtCapacity: () => false,
    findUnready: async () => undefined,
    stopping: stopping.signal,
    ...more,
  });
  onTestFinished(async () => {
    stopping.abort();
    app.close();
    await store.close();
  });
  const fetch = async (request: Request) => app.fetch(request);
  const call: HttpApp['call'] = (method, path, { body, headers = {}, signal } = {}) =>
    fetch(
      new Request(`http://127.0.0.1/api/v1${path}`, {
        method,
        headers: {
          Authorization: `Bearer ${testKey}`,
          ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
          ...headers,
        },
        ...(body === undefined
          ? {}
          : { body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body) }),
        ...(signal === undefined ? {} : { signal }),
      }),
    );
  return {
    store,
    call,
    fetch,
    stop: () => stopping.abort(),
    drain: () => {
      draining = true;
    },
    async startRun(body = { prompt: 'x' }) {
      await call('POST', '/agent/runs', { body });
      const run = await store.claimRun();
      if (run === undefined) throw new Error('nothing to claim');
      return run;
    },
  };
}
