/** Random fault plans, and what a client may do under each. */
import fc from 'fast-check';
import type { Clock } from '../../../src/base/clock.ts';
import { AgentRuns, AgentRunsError } from '../../../src/client/index.ts';
import type { AimedFault, Fault, FaultAim, FaultPlan } from '../../../src/testing/index.ts';

/** Fixed by FC_SEED. A failure prints its seed. */
export const seed = Number(process.env.FC_SEED ?? Date.now() % 2 ** 31);

/**
 * The limit of one attempt, in real ms. Plans with faults that hang or stall cost this much. The others get time for
 * a busy machine, because attempts that end too early are retried at once and make it busier.
 */
const attemptMs = { slow: 500, usual: 20_000 };
/** For the last look, and for a busy machine. */
export const slackMs = 60_000;

const html = '<!doctype html><title>Bad gateway</title><p>The proxy has lost its server';
const farDate = 'Wed, 21 Oct 2099 07:28:00 GMT';

const retryAfter = fc.constantFrom<Record<string, string>>(
  {},
  { 'Retry-After': '1' },
  { 'Retry-After': '86400' },
  { 'Retry-After': farDate },
  { 'retry-after-ms': '20' },
  { 'x-should-retry': 'false' },
);

/** None of these says anything about a run. */
const strangeAnswer = fc.oneof(
  fc.record({
    kind: fc.constant('answer' as const),
    status: fc.constantFrom(400, 401, 403, 404, 408, 409, 422, 425, 429, 429, 500, 501, 502, 502, 503, 503, 504),
    headers: retryAfter,
    body: fc.constantFrom<unknown>(html, '', '{"sta', { retryable: true }, { retryable: false, code: 'strange' }),
  }),
  fc.record({
    kind: fc.constant('answer' as const),
    status: fc.constantFrom(200, 201, 302, 307),
    headers: fc.constantFrom({ Location: 'https://login.example.com/' }, { 'Content-Type': 'application/json' }),
    body: fc.constantFrom<unknown>(html, '{"run_id": "1", "sta', '[]', '{}', 'null', '""'),
  }),
  fc.constant({ kind: 'answer', status: 204 } as const),
);

const brokenConnection = fc.constantFrom<AimedFault>(
  { kind: 'reset' },
  { kind: 'lost-answer' },
  { kind: 'cut-body' },
  { kind: 'cut-body', bytes: 0 },
  { kind: 'close-after' },
);

const spoiledAnswer = fc.oneof(
  fc.constantFrom<AimedFault>(
    { kind: 'empty-body' },
    { kind: 'wrong-type' },
    { kind: 'wrong-type', type: 'text/plain' },
  ),
  fc.record({ kind: fc.constant('truncate' as const), bytes: fc.integer({ min: 0, max: 300 }) }),
  fc.record({ kind: fc.constant('unknown-state' as const), state: fc.constantFrom('PAUSED', 'succeeded', 'Ω') }),
);

const slowAnswer = fc.oneof(
  fc.record({
    kind: fc.constant('delay' as const),
    ms: fc.integer({ min: 0, max: 60 }),
    when: fc.constantFrom('before' as const, 'after' as const),
  }),
  fc.record({
    kind: fc.constant('slow-body' as const),
    bytes: fc.integer({ min: 100, max: 600 }),
    ms: fc.integer({ min: 0, max: 10 }),
  }),
);

/** Each of these costs real time, so they are rare. */
const hanging = fc.record({
  kind: fc.constant('hang' as const),
  when: fc.constantFrom('before' as const, 'after' as const),
});
const fewCounts = fc.record({ nth: fc.integer({ min: 1, max: 4 }), times: fc.integer({ min: 1, max: 2 }) });

const streamFault = fc.oneof(
  fc.record({ kind: fc.constant('break-stream' as const), events: fc.integer({ min: 0, max: 5 }) }),
  fc.constant({ kind: 'buffered-stream' } as const),
);

const lasting = fc.oneof(
  fc.record({ kind: fc.constant('clock-skew' as const), ms: fc.integer({ min: -1e9, max: 1e9 }) }),
  fc.record({ kind: fc.constant('lagging-copy' as const), looks: fc.integer({ min: 1, max: 4 }) }),
  fc.record({ kind: fc.constant('lagging-copy' as const), ms: fc.integer({ min: 1, max: 80 }) }),
  fc.record({
    kind: fc.constant('feature-off' as const),
    feature: fc.constantFrom('idempotency', 'wait', 'events', 'lease', 'result', 'all'),
  }),
) as fc.Arbitrary<Fault>;

const deletion = fc.record({
  kind: fc.constant('deleted-run' as const),
  nth: fc.integer({ min: 1, max: 4 }),
}) as fc.Arbitrary<Fault>;

const counts = fc.record({
  nth: fc.integer({ min: 1, max: 4 }),
  times: fc.oneof(
    { weight: 9, arbitrary: fc.integer({ min: 1, max: 4 }) },
    { weight: 1, arbitrary: fc.constant('all' as const) },
  ),
});

