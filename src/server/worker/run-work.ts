import { noSecrets, redactValue } from '../../border/secrets.ts';
import { openPatchFile, type PatchFile } from '../changes/patch-file.ts';
import { keepChanges, keptNothing, publishSuccess, tellIfSlow } from '../changes/run-changes.ts';
import { type Patch, takeBaselines } from '../changes/workspace-changes.ts';
import { describeError } from '../error-text.ts';
import { ContainerFault } from '../executor/containers/container-engine.ts';
import type { ExecutorCommand, ExecutorEnd } from '../executor/executor.ts';
import { HarnessRefusal, type PreparedCommand } from '../harness/harness.ts';
import { findDisabled } from '../harness/mcp-servers.ts';
import { explainCrash } from '../low-memory.ts';
import { EventWriter } from '../output/event-writer.ts';
import { readResultFile } from '../output/result-file.ts';
import { noteCut } from '../output/result-text.ts';
import { endWithCode, RunFailure, RunStopped, readStop, type Stop } from '../run-failure.ts';
import type { FoundSkill } from '../skills/skill-source.ts';
import type { ArtifactDraft, Claim, RunEnding, StoredRun } from '../store/store.ts';
import { createRunVariables } from '../workspace/agent-environment.ts';
import { markBeginning, tellLeftBehind } from '../workspace/left-behind.ts';
import { placeContainer } from '../workspace/run-container.ts';
import { locateRunFolder, type RunFolder } from '../workspace/run-folder.ts';
import type { GitParts } from '../workspace/run-git.ts';
import { takeArtifacts } from './artifact-files.ts';
import { waitWithin } from './bounded-work.ts';
import { watchClaim } from './claim-watch.ts';
import { findLateness } from './late-work.ts';
import { Conversation } from './run-conversation.ts';
import { endByStop } from './run-ending.ts';
import { tidyAfter, writeEnding } from './run-finish.ts';
import { RunPrograms, withoutPath } from './run-programs.ts';
import { setUpRun } from './run-setup.ts';
import { createRunTask } from './run-task.ts';
import { carryOutTask } from './task-work.ts';
import type { AfterLimits, WorkerParts } from './worker.ts';

interface RunParts extends WorkerParts {
  readonly removeStrangeFolders: () => Promise<unknown>;
}

/** What git has for the patch of a run, and then for publishing it, whatever is left of the run's own time. */
const usualAfter = { slowMs: 5_000, patchMs: 2 * 60_000, publishMs: 5 * 60_000, spareMs: 30_000 };

/** One run in a worker's hands. */
export class RunWork {
  readonly #parts: RunParts;
  readonly #run: StoredRun;
  readonly #claim: Claim;
  readonly #stopping: AbortSignal;
  readonly #folder: RunFolder;
  readonly #events: EventWriter;
  readonly #programs: RunPrograms;
  /** Aborted with a RunStopped when the run is to be given up; the first reason counts. */
  readonly #control = new AbortController();
  readonly #published: ArtifactDraft[] = [];
  readonly #conversation: Conversation;
  readonly #after: Required<AfterLimits>;
  #patch: readonly Patch[] = [];
  #patchFile: PatchFile | undefined;
  /** What the agent was given, which the names of its files may show. */
  #redactor = noSecrets;
  #isContained = false;
  /** Whether the agent has had a process. From then on the run must not be put back: agents have side effects. */
  #hasBegun = false;

