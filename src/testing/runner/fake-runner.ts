import { randomUUID } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { JsonObject } from '../../base/json.ts';
import { readActionMetadata } from '../action/action-metadata.ts';
import { SecretMasker } from '../log/secret-masker.ts';
import { completeContext, type GitHubContext, runnerContext } from './job-environment.ts';
import { createJobFolders } from './job-folders.ts';
import { type FakeRunner, JobRunner } from './job-runner.ts';

export interface FakeRunnerOptions {
  /** The folder with the action's action.yml. */
  readonly actionDir: string;
  /** @default the Node that runs this program, whichever version the action names */
  readonly nodePath?: string | undefined;
  /**
   * The job's variables, like `env:` of a job. From this process's own, only PATH and those that Windows needs are
   * passed on.
   */
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** Values that are masked from the start, like `secrets.*`. */
  readonly secrets?: readonly string[] | undefined;
  /** The event that started the workflow. @default {} */
  readonly event?: JsonObject | undefined;
  /**
   * The `github` context by GitHub's own names (`repository`, `run_id`, `api_url`, …). By default octo-org/shop on
   * main.
   */
  readonly context?: GitHubContext | undefined;
  /** The `matrix` context, which inputs' defaults may name. */
  readonly matrix?: JsonObject | undefined;
  /** The `strategy` context, which inputs' defaults may name. @default that of a job without a matrix */
  readonly strategy?: JsonObject | undefined;
  /** An existing folder to work in, which is not removed. @default an empty one, which is removed with the job */
  readonly workspace?: string | undefined;
  /** Show debug lines and set RUNNER_DEBUG. @default false */
  readonly debug?: boolean | undefined;
}

/**
 * Makes a runner for one job. Close it afterwards. It runs the main and post parts of JavaScript actions. It does not
 * support `pre`, composite and container actions, workflow expressions and problem matchers. Throws
 * ActionMetadataError when the action cannot be run.
 */
export async function createFakeRunner(options: FakeRunnerOptions): Promise<FakeRunner> {
  readActionMetadata(options.actionDir);
  const github = completeContext(options.context ?? {});
  const folders = await createJobFolders({ repository: github.repository ?? '', workspace: options.workspace });
  const eventPath = join(folders.temp, '_github_workflow', 'event.json');
  await mkdir(dirname(eventPath), { recursive: true });
  await writeFile(eventPath, JSON.stringify(options.event ?? {}, undefined, 2));
  const debug = options.debug ?? false;
  const masker = new SecretMasker();
  for (const secret of options.secrets ?? []) masker.add(secret);
  const contexts: GitHubContext = { ...github, event_path: eventPath, workspace: folders.workspace };
  return new JobRunner(options.actionDir, {
    folders,
    nodePath: options.nodePath ?? process.execPath,
    debug,
    masker,
    github: contexts,
    expressions: {
      github: { ...contexts, event: options.event ?? {} },
      runner: runnerContext(folders, debug),
      matrix: options.matrix,
      strategy: options.strategy ?? { 'fail-fast': true, 'job-index': 0, 'job-total': 1, 'max-parallel': 1 },
    },
    trackingId: `github_${randomUUID()}`,
    env: new Map(Object.entries(options.env ?? {})),
    path: [],
  });
}