function aim(
  fault: fc.Arbitrary<AimedFault>,
  where: readonly FaultAim[],
  howMany: fc.Arbitrary<FaultAim> = counts,
): fc.Arbitrary<Fault> {
  return fc
    .tuple(fault, howMany, fc.constantFrom(...where))
    .map(([what, count, there]) => ({ ...what, ...count, ...there }));
}

const anyFault = fc.oneof(strangeAnswer, brokenConnection, spoiledAnswer, slowAnswer) as fc.Arbitrary<AimedFault>;

/** For a create and the wait after it. */
export const waitPlan: fc.Arbitrary<FaultPlan> = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: aim(anyFault, [{ route: 'createRun' }, { route: 'readRun' }, { route: 'listRuns' }, {}]) },
    { weight: 1, arbitrary: aim(hanging, [{ route: 'createRun' }, { route: 'readRun' }, {}], fewCounts) },
    { weight: 2, arbitrary: lasting },
    { weight: 1, arbitrary: deletion },
  ),
  { minLength: 1, maxLength: 5 },
);

/** For reading events. A hanging page or a silent stream would take half a minute of real time. */
export const eventPlan: fc.Arbitrary<FaultPlan> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: aim(anyFault, [{ route: 'listEvents' }, { stream: true }, { stream: false }, {}]) },
    { weight: 4, arbitrary: aim(streamFault as fc.Arbitrary<AimedFault>, [{}]) },
    { weight: 1, arbitrary: aim(hanging, [{ stream: true }], fewCounts) },
    { weight: 2, arbitrary: lasting },
    { weight: 1, arbitrary: deletion },
  ),
  { minLength: 1, maxLength: 5 },
);

/** Whether a long poll may hang. It then lasts until following ends, in real time. */
export function mayHang(plan: FaultPlan): boolean {
  return plan.some(({ kind }) => kind === 'hang');
}

/** Real time plus every sleep, which takes no real time. Backoff costs nothing and still counts. */
export function createLeapingClock(): Clock {
  let leaptMs = 0;
  return {
    now: () => Date.now() + leaptMs,
    monotonicMs: () => performance.now() + leaptMs,
    async sleep(ms, signal) {
      await new Promise(resolve => setImmediate(resolve));
      signal?.throwIfAborted();
      leaptMs += ms;
    },
  };
}

export type Outcome<T> = { readonly value: T } | { readonly error: AgentRunsError };

/** Throws for errors that the client does not define. */
export async function outcomeOf<T>(work: Promise<T>): Promise<Outcome<T>> {
  try {
    return { value: await work };
  } catch (error) {
    if (error instanceof AgentRunsError) return { error };
    throw new Error(`this is no error of the client: ${String(error)}`, { cause: error });
  }
}

export function createFaultyClient(options: {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly fetch: (input: string, init?: RequestInit) => Promise<Response>;
  readonly clock: Clock;
  readonly plan: FaultPlan;
}): AgentRuns {
  const { plan, ...given } = options;
  const isSlow = mayHang(plan) || plan.some(({ kind }) => kind === 'slow-body');
  return new AgentRuns({
    ...given,
    timeoutMs: isSlow ? attemptMs.slow : attemptMs.usual,
    totalTimeoutMs: 120_000,
    logLevel: 'off',
  });
}

/** Plans that run at the same time. */
const inFlightMax = 150;

/** Runs `check` on `count` plans. For a failing plan it throws the faults needed for the failure, and the seed. */
export async function checkPlans(
  arbitrary: fc.Arbitrary<FaultPlan>,
  count: number,
  check: (plan: FaultPlan) => Promise<void>,
): Promise<void> {
  const left = fc.sample(arbitrary, { seed, numRuns: count });
  const failed: FaultPlan[] = [];
  const work = async (): Promise<void> => {
    for (let plan = left.pop(); plan !== undefined && failed.length === 0; plan = left.pop())
      if ((await failureUnder(plan, check)) !== undefined) failed.push(plan);
  };
  await Promise.all(Array.from({ length: inFlightMax }, work));
  if (failed[0] === undefined) return;
  const small = await makeSmall(failed[0], check);
  const failure = small.failure instanceof Error ? small.failure.message : small.failure;
  throw new Error(
    `${failure ?? 'it did not fail again'}\nunder the plan ${JSON.stringify(small.plan)}\nwith FC_SEED=${seed}`,
    {
      cause: small.failure,
    },
  );
}

async function failureUnder(plan: FaultPlan, check: (plan: FaultPlan) => Promise<void>): Promise<unknown> {
  try {
    await check(plan);
    return undefined;
  } catch (error) {
    return error;
  }
}

/** Leaves out one fault after another while the plan still fails. */
async function makeSmall(
  plan: FaultPlan,
  check: (plan: FaultPlan) => Promise<void>,
): Promise<{ readonly plan: FaultPlan; readonly failure: unknown }> {
  for (const index of plan.keys()) {
    const smaller = plan.toSpliced(index, 1);
    if ((await failureUnder(smaller, check)) !== undefined) return await makeSmall(smaller, check);
  }
  return { plan, failure: await failureUnder(plan, check) };
}
