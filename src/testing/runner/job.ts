import { delimiter } from 'node:path';
import type { ExpressionContexts } from '../action/input-expression.ts';
import type { SecretMasker } from '../log/secret-masker.ts';
import {
  baseVariables,
  contextVariables,
  type GitHubContext,
  runnerContext,
  runnerVariables,
} from './job-environment.ts';
import type { JobFolders } from './job-folders.ts';

/** The variable that identifies a job's processes when it ends. */
export const trackingVariable = 'RUNNER_TRACKING_ID';

/** State that the steps of a job share. */
export interface Job {
  readonly folders: JobFolders;
  readonly nodePath: string;
  readonly debug: boolean;
  readonly masker: SecretMasker;
  readonly github: GitHubContext;
  readonly expressions: ExpressionContexts;
  readonly trackingId: string;
  /** The job's own variables, and those that steps added with GITHUB_ENV. */
  readonly env: Map<string, string>;
  /** Folders that steps added with GITHUB_PATH. The newest is last, and is searched first. */
  readonly path: string[];
}

/**
 * The whole environment of a program. As in the real runner, the runner's GITHUB_ and RUNNER_ variables override
 * those of the job and its steps.
 */
export function programEnvironment(
  job: Job,
  step: {
    readonly env: Readonly<Record<string, string>>;
    /** Inputs and saved state. */
    readonly variables: Readonly<Record<string, string>>;
    /** Values of the `github` context for this program only. */
    readonly github: GitHubContext;
  },
): Readonly<Record<string, string>> {
  const own = { ...baseVariables(job.folders), ...Object.fromEntries(job.env), ...step.env, ...step.variables };
  const path = [...job.path.toReversed(), own.PATH ?? ''].filter(folder => folder !== '').join(delimiter);
  return {
    ...own,
    ...(path === '' ? {} : { PATH: path }),
    ...contextVariables({ ...job.github, ...step.github }),
    ...runnerVariables(runnerContext(job.folders, job.debug)),
    GITHUB_ACTIONS: 'true',
    [trackingVariable]: job.trackingId,
  };
}

/** Applies a step's exports to later steps. */
export function exportToJob(
  job: Job,
  from: { readonly env: ReadonlyMap<string, string>; readonly path: readonly string[] },
): void {
  for (const [name, value] of from.env) job.env.set(name, value);
  for (const folder of from.path) {
    const earlier = job.path.indexOf(folder);
    if (earlier >= 0) job.path.splice(earlier, 1);
    job.path.push(folder);
  }
}
