import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import {
  createFakeRunner,
  type FakeRunner,
  type FakeRunnerOptions,
  type RunningStep,
  type StepResult,
} from '../../src/testing/index.ts';

const actionDir = resolve(import.meta.dirname, '../..');

/** A runner for the committed action. Removed after the test. */
export async function openActionRunner(options: Partial<FakeRunnerOptions> = {}): Promise<FakeRunner> {
  const runner = await createFakeRunner({ actionDir, ...options });
  onTestFinished(() => runner.close());
  return runner;
}

interface Target {
  readonly url: string;
  readonly key: string;
}

/** Starts a step of the committed action against a server. */
export function startActionStep(
  runner: FakeRunner,
  { url, key }: Target,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): RunningStep {
  return runner.startStep({ inputs: { base_url: url, api_key: key, ...inputs }, env });
}

/** A whole job with one step: main, then post. */
export async function runActionJob(
  target: Target,
  inputs: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): Promise<{ main: StepResult; post: StepResult }> {
  const runner = await openActionRunner({ secrets: [target.key] });
  const main = await startActionStep(runner, target, inputs, env).done;
  const [post] = await runner.post();
  if (post === undefined) throw new Error('there was no post step');
  return { main, post };
}

/** The log as lines of text. */
export function textOf(result: Pick<StepResult, 'log'>): string {
  return result.log.map(line => line.text).join('\n');
}

/** Resolves when a line of the step's log, below its inputs, contains `text`. Rejects if the step ends before. */
export async function waitForLine(step: RunningStep, text: string): Promise<void> {
  let isOver = false;
  void step.done.then(() => {
    isOver = true;
  });
  const isSaid = () =>
    step.lines.slice(step.lines.findIndex(line => line.kind === 'endgroup')).some(line => line.text.includes(text));
  while (!isSaid()) {
    if (isOver)
      throw new Error(
        `the step ended without ${JSON.stringify(text)}:\n${step.lines.map(line => line.text).join('\n')}`,
      );
    await new Promise(wake => setTimeout(wake, 20));
  }
}
