/**
 * Identifies a step, so that a repeated create finds its run. Two identical steps of a job differ by the runner's
 * names for them. Two calls of a reusable workflow do not, and need different `name` or `title` inputs.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';

export interface StepKey {
  /** The same for every attempt of the job. */
  readonly ofStep: string;
  /** Different for each attempt: the idempotency key of the create. */
  readonly ofAttempt: string;
}

/** Undefined outside a workflow run, where one start looks like the next. */
export function makeStepKey(context: StepContext, { leg }: ActionInputs, task: JsonObject): StepKey | undefined {
  const { repository, repositoryId, runId, workflow, job, step, attempt } = context;
  if (runId === undefined || job === undefined) return undefined;
  const identity = {
    repository: repositoryId ?? repository ?? '',
    run: runId,
    workflow: workflow ?? '',
    job,
    step: step ?? '',
    matrix: readLeg(leg.matrix),
    job_index: leg.jobIndex,
    task,
  };
  const ofStep = createHash('sha256').update(canonicalJson(identity)).digest('hex').slice(0, 40);
  return { ofStep, ofAttempt: `step-${ofStep}-${attempt}` };
}

/** Normalizes the leg, whatever the runner's formatting. */
function readLeg(matrix: string): unknown {
  try {
    return JSON.parse(matrix);
  } catch {
    return matrix;
  }
}
