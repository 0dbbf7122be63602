/**
 * Keeps what a conversation needs to continue: the session of its agent, and the state of its workspace. It is stored
 * as soon as the agent prints its session, so it survives a killed server.
 */
import { headOfUtf8 } from '../../base/text.ts';
import type { Redactor } from '../../border/secrets.ts';
import { sizes } from '../../contract/tables/sizes.ts';
import type { Limits } from '../config/config-schema.ts';
import type { HarnessOutcome } from '../harness/harness.ts';
import type { HarnessSet } from '../harness/harness-set.ts';
import { readResultFile } from '../output/result-file.ts';
import { RunStopped } from '../run-failure.ts';
import type { Continuation, KeptBaseline } from '../store/continuation.ts';
import type { Claim, RunStore, StoredRun } from '../store/store.ts';
import { type Clone, keepClone } from '../workspace/environment-clone.ts';
import { markAsConversation, type RunFolder } from '../workspace/run-folder.ts';

interface ConversationParts {
  readonly store: RunStore;
  readonly harnesses: HarnessSet;
  readonly limits: Pick<Limits, 'keep_conversation_minutes'>;
  readonly run: StoredRun;
  readonly claim: Claim;
  readonly folder: RunFolder;
}

export interface Baselines {
  /** Before this run began. */
  readonly own: readonly KeptBaseline[];
  /** Before the first run of the conversation began. */
  readonly first: readonly KeptBaseline[];
}

export class Conversation {
  readonly #parts: ConversationParts;
  #baselines: Baselines = { own: [], first: [] };
  #continuation: Continuation | undefined;
  #clones: readonly Clone[] = [];

  constructor(parts: ConversationParts) {
    this.#parts = parts;
    this.#continuation = parts.run.continuation;
  }

  /** Whether a later run, or an answer, could continue it. */
  get canGoOn(): boolean {
    const { limits, harnesses, run } = this.#parts;
    return limits.keep_conversation_minutes > 0 && harnesses.canResume(run.config.harness?.type);
  }

  /** Whether its folder stays after the run. */
  get isKept(): boolean {
    return this.#continuation !== undefined && this.canGoOn;
  }

  /** Snapshots the workspace as it is now. */
  async begin(clones: readonly Clone[], take: () => Promise<readonly KeptBaseline[]>): Promise<Baselines> {
    this.#clones = clones;
    const { continuation } = this.#parts.run;
    const own = continuation?.own?.baselines ?? (await take());
    this.#baselines = { own, first: continuation?.baselines ?? own };
    return this.#baselines;
  }

  /** Throws RunStopped if another worker owns the run now. */
  async noteSession(sessionId: string): Promise<void> {
    if (this.canGoOn) await markAsConversation(this.#parts.folder);
    await this.#note({ sessionId, clones: this.#clones.map(keepClone), baselines: this.#baselines.first });
  }

  /**
   * Blocks the run. It continues later, compared with its workspace as of its beginning. Throws RunStopped if another
   * worker owns the run now.
   */
  async noteBlocked(usage: Readonly<Record<string, unknown>>): Promise<void> {
    if (this.#continuation !== undefined)
      await this.#note({ ...this.#continuation, own: { baselines: this.#baselines.own, usage } });
  }

  /** The agent's question, redacted. Undefined if it asks nothing, failed, or could not continue with an answer. */
  async readQuestion(outcome: HarnessOutcome, redactor: Redactor | undefined): Promise<string | undefined> {
    const hasEndedWell = outcome.state === 'SUCCEEDED' || outcome.code === 'no_result';
    if (!hasEndedWell || !this.isKept) return undefined;
    const question = await readResultFile(this.#parts.folder.questionFile, redactor);
    return question === undefined ? undefined : headOfUtf8(question.text.trim(), sizes.questionBytes);
  }

  async #note(continuation: Continuation): Promise<void> {
    this.#continuation = continuation;
    if (!(await this.#parts.store.noteContinuation(this.#parts.claim, continuation)))
      throw new RunStopped({ kind: 'lost' });
  }
}
