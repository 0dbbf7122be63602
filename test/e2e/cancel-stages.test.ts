/** The step is stopped at every stage of its life with every signal that a runner sends, and no run is left. Its lease is long: it is not what helps. */
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { AgentRuns, isFinal, type Run } from '../../src/client/index.ts';
import {
  createFakeRunner,
  createTestServer,
  type FakeRunnerOptions,
  type FaultPlan,
  type RunningStep,
  type TestServer,
  type TestServerOptions,
} from '../../src/testing/index.ts';
import { fenced } from '../support/test-server.ts';
import { waitMs } from '../support/wait-until.ts';

interface Stage {
  readonly name: string;
  readonly faults?: FaultPlan;
  readonly server?: TestServerOptions;
  readonly inputs?: Readonly<Record<string, string>>;
  readonly runner?: Partial<FakeRunnerOptions>;
  readonly before?: (client: AgentRuns) => Promise<unknown>;
  /** Resolves when the stage is reached. */
  readonly reached: (moment: { readonly server: TestServer; readonly step: RunningStep }) => Promise<void>;
  /** Whether the run may have ended by itself. */
  readonly mayEnd?: boolean;
}

const sleeping = fenced('echo at work', 'sleep 60');
const stubborn = fenced('trap "" TERM INT HUP', 'echo at work', 'sleep 60 & wait', 'sleep 60');

const arrives = (route: string, count = 1) => ({
  reached: ({ server }: { readonly server: TestServer }) =>
    until(() => server.requests.filter(request => request.route === route).length >= count),
});
const isPrinted = (text: string) => ({
  reached: ({ step }: { readonly step: RunningStep }) => until(() => linesOf(step).some(line => line.includes(text))),
});

const stages: readonly Stage[] = [
  { name: 'the process starts', reached: async () => {} },
  {
    name: 'the create is on its way',
    faults: [{ kind: 'delay', ms: 1000, route: 'createRun' }],
    ...arrives('createRun'),
  },
  {
    name: 'the create is done and its answer is on its way',
    faults: [{ kind: 'delay', ms: 1000, when: 'after', route: 'createRun' }],
    ...arrives('createRun'),
  },
  {
    name: 'the answer to the create comes slowly',
    faults: [{ kind: 'slow-body', bytes: 20, ms: 100, route: 'createRun' }],
    ...arrives('createRun'),
  },
  {
    name: 'the answer to the create never comes',
    faults: [{ kind: 'hang', when: 'after', route: 'createRun' }],
    ...arrives('createRun'),
  },
  {
    name: 'the answer to the create is lost, before it is asked for again',
    faults: [{ kind: 'lost-answer', route: 'createRun', times: 3 }],
    reached: ({ server }) => until(() => server.faultsMet.length > 0),
  },
  {
    name: 'the server is busy, before the create is tried again',
    faults: [{ kind: 'answer', status: 503, route: 'createRun', headers: { 'retry-after': '1' }, times: 2 }],
    ...arrives('createRun'),
  },
  {
    name: 'a re-run looks for the run of an earlier attempt',
    faults: [{ kind: 'delay', ms: 500, route: 'listRuns' }],
    runner: { context: { run_attempt: '2' } },
    ...arrives('listRuns'),
  },
  {
    name: 'the run waits for a place',
    server: { limits: { concurrency: 1 } },
    before: client => client.runs.create({ prompt: sleeping, title: 'of somebody else' }),
    ...isPrinted('state: QUEUED'),
  },
  {
    name: 'the first look at the run is on its way',
    faults: [{ kind: 'delay', ms: 1000, route: 'readRun' }],
    ...arrives('readRun'),
  },
  { name: 'the run works', ...isPrinted('at work') },
  {
    name: 'the run works and nothing is heard of it',
    faults: [{ kind: 'silent-stream', route: 'listEvents', times: 'all' }],
    ...isPrinted('state: INPROGRESS'),
  },
  {
    name: 'the server does not answer any more',
    faults: [
      { kind: 'answer', status: 502, route: 'readRun', nth: 2, times: 'all' },
      { kind: 'answer', status: 502, route: 'listEvents', times: 'all' },
    ],
    ...arrives('listEvents', 2),
  },
  { name: 'an agent that hears no signal works', inputs: { prompt: stubborn }, ...isPrinted('at work') },
  {
    name: 'the first request to cancel fails',
    faults: [{ kind: 'answer', status: 503, route: 'cancelRun' }],
    ...isPrinted('at work'),
  },
  {
    name: 'its time is over and the run is being canceled',
    inputs: { timeout_minutes: '0.005' },
    faults: [{ kind: 'delay', ms: 700, route: 'cancelRun' }],
    ...arrives('cancelRun'),
  },
  {
    name: 'the run has ended and its result is on its way',
    inputs: { prompt: fenced('head -c 200000 /dev/zero | tr "\\0" x > "$AGENT_RUN_RESULT"') },
    faults: [{ kind: 'delay', ms: 1000, route: 'readResult' }],
    mayEnd: true,
    ...arrives('readResult'),
  },
];

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
/** Many processes at once would make each of them slow. */
const atOnce = 5;
/** Twice what a runner gives a step between the first signal and the second, because they are many; far below what a server may take. */
const inTimeMs = 15_000;

