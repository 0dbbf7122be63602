import type { Redactor } from '../../border/secrets.ts';
import type { PatchFile } from '../changes/patch-file.ts';
import type { Patch } from '../changes/workspace-changes.ts';
import { EventWriter } from '../output/event-writer.ts';
import { RunStopped, readStop, type Stop } from '../run-failure.ts';
import type { ArtifactDraft, Claim, StoredRun } from '../store/store.ts';
import { locateRunFolder, type RunFolder } from '../workspace/run-folder.ts';
import { Conversation } from './run-conversation.ts';
import { RunPrograms } from './run-programs.ts';
import type { AfterLimits, WorkerParts } from './worker.ts';

export interface RunParts extends WorkerParts {
  readonly removeUnknownFolders: () => Promise<unknown>;
}

/** State that the stages of one run share. Each stage is a function of it. */
export interface RunContext extends RunParts {
  readonly run: StoredRun;
  readonly claim: Claim;
  readonly folder: RunFolder;
  readonly events: EventWriter;
  readonly programs: RunPrograms;
  readonly conversation: Conversation;
  readonly after: Required<AfterLimits>;
  /** Aborted with a RunStopped when the run must be given up. */
  readonly signal: AbortSignal;
  /** The first reason wins. */
  readonly giveUp: (stop: Stop) => void;
  readonly stopping: AbortSignal;
  readonly progress: RunProgress;
}

/** Facts that the end of a run needs from its stages, even if one of them failed. */
export interface RunProgress {
  /**
   * Whether the agent has had a process. From then on the run must not be put back, because agents have side effects.
   */
  hasBegun: boolean;
  /** Redacts what the agent was given, which its files may name. Undefined until an agent starts. */
  redactor: Redactor | undefined;
  readonly published: ArtifactDraft[];
  patches: readonly Patch[];
  patchFile: PatchFile | undefined;
}

/** Limits for the steps after the agent. They do not depend on the rest of the run's own time. */
const usualAfter = { slowMs: 5_000, patchMs: 2 * 60_000, publishMs: 5 * 60_000, spareMs: 30_000 };

export function createRunContext(parts: RunParts, run: StoredRun, stopping: AbortSignal): RunContext {
  const claim = { runId: run.runId, attempt: run.attempt };
  const folder = locateRunFolder(parts.dataDir, run.conversationId, parts.workspace);
  const control = new AbortController();
  const giveUp = (stop: Stop) => control.abort(new RunStopped(stop));
  const events = new EventWriter({
    append: async drafts => {
      if (!(await parts.store.appendEvents(claim, drafts))) throw new RunStopped({ kind: 'lost' });
    },
    clock: parts.clock,
    logBytes: parts.limits.log_bytes,
    usage: run.continuation?.own?.usage,
    onFailure: error => giveUp(readStop(error)),
  });
  const common = { ...parts, run, claim, folder, events, signal: control.signal, stopping };
  return {
    ...common,
    programs: new RunPrograms(common),
    conversation: new Conversation(common),
    after: { ...usualAfter, ...parts.afterLimits },
    giveUp,
    progress: { hasBegun: false, redactor: undefined, published: [], patches: [], patchFile: undefined },
  };
}
