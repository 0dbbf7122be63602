import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StartUnknownError } from '../../../src/client/index.ts';
import { createClient, createRun } from '../fixtures.ts';
import {
  allFeatures,
  answerCutJson,
  answerJson,
  answerProblem,
  type Reply,
  reset,
  startScriptedServer,
} from '../scripted-server.ts';

type Fault = 'none' | 'lost request' | 'lost answer' | '503' | '503 after the commit' | 'cut answer' | '429' | '409';

const replyOf: Readonly<Record<Fault, Reply | undefined>> = {
  none: undefined,
  'lost request': reset,
  'lost answer': reset,
  '503': answerProblem(503, 'resource_unavailable'),
  '503 after the commit': answerProblem(503, 'resource_unavailable'),
  'cut answer': answerCutJson,
  '429': answerProblem(429, 'rate_limited'),
  '409': answerProblem(409, 'conflict', { retryable: true }),
};
const commits: ReadonlySet<Fault> = new Set(['none', 'lost answer', '503 after the commit', 'cut answer']);

/** A service in which the k-th request meets the k-th fault, and later requests none. */
function startFaultyService(faults: readonly Fault[], supportsKeys: boolean) {
  const runs = new Map<string, ReturnType<typeof createRun>>();
  const headers = supportsKeys ? allFeatures : {};
  let requests = 0;
  const reply: Reply = (response, request) => {
    const fault = faults[requests] ?? 'none';
    requests += 1;
    const key = supportsKeys ? String(request.headers['idempotency-key']) : String(requests);
    if (request.method === 'POST' && commits.has(fault) && !runs.has(key))
      runs.set(key, createRun('QUEUED', { run_id: `run-${runs.size}`, created_at: new Date().toISOString() }));
    const answer =
      request.method === 'POST'
        ? answerJson(runs.get(key), headers)
        : answerJson({ runs: [...runs.values()], page_info: { has_next_page: false } }, headers);
    return (replyOf[fault] ?? answer)(response, request);
  };
  return { runs, reply };
}

test('under any faults a create makes at most one run, and returns it or says that it is unknown', async () => {
  const names = Object.keys(replyOf) as Fault[];
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...names), { maxLength: 12 }),
      fc.boolean(),
      async (faults, supportsKeys) => {
        const { runs, reply } = startFaultyService(faults, supportsKeys);
        await using server = await startScriptedServer(reply);
        const { client } = createClient(server.url);
        const outcome = await client.runs.create({ prompt: 'count the files' }).catch((error: unknown) => error);
        const ids = [...runs.values()].map(run => run.run_id);
        expect(ids.length).toBeLessThanOrEqual(1);
        if (!(outcome instanceof Error)) expect(outcome).toMatchObject({ run_id: ids[0] });
        else if (ids.length > 0) expect(outcome).toBeInstanceOf(StartUnknownError);
      },
    ),
    {
      numRuns: 150,
      // A regression: two truncated answers do not prove that the server is another service.
      examples: [[Array<Fault>(6).fill('cut answer'), true]],
    },
  );
});
