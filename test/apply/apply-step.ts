import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { createFakeRunner, type StepResult } from '../../src/testing/index.ts';
import { pathOfEvent } from '../support/event.ts';
import type { FakeGitHub } from '../support/fake-github.ts';

const actionDir = resolve(import.meta.dirname, '../../apply');

export const token = 'ghs_of-a-test';

/** Head of the pull request in the recorded event. */
export const headSha = 'ec26c3e57ca3a959ca5aad62de7213c562f8c821';

export interface ApplyJob {
  /** Becomes JSON, unless it is a text. */
  readonly answer?: unknown;
  readonly inputs?: Readonly<Record<string, string>>;
  /** Name of a recorded event. */
  readonly event?: string;
  /** Variables of GitHub's context that differ. */
  readonly context?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs the bundled action `apply` in a job of its own. */
export async function runApply(
  { apiUrl }: Pick<FakeGitHub, 'apiUrl'>,
  { answer, inputs = {}, event = 'pull_request', context = {}, env = {} }: ApplyJob,
): Promise<StepResult> {
  const runner = await createFakeRunner({
    actionDir,
    secrets: [token],
    event: JSON.parse(readFileSync(pathOfEvent(event), 'utf8')),
    context: {
      api_url: apiUrl,
      repository: 'octo-org/demo',
      event_name: event.split('-')[0] ?? '',
      workflow: 'Review',
      ...context,
    },
  });
  onTestFinished(() => runner.close());
  const result = typeof answer === 'string' ? answer : JSON.stringify(answer);
  return await runner.startStep({
    inputs: { github_token: token, ...(answer !== undefined && { result }), ...inputs },
    env,
  }).done;
}
