import { readFileSync } from 'node:fs';
import { expect } from 'vitest';
import type { AgentConfig } from '../../../src/contract/config.ts';
import type { AgentSpec } from '../../../src/server/harness/agents/adapter.ts';
import type { StoredRun } from '../../../src/server/store/store.ts';
import { locateArtifact } from '../../../src/server/worker/artifact-files.ts';
import { createFakeAgent, settings } from '../harness/agents/fake-agent.ts';
import { type Bench, type Ended, openBench } from './worker-fixture.ts';

/** A line of the fake agent. */
export const say = (event: object) => `printf '%s\\n' '${JSON.stringify(event)}'`;
export const session = say({ session: 's1' });
export const done = say({ done: 'done' });
export const ask = (question: string) => `printf '%s' '${question}' > "$AGENT_RUN_QUESTION"`;
export const creator = { uid: 'env', displayName: 'environment' };

/** Conversations with the fake agent, whose prompts are shell code. */
export interface Talk extends Bench {
  readonly launched: readonly AgentSpec[];
  /** Carries out a run that continues the conversation of another. */
  continueRun(before: StoredRun, prompt: string, config?: AgentConfig): Promise<Ended>;
  /** Answers a BLOCKED run and carries it on. */
  answer(blocked: StoredRun, message: string): Promise<Ended>;
}

export async function openTalk(options: Parameters<typeof openBench>[0] = {}): Promise<Talk> {
  const launched: AgentSpec[] = [];
  const bench = await openBench({
    ...options,
    limits: { keep_conversation_minutes: 10, ...options.limits },
    harnesses: { default: 'fake', agents: { fake: { kind: 'fake', ...settings } } },
    adapters: { fake: createFakeAgent(launched) },
  });
  const { store, worker } = bench;
  const carryOn = async (): Promise<Ended> => {
    const claimed = await store.claimRun();
    if (claimed === undefined) throw new Error('nothing to claim');
    await worker.run(claimed);
    return await bench.look(claimed.runId);
  };
  return {
    ...bench,
    launched,
    async continueRun(before, prompt, config = before.config) {
      const newest = await store.findNewest(before.conversationId);
      if (newest?.continuation === undefined) throw new Error('there is nothing to go on with');
      const conversation = { id: before.conversationId, continuation: newest.continuation };
      await store.createRun({ title: 'a run', prompt, config, source: 'API', creator, conversation });
      return await carryOn();
    },
    async answer({ runId }, message) {
      expect(await store.sendFollowup(runId, { message, creatorUid: 'env' })).toBe('sent');
      return await carryOn();
    },
  };
}

/** The patch of a run. Undefined if it has none. */
export const patchOf = ({ dataDir }: Bench, { run }: Ended): string | undefined => {
  const uid = run.artifacts.find(({ data }) => data.filename === 'changes.patch')?.data.artifact_uid;
  return typeof uid === 'string' ? readFileSync(locateArtifact(dataDir, run.runId, uid), 'utf8') : undefined;
};
