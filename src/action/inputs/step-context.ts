/** The job's context: variables of GitHub and of similar runners. Any of them may be missing. */
import type { ActionHost } from '../host/host.ts';

export interface StepContext {
  /** `owner/name`. */
  readonly repository: string | undefined;
  readonly repositoryId: string | undefined;
  readonly runId: string | undefined;
  /** Starts at 1. */
  readonly attempt: number;
  readonly workflow: string | undefined;
  readonly job: string | undefined;
  /** The step's ID, otherwise the runner's name for it, such as `__self`. */
  readonly step: string | undefined;
  readonly eventName: string | undefined;
  readonly eventPath: string | undefined;
  readonly actor: string | undefined;
  readonly triggeringActor: string | undefined;
  readonly ref: string | undefined;
  readonly sha: string | undefined;
  /** URL of GitHub's API, also on GitHub Enterprise Server. */
  readonly apiUrl: string;
  /** `https://github.com/owner/name`. Undefined outside a workflow. */
  readonly repositoryUrl: string | undefined;
  /** URL of the job's log and summary. Undefined outside a workflow. */
  readonly jobUrl: string | undefined;
  readonly workspace: string | undefined;
  /** A folder that is deleted with the job. */
  readonly tempDir: string | undefined;
}

export function readStepContext(host: ActionHost): StepContext {
  const read = (name: string): string | undefined => {
    const value = host.readVariable(name)?.trim() ?? '';
    return value === '' ? undefined : value;
  };
  const [server, repository, runId] = [read('GITHUB_SERVER_URL'), read('GITHUB_REPOSITORY'), read('GITHUB_RUN_ID')];
  const repositoryUrl = server && repository ? `${server}/${repository}` : undefined;
  const attempt = Number(read('GITHUB_RUN_ATTEMPT') ?? '1');
  return {
    repository,
    repositoryId: read('GITHUB_REPOSITORY_ID'),
    runId,
    attempt: Number.isSafeInteger(attempt) && attempt > 0 ? attempt : 1,
    workflow: read('GITHUB_WORKFLOW'),
    job: read('GITHUB_JOB'),
    step: read('GITHUB_ACTION'),
    eventName: read('GITHUB_EVENT_NAME'),
    eventPath: read('GITHUB_EVENT_PATH'),
    actor: read('GITHUB_ACTOR'),
    triggeringActor: read('GITHUB_TRIGGERING_ACTOR'),
    ref: read('GITHUB_REF'),
    sha: read('GITHUB_SHA'),
    apiUrl: read('GITHUB_API_URL') ?? 'https://api.github.com',
    repositoryUrl,
    jobUrl: repositoryUrl && runId ? `${repositoryUrl}/actions/runs/${runId}` : undefined,
    workspace: read('GITHUB_WORKSPACE'),
    tempDir: read('RUNNER_TEMP'),
  };
}
