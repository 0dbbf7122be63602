/**
 * What makes a step this step, so that a repeated create finds its run. Two steps of one job that want the same are told apart by the
 * runner's name for them; two calls of one reusable workflow are not, and take `name` or `title` for it.
 */
import { createHash } from 'node:crypto';
import { canonicalJson, type JsonObject } from '../../base/json.ts';
import type { ActionInputs } from '../inputs/inputs.ts';
import type { StepContext } from '../inputs/step-context.ts';

export interface StepKey {
  /** The same for every attempt of the job. */
  readonly ofStep: string;
  /** Of this attempt alone: the idempotency key of the create. */
  readonly ofAttempt: string;
}

/** Undefined outside a workflow run: nothing there tells one start from the next. */
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

/** The leg in one form however the runner lays it out. */
function readLeg(matrix: string): unknown {
  try {
    return JSON.parse(matrix);
  } catch {
    return matrix;
  }
}
