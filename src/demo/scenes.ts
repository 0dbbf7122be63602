import { systemClock } from '../base/clock.ts';
import { AgentRuns } from '../client/index.ts';
import type { Run } from '../contract/run.ts';
import { isFinal } from '../contract/tables/state.ts';
import {
  createFakeRunner,
  createLogRenderer,
  type FakeRunner,
  type LogLine,
  type StepResult,
} from '../testing/index.ts';
import { findAgentProcesses } from './agent-processes.ts';
import type { Cleanup } from './cleanup.ts';
import { type DemoServer, demoLeaseSeconds } from './demo-server.ts';
import type { Screen } from './screen.ts';

interface Stage {
  readonly screen: Screen;
  readonly server: DemoServer;
  readonly cleanup: Cleanup;
  /** Folder of the action, with action.yml and dist/. */
  readonly actionDir: string;
  readonly color: boolean;
}

type Inputs = Readonly<Record<string, string>>;

/** The main job: one step, as in a workflow. True if the step is green. */
export async function showMainJob(stage: Stage, inputs: Inputs): Promise<boolean> {
  const { result, post } = await runStep(stage, inputs);
  showOutputs(stage.screen, result);
  const summary = result.summary.trimEnd();
  if (summary !== '') {
    stage.screen.title('Job summary');
    for (const line of summary.split('\n')) stage.screen.show(line);
  }
  return result.outcome === 'success' && post.every(step => step.outcome === 'success');
}

/** A run whose second block fails. True if the step is red and says why. */
export async function showFailure(stage: Stage): Promise<boolean> {
  const { result } = await runStep(stage, {
    prompt: fenced('echo "tests: 41 passed"', 'echo "deploy: no such host" >&2\nexit 3'),
  });
  const error = result.annotations.find(annotation => annotation.level === 'error')?.message ?? '';
  const checks = [
    [result.outcome === 'failure', 'the step is red'],
    [result.outputs.conclusion === 'failed', 'its conclusion is "failed"'],
    [
      error.includes('block 2') && error.includes('exit code 3') && error.includes('no such host'),
      'its error says which block failed, how, and what it printed last',
    ],
  ] as const;
  for (const [isTrue, text] of checks) stage.screen.fact(isTrue, text);
  return checks.every(([isTrue]) => isTrue);
}

/** A step that is killed while its agent has background processes. True if none of them is left in the end. */
export async function showKilledStep(stage: Stage): Promise<boolean> {
  return await withRunner(stage, runner => killStep(stage, runner));
}

async function killStep({ screen, server }: Stage, runner: FakeRunner): Promise<boolean> {
  const ownPids: number[] = [];
  let runId = '';
  const ready = Promise.withResolvers<void>();
  const step = runner.startStep({
    inputs: { ...connection(server), prompt: fenced(backgroundAgent) },
    env: { AGENT_RUN_LEASE_SECONDS: String(demoLeaseSeconds) },
    onLine: line => {
      runId ||= /^run ([0-9a-f-]+)$/.exec(line.text)?.[1] ?? '';
      const pid = /^│ agent process (\d+)/.exec(line.text)?.[1];
      if (pid !== undefined) ownPids.push(Number(pid));
      if (line.text === '│ agent at work') ready.resolve();
    },
  });
  void step.done.then(() => ready.resolve());
  await ready.promise;
  const alive = findAgentProcesses(runId, ownPids).length;
  screen.show(`${alive} processes of the agent are running, detached from the step`);
  step.kill();
  const killed = await step.done;
  screen.show(`the step was killed (${killed.signal ?? 'no signal'}), so no handler and no post step runs`);
  const client = new AgentRuns({ baseUrl: server.url, apiKey: server.key });
  const run = await watchToEnd(client, runId);
  screen.show(`${run.state}: ${run.status_message?.message ?? ''}`);
  const left = findAgentProcesses(runId, ownPids).length;
  screen.fact(alive === 3 && left === 0, `${left} of ${alive} processes are still running`);
  return run.state === 'CANCELLED' && alive === 3 && left === 0;
}

/** Three ways to outlive a parent: a session of its own, ignoring hang-ups, and a double fork. */
const backgroundAgent = `report() { echo "agent process $1"; }
nohup sleep 600 >/dev/null 2>&1 &
report $!
if command -v setsid >/dev/null; then setsid sleep 600 >/dev/null 2>&1 & else sleep 600 >/dev/null 2>&1 & fi
report $!
( ( trap "" TERM HUP; while :; do sleep 600; done ) >/dev/null 2>&1 & echo "agent process $!" )
echo "agent at work"
sleep 600`;

async function runStep(stage: Stage, inputs: Inputs): Promise<{ result: StepResult; post: readonly StepResult[] }> {
  return await withRunner(stage, runner => playStep(stage, inputs, runner));
}

async function playStep(
  stage: Stage,
  inputs: Inputs,
  runner: FakeRunner,
): Promise<{ result: StepResult; post: readonly StepResult[] }> {
  const render = createLogRenderer({ color: stage.color });
  const onLine = (line: LogLine) => {
    const text = render(line);
    if (text !== undefined) stage.screen.show(text);
  };
  const result = await runner.startStep({ inputs: { ...connection(stage.server), ...inputs }, onLine }).done;
  stage.screen.show(
    result.outcome === 'success' ? '✓ the step is green' : `✗ the step is red (exit code ${result.exitCode})`,
  );
  return { result, post: await runner.post({ onLine }) };
}

/** Without `await using`, which Node 22 does not support. */
async function withRunner<T>(
  { actionDir, server, cleanup }: Stage,
  use: (runner: FakeRunner) => Promise<T>,
): Promise<T> {
  const runner = await cleanup.open(() => createFakeRunner({ actionDir, secrets: [server.key] }));
  try {
    return await use(runner);
  } finally {
    await runner.close();
  }
}

function connection(server: DemoServer): Inputs {
  return { base_url: server.url, api_key: server.key };
}

function showOutputs(screen: Screen, result: StepResult): void {
  screen.title('Outputs of the step');
  for (const [name, value] of Object.entries(result.outputs)) {
    const [first = '', ...more] = value.split('\n');
    screen.show(`${name.padEnd(17)} ${first}${more.length > 0 ? ` … (${more.length + 1} lines)` : ''}`);
  }
}

/** Polls. Following would hold the lease, because the demo has the same key as the step. */
async function watchToEnd(client: AgentRuns, runId: string): Promise<Run> {
  const until = performance.now() + 30_000;
  for (;;) {
    const run = await client.runs.retrieve(runId);
    if (isFinal(run.state) || performance.now() > until) return run;
    await systemClock.sleep(200);
  }
}

function fenced(...blocks: readonly string[]): string {
  return blocks.map(block => `\`\`\`bash\n${block}\n\`\`\``).join('\n\n');
}