test.skipIf(process.platform === 'win32').each(signals)(
  '%s leaves no run behind, whenever it comes',
  async signal => {
    const waiting = [...stages];
    const found: Record<string, unknown> = {};
    const work = async () => {
      for (let stage = waiting.shift(); stage !== undefined; stage = waiting.shift())
        found[stage.name] = await stopAt(stage, signal).catch((error: unknown) => String(error));
    };
    await Promise.all(Array.from({ length: atOnce }, work));
    const expected = stages.map(({ name, mayEnd }) => [
      name,
      { left: [], isInTime: true, isTold: true, states: mayEnd ? ['SUCCEEDED'] : expect.anything() },
    ]);
    expect(found).toEqual(Object.fromEntries(expected));
  },
  300_000,
);

async function stopAt(stage: Stage, signal: NodeJS.Signals) {
  const server = await createTestServer({ ...stage.server, ...(stage.faults && { faults: stage.faults }) });
  const runner = await createFakeRunner({ actionDir: resolve(import.meta.dirname, '../..'), ...stage.runner });
  try {
    const client = new AgentRuns({ baseUrl: server.baseUrl, apiKey: server.apiKey, logLevel: 'off' });
    await stage.before?.(client);
    const inputs = { base_url: server.baseUrl, api_key: server.apiKey, prompt: sleeping, ...stage.inputs };
    const step = runner.startStep({ inputs });
    await stage.reached({ server, step });
    const signalledMs = performance.now();
    step.signal(signal);
    const { outputs, exitCode } = await step.done;
    const isInTime = performance.now() - signalledMs < inTimeMs;
    await runner.post();
    const ours = async (): Promise<readonly Run[]> =>
      (await client.runs.list({ limit: 100 })).runs.filter(run => run.title !== 'of somebody else');
    await until(async () => (await ours()).every(run => isFinal(run.state))).catch(() => {});
    const runs = await ours();
    return {
      left: runs.filter(run => !isFinal(run.state)).map(run => run.state),
      isInTime,
      // Killed before it could say anything, or it says that it is no success unless the run was one.
      isTold: exitCode !== 0 || (outputs.conclusion === 'succeeded' && stage.mayEnd === true),
      states: runs.map(run => run.state),
    };
  } finally {
    await runner.close();
    await server.stop();
  }
}

/** The lines below the inputs, which hold the prompt. */
function linesOf(step: RunningStep): readonly string[] {
  return step.lines.slice(step.lines.findIndex(line => line.kind === 'endgroup')).map(line => line.text);
}

async function until(isSo: () => boolean | Promise<boolean>, withinMs = waitMs): Promise<void> {
  const endMs = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('the stage was never reached');
    await new Promise(wake => setTimeout(wake, 10));
  }
}