  constructor(parts: RunParts, run: StoredRun, stopping: AbortSignal) {
    this.#parts = parts;
    this.#run = run;
    this.#claim = { runId: run.runId, attempt: run.attempt };
    this.#stopping = stopping;
    this.#after = { ...usualAfter, ...parts.afterLimits };
    this.#folder = locateRunFolder(parts.dataDir, run.conversationId, parts.workspace);
    this.#conversation = new Conversation({ ...parts, run, claim: this.#claim, folder: this.#folder });
    this.#events = new EventWriter({
      append: async events => {
        if (!(await parts.store.appendEvents(this.#claim, events))) throw new RunStopped({ kind: 'lost' });
      },
      clock: parts.clock,
      logBytes: parts.limits.log_bytes,
      usage: run.continuation?.own?.usage,
      onFailure: error => this.#giveUp(readStop(error)),
    });
    this.#programs = new RunPrograms({
      ...parts,
      runId: run.runId,
      folder: this.#folder,
      events: this.#events,
      control: this.#control.signal,
      stopping,
    });
  }

  /** The state that the run has then, undefined where it is no longer ours. Never rejects. */
  async carryOut(): Promise<RunEnding['state'] | undefined> {
    const stopWatching = watchClaim({ ...this.#parts, claim: this.#claim }, stop => this.#giveUp(stop));
    const onStopping = () => this.#giveUp({ kind: 'stopping' });
    this.#stopping.addEventListener('abort', onStopping, { once: true });
    if (this.#stopping.aborted) onStopping();
    try {
      this.#parts.log('debug', 'run started', { run: this.#run.runId });
      const ending = await this.#addArtifacts(await this.#findEnding());
      // Not awaited: that would wait for whatever still has to do with it.
      void this.#patchFile?.close().catch(() => {});
      // First the files: where they fill the disk, there is no room to write the end.
      const { isKept } = this.#conversation;
      await tidyAfter(ending, { ...this.#parts, run: this.#run, folder: this.#folder, isConversationKept: isKept });
      if (ending !== undefined)
        await writeEnding(
          { ...this.#parts, claim: this.#claim, startMs: this.#programs.startMs, stopping: this.#stopping },
          ending,
        );
      return ending?.state;
    } finally {
      stopWatching();
      this.#stopping.removeEventListener('abort', onStopping);
    }
  }

  #giveUp(stop: Stop): void {
    this.#control.abort(new RunStopped(stop));
  }

  /** Whatever the ending is: what a failed run left may say why. A run that is BLOCKED still works on them. */
  async #addArtifacts(ending: RunEnding | undefined): Promise<RunEnding | undefined> {
    if (ending === undefined || ending.state === 'BLOCKED' || ending.state === 'QUEUED') return ending;
    try {
      const { dataDir } = this.#parts;
      const taking = takeArtifacts(this.#folder, { dataDir, runId: this.#run.runId, patch: this.#patch });
      const { artifacts, leftOut } = await this.#within('its artifacts', taking, { artifacts: [], leftOut: undefined });
      if (leftOut !== undefined) await this.#events.writeWarning(this.#redactor.redact(leftOut));
      return { ...ending, artifacts: [...this.#published, ...redactValue(artifacts, this.#redactor.redact)] };
    } catch (error) {
      this.#parts.log('warn', 'could not keep the artifacts of a run', {
        run: this.#run.runId,
        error: describeError(error),
      });
      await this.#events.writeWarning('could not keep the artifacts of the run').catch(() => {});
      return { ...ending, artifacts: this.#published };
    }
  }

  /** Works, and turns whatever comes of it into an ending; undefined when the run is no longer ours to end. */
  async #findEnding(): Promise<RunEnding | undefined> {
    try {
      const ending = await this.#work();
      await this.#events.finish();
      return ending;
    } catch (error) {
      await this.#events.finish().catch(() => {});
      if (error instanceof ContainerFault) return endWithCode('resource_unavailable', error.message);
      if (error instanceof RunFailure || error instanceof HarnessRefusal) return endWithCode(error.code, error.message);
      return endByStop(readStop(error), { runId: this.#run.runId, log: this.#parts.log, hasBegun: this.#hasBegun });
    }
  }

  async #work(): Promise<RunEnding | undefined> {
    const { harnesses } = this.#parts;
    const { config } = this.#run;
    const { signal } = this.#control;
    const folder = this.#folder;
    const harness = harnesses.get(config.harness?.type);
    if (harness === undefined)
      throw new RunFailure(
        'operation_not_supported',
        `this server has no harness ${JSON.stringify(config.harness?.type ?? 'oz')}`,
      );
    const programs = this.#programs;
    const execute: GitParts['execute'] = (...command) => programs.executeFully(...command);
    const { environment, clones, skill, skillDir, skills, env, passedOn, searchPath, image } = await setUpRun({
      ...this.#parts,
      run: this.#run,
      asksModel: harness.asksModel === true,
      folder,
      events: this.#events,
      signal,
      execute,
      prepareImage: wanted => programs.prepareImage(wanted),
      executeContained: wanted => (command, onOutput) =>
        programs.executeFully(command, onOutput, placeContainer(wanted, folder, { isAgent: false })),
      describeSkill: found => this.#describeSkill(found),
      onSetupEnd: end => programs.tellLeftovers(end, 'the setup command'),
    });
    this.#isContained = image !== undefined;
    const conversation = this.#conversation;
    const variables = createRunVariables(this.#run, folder, { skillDir, canAsk: conversation.canGoOn });
    const git = { folder, searchPath, execute };
    // An agent may have put into its clone's settings what git executes. On this machine that would lead out of the container, so that
    // there the git of the image is used.
    const container = image === undefined ? undefined : placeContainer(image, folder, { isAgent: true });
    const adapt = (command: ExecutorCommand) => (container === undefined ? command : withoutPath(command));
    const changed: GitParts = {
      ...git,
      execute: (command, onOutput) => programs.executeFully(adapt(command), onOutput, container),
    };
    const { own, first } = await conversation.begin(clones, () =>
      takeBaselines(changed, this.#run.runId, { clones, image }),
    );
    const sinceMs = await markBeginning(folder);
    const workspace = this.#parts.workingFolder ?? folder.workspace;
    const known = { run: this.#run, harness, folder, workspace, skill, skills };
    for (const name of findDisabled(config))
      await this.#events.writeSystem(`the MCP server ${name} was not started, because its entry disables it`);
    const ending = await carryOutTask({
      harness,
      task: createRunTask({ ...known, searchPath, image, variables: passedOn }),
      schema: config.output_schema,
      events: this.#events,
      clock: this.#parts.clock,
      execute: async ({ argv, env: own, stdin, redactor = noSecrets, readable }, onOutput, onStarted) => {
        this.#redactor = redactor;
        const command = { argv, cwd: workspace, env: { ...env, ...own, ...variables }, stdin };
        const place = image === undefined ? undefined : placeContainer(image, folder, { isAgent: true, readable });
        return await programs.execute(command, onOutput, { container: place, onStarted });
      },
      onStarted: () => {
        this.#hasBegun = true;
      },
      onSession: sessionId => conversation.noteSession(sessionId),
      onLimit: failure => this.#giveUp({ kind: 'limit', failure }),
      conclude: (prepared, end) => this.#conclude(prepared, end),
    });
    if (ending?.state === 'BLOCKED') {
      await conversation.noteBlocked(this.#events.usage);
      return ending;
    }
    const lateness = findLateness(ending, signal.aborted ? programs.findStop() : undefined);
    if (lateness === 'none') return ending;
    const leftBehind = { baselines: own, sinceMs, redact: this.#redactor.redact, events: this.#events };
    await this.#within('what lies outside of its repositories', tellLeftBehind(folder, leftBehind), undefined);
    const parts = {
      ...this.#parts,
      ...git,
      run: this.#run,
      signal,
      tell: (text: string) => this.#events.writeSystem(this.#redactor.redact(text)),
      warn: (text: string) => this.#events.writeWarning(this.#redactor.redact(text)),
      onArtifact: (artifact: ArtifactDraft) => void this.#published.push(artifact),
    };
    const { slowMs, patchMs, publishMs } = this.#after;
    const isPublished = lateness === undefined && environment !== undefined && environment.publish !== 'none';
    const inTime = programs.executeWithin(patchMs, { lateness, container });
    const late: GitParts = { ...git, execute: (command, onOutput) => inTime(adapt(command), onOutput) };
    const openFile = async () => (this.#patchFile = await openPatchFile(folder.root));
    const keeping = keepChanges(late, { own, first, isPublished, openFile }, parts);
    const found = this.#within('what it changed', keeping, keptNothing('the changes of the workspace are not known'));
    const kept = await tellIfSlow(found, { ...parts, slowMs });
    this.#patch = kept.own;
    if (lateness !== undefined) return ending;
    const published = { environment, clones, changes: kept.published, hasSurvivors: programs.hasSurvivors };
    const host = { git: this.#parts.git, execute: programs.executeWithin(publishMs) };
    return await publishSuccess(ending, published, { ...parts, ...host });
  }

  /** Whoever waits for the end of the run waits for none of the steps before it for ever, whatever the agent left there. */
  async #within<T>(what: string, work: Promise<T>, instead: T): Promise<T> {
    const { patchMs: ms, spareMs } = this.#after;
    const bounds = { clock: this.#parts.clock, ms: ms + spareMs, spareMs, signal: this.#control.signal };
    const done = await waitWithin(work, bounds);
    if (done !== undefined) return done.made;
    this.#parts.log('error', 'a step after the agent does not end', { run: this.#run.runId, what });
    await this.#events.writeWarning(`${what} could not be found in time`);
    return instead;
  }

  async #describeSkill({ name, description, repository, path }: FoundSkill): Promise<void> {
    const skill = { name, ...(description === '' ? {} : { description }), full_path: path };
    const isOurs = await this.#parts.store.describeSkill(this.#claim, skill, `${repository}:${path}`);
    if (!isOurs) throw new RunStopped({ kind: 'lost' });
  }

  async #conclude(prepared: PreparedCommand, end: ExecutorEnd): Promise<RunEnding | undefined> {
    if (end.kind === 'not_started') throw new RunFailure('environment_setup_failed', end.message);
    await this.#programs.tellLeftovers(end, 'the agent');
    const file = await readResultFile(this.#folder.resultFile, this.#redactor);
    const ending = await this.#judge(prepared, end, file?.text);
    return ending && noteCut(ending, [file, this.#events.stdout]);
  }

  async #judge(
    prepared: PreparedCommand,
    end: Extract<ExecutorEnd, { kind: 'ended' }>,
    resultText: string | undefined,
  ): Promise<RunEnding | undefined> {
    if (end.stopped === 'time_limit') return endWithCode('time_limit', this.#programs.describeTimeLimit(), resultText);
    if (end.stopped === 'signal')
      return endByStop(this.#programs.findStop(), {
        runId: this.#run.runId,
        log: this.#parts.log,
        resultText,
        hasBegun: this.#hasBegun,
      });
    const { exitCode, signal } = end;
    const { stdoutText, outputTail } = this.#events;
    const outcome = await prepared.conclude({ exitCode, signal, stdoutText, outputTail, resultText });
    const question = await this.#conversation.readQuestion(outcome, prepared.redactor);
    if (question !== undefined) return { state: 'BLOCKED', statusMessage: { message: question } };
    const why = this.#isContained ? '' : explainCrash({ exitCode, signal }, this.#parts.limits);
    if (outcome.state === 'FAILED') return endWithCode(outcome.code, `${outcome.message}${why}`, outcome.resultText);
    return { state: 'SUCCEEDED', resultText: outcome.resultText };
  }
}
