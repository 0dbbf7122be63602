import { systemClock } from '../../base/clock.ts';
import { readActionMetadata } from '../action/action-metadata.ts';
import type { StepInputs } from '../action/step-inputs.ts';
import type { LogLine } from '../log/log-line.ts';
import { type Job, trackingVariable } from './job.ts';
import { removeJobFolders } from './job-folders.ts';
import { type RunningStep, type StepDefinition, type StepPhase, startPhase } from './job-step.ts';
import { killMarked, killTree } from './process-tree.ts';
import type { StepResult } from './step-result.ts';

export interface StepOptions {
  readonly inputs?: StepInputs | undefined;
  readonly env?: Readonly<Record<string, string>> | undefined;
  /** GITHUB_ACTION. @default __self, __self_2, … */
  readonly id?: string | undefined;
  /** Another action than the runner's. */
  readonly actionDir?: string | undefined;
  /** Called with each line of the log as it arrives, with secrets masked. */
  readonly onLine?: ((line: LogLine) => void) | undefined;
}

export type PostOptions = Pick<StepOptions, 'onLine'>;

/** A runner with one job. Its steps run one after another and share workspace, masks and exports. */
export interface FakeRunner extends AsyncDisposable {
  readonly workspace: string;
  /** RUNNER_TEMP. */
  readonly temp: string;
  /** Starts the main part of a step. Throws ActionMetadataError, and Error while another step runs. */
  startStep(options?: StepOptions): RunningStep;
  /**
   * Starts the next post part, the newest step's first. Undefined if none is left. Rejects while another step runs.
   */
  startPost(options?: PostOptions): Promise<RunningStep | undefined>;
  /**
   * Runs all remaining post parts, like GitHub at the end of a job. Returns their results in the order in which they
   * ran.
   */
  post(options?: PostOptions): Promise<readonly StepResult[]>;
  /**
   * Kills processes that steps left running and removes the job's folders. Processes outside their step's process
   * group are found on Linux only.
   */
  close(): Promise<void>;
}

/** Limit for the end of a job, in case a process cannot be killed. */
const sweepRounds = 100;

/** Created by createFakeRunner only. */
export class JobRunner implements FakeRunner {
  readonly #actionDir: string;
  readonly #job: Job;
  readonly #posts: PendingPost[] = [];
  #started = 0;
  #running: RunningStep | undefined;
  #closed: Promise<void> | undefined;

  constructor(actionDir: string, job: Job) {
    this.#actionDir = actionDir;
    this.#job = job;
  }

  get workspace(): string {
    return this.#job.folders.workspace;
  }

  get temp(): string {
    return this.#job.folders.temp;
  }

  startStep(options: StepOptions = {}): RunningStep {
    const metadata = readActionMetadata(options.actionDir ?? this.#actionDir);
    const count = this.#started + 1;
    const step: StepDefinition = {
      id: options.id ?? (count === 1 ? '__self' : `__self_${count}`),
      metadata,
      inputs: options.inputs ?? {},
      env: options.env ?? {},
    };
    const main = this.#start(step, { kind: 'main', script: metadata.main, state: {}, onLine: options.onLine });
    this.#started = count;
    if (metadata.post !== undefined) this.#posts.push({ step, script: metadata.post, main: main.done });
    return main;
  }

  async startPost(options: PostOptions = {}): Promise<RunningStep | undefined> {
    this.#assertReady();
    const next = this.#posts.at(-1);
    if (next === undefined) return undefined;
    const { state } = await next.main;
    const post = this.#start(next.step, { kind: 'post', script: next.script, state, onLine: options.onLine });
    this.#posts.pop();
    return post;
  }

  async post(options: PostOptions = {}): Promise<readonly StepResult[]> {
    const results: StepResult[] = [];
    for (let next = await this.startPost(options); next !== undefined; next = await this.startPost(options))
      results.push(await next.done);
    return results;
  }

  close(): Promise<void> {
    this.#closed ??= this.#end();
    return this.#closed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #start(step: StepDefinition, phase: StepPhase): RunningStep {
    this.#assertReady();
    const running = startPhase(this.#job, step, phase);
    this.#running = running;
    const clear = () => {
      this.#running = undefined;
    };
    running.done.then(clear, clear);
    return running;
  }

  #assertReady(): void {
    if (this.#closed !== undefined) throw new Error('The runner is closed');
    if (this.#running !== undefined) throw new Error('A job runs one step at a time; wait for the one that is running');
  }

  async #end(): Promise<void> {
    const running = this.#running;
    if (running?.pid !== undefined) killTree(running.pid);
    // Processes that started during one round are found in the next.
    for (let round = 0; round < sweepRounds && killMarked(trackingVariable, this.#job.trackingId) > 0; round += 1)
      await systemClock.sleep(20);
    await Promise.allSettled([running?.done]);
    await removeJobFolders(this.#job.folders);
  }
}

/** The post part of a step whose main part was started. */
interface PendingPost {
  readonly step: StepDefinition;
  readonly script: string;
  readonly main: Promise<StepResult>;
}
