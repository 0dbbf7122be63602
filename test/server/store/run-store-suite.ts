import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { EventDraft } from '../../../src/contract/events.ts';
import { runOrders } from '../../../src/contract/list-query.ts';
import { wholeText } from '../../../src/contract/tables/run-text.ts';
import { sizes } from '../../../src/contract/tables/sizes.ts';
import {
  BadCursorError,
  type NewRun,
  type RunFilter,
  type RunStore,
  type StoredRun,
} from '../../../src/server/store/store.ts';
import type { createHandClock } from '../../support/hand-clock.ts';

interface Opened {
  readonly store: RunStore;
  readonly clock: ReturnType<typeof createHandClock>;
  /** Closes the store and reopens its data, like a restart. A store in memory returns itself. */
  reopen(): Promise<RunStore>;
}

const creator = { uid: 'key-1', displayName: 'first key' };
const newRun: NewRun = {
  title: 'A title',
  prompt: 'A prompt',
  config: { name: 'nightly', model_id: 'm-1' },
  source: 'API',
  creator,
};
const filter: RunFilter = { limit: 20, sort_by: 'updated_at', sort_order: 'desc' };
const line = (text: string): EventDraft => ({ type: 'log', data: { stream: 'stdout', text } });

/** Tests for every store. */
export function describeRunStore(name: string, open: () => Promise<Opened>): void {
  const create = async (store: RunStore, more: Partial<NewRun> = {}): Promise<StoredRun> => {
    const outcome = await store.createRun({ ...newRun, ...more });
    if (outcome.kind !== 'created' && outcome.kind !== 'replayed') throw new Error(`unexpected ${outcome.kind}`);
    return outcome.run;
  };
  const claim = async (store: RunStore): Promise<StoredRun> => {
    const run = await store.claimRun();
    if (run === undefined) throw new Error('nothing to claim');
    return run;
  };
  const openClaimed = async () => {
    const opened = await open();
    await create(opened.store);
    return { ...opened, run: await claim(opened.store) };
  };
  const statesOf = async (store: RunStore, runId: string) =>
    (await store.readEvents(runId, 0, 1000)).flatMap(event => (event.type === 'state' ? [event.data.state] : []));

  describe(`${name}: life of a run`, () => {
    test('a new run is QUEUED, at attempt 0, with its state as event 1', async () => {
      const { store, clock } = await open();
      const run = await create(store);
      expect(run).toMatchObject({
        state: 'QUEUED',
        attempt: 0,
        title: 'A title',
        prompt: 'A prompt',
        createdAt: clock.now(),
        lastSeq: 1,
      });
      expect(await store.readRun(run.runId)).toEqual(run);
      expect(await store.readEvents(run.runId, 0, 10)).toMatchObject([
        { seq: 1, type: 'state', data: { state: 'QUEUED' } },
      ]);
    });

    test('concurrent claims get runs oldest first, each once', async () => {
      const { store, clock } = await open();
      const created: string[] = [];
      for (let index = 0; index < 5; index += 1) {
        created.push((await create(store)).runId);
        clock.advance(1);
      }
      const claims = await Promise.all(Array.from({ length: 8 }, () => store.claimRun()));
      expect(claims.map(run => run?.runId)).toEqual([...created, undefined, undefined, undefined]);
      expect(claims[0]).toMatchObject({ state: 'INPROGRESS', attempt: 1, startedAt: clock.now() });
    });

    test('an ended run keeps its state, message and result, and no later write changes it', async () => {
      const { store, clock, run } = await openClaimed();
      clock.advance(1500);
      expect(await store.finishRun(run, { state: 'SUCCEEDED', result: wholeText('all good') })).toBe(true);
      const ended = await store.readRun(run.runId);
      expect(ended).toMatchObject({
        state: 'SUCCEEDED',
        result: { text: 'all good', truncated: false },
        finishedAt: clock.now(),
      });
      expect(await store.finishRun(run, { state: 'FAILED', result: wholeText('late') })).toBe(false);
      expect(await store.appendEvents(run, [line('late')])).toBe(false);
      expect(await store.describeSkill(run, { name: 'late' })).toBe(false);
      expect(await store.requestCancel(run.runId, 'late')).toBe('over');
      expect(await store.renewLease(run.runId, 60)).toBeUndefined();
      expect(await store.readRun(run.runId)).toEqual(ended);
      expect(await statesOf(store, run.runId)).toEqual(['QUEUED', 'INPROGRESS', 'SUCCEEDED']);
    });

    test('MCP keys are removed at any end, and a repeated request is still recognized', async () => {
      const { store, reopen } = await open();
      const mcp_servers = {
        web: { url: 'https://mcp.example.com/?key=secret-1&page=2', headers: { Authorization: 'Bearer secret-2' } },
        notes: { command: 'notes', args: ['--fast'], env: { NOTES_TOKEN: 'secret-3' } },
      };
      const config = { name: 'nightly', mcp_servers };
      const idempotency = { key: 'once', bodyHash: 'hash' };
      await create(store, { config, idempotency });
      const first = await claim(store);
      expect(first.config).toEqual(config);
      await store.finishRun(first, { state: 'SUCCEEDED', result: wholeText('x') });
      const redacted = {
        name: 'nightly',
        mcp_servers: {
          web: { url: 'https://mcp.example.com/?key=***&page=***', headers: { Authorization: '***' } },
          notes: { command: 'notes', args: ['--fast'], env: { NOTES_TOKEN: '***' } },
        },
      };
      const configOf = async (from: RunStore, runId: string) => (await from.readRun(runId))?.config;
      expect(await configOf(store, first.runId)).toEqual(redacted);
      expect(await store.createRun({ ...newRun, config, idempotency })).toMatchObject({
        kind: 'replayed',
        run: { runId: first.runId },
      });
      await store.requestCancel((await create(store, { config })).runId, 'enough');
      await create(store, { config });
      await claim(store);
      const again = await reopen();
      await again.endOrphans('the server was restarted');
      const { runs } = await again.listRuns(filter);
      expect(runs.map(run => run.state).toSorted()).toEqual(['CANCELLED', 'ERROR', 'SUCCEEDED']);
      for (const run of runs) expect(run.config).toEqual(redacted);
    });

    test("the last run of a skill is found by the skill's place, ignoring case", async () => {
      const { store, clock } = await open();
      const begin = async (skillId: string) => {
        await create(store);
        clock.advance(10);
        const run = await claim(store);
        await store.describeSkill(run, { name: 'review' }, skillId);
        return run.startedAt;
      };
      const [shop, tools] = ['octo-org/shop:skills/review/SKILL.md', 'octo-org/tools:skills/review/SKILL.md'];
      const first = await begin(tools);
      await begin(shop);
      const second = await begin('Octo-Org/Shop:skills/review/SKILL.md');
      const found = await store.findLastRuns([shop, tools, 'octo-org/shop:skills/other/SKILL.md']);
      expect(found).toEqual(
        new Map([
          [shop, second],
          [tools, first],
        ]),
      );
    });

    test('an outdated claim cannot write', async () => {
      const { store, run } = await openClaimed();
      const stale = { runId: run.runId, attempt: run.attempt - 1 };
      expect(await store.appendEvents(stale, [line('x')])).toBe(false);
      expect(await store.finishRun(stale, { state: 'SUCCEEDED' })).toBe(false);
      expect(await store.describeSkill(stale, { name: 'x' })).toBe(false);
      expect((await store.readRun(run.runId))?.state).toBe('INPROGRESS');
    });

    test('an unclaimed run cannot end, and a canceled run cannot be claimed', async () => {
      const { store } = await open();
      const queued = await create(store);
      expect(
        await store.finishRun({ runId: queued.runId, attempt: 0 }, { state: 'SUCCEEDED', result: wholeText('x') }),
      ).toBe(false);
      expect(await store.readRun(queued.runId)).toEqual(queued);
      await store.requestCancel(queued.runId, 'enough');
      expect(await store.finishRun({ runId: queued.runId, attempt: 0 }, { state: 'SUCCEEDED' })).toBe(false);
      expect(await statesOf(store, queued.runId)).toEqual(['QUEUED', 'CANCELLED']);
    });

    test('a result above the inline size is cut in the run and whole when read', async () => {
      const { store, run } = await openClaimed();
      const text = 'ä'.repeat(sizes.resultInlineBytes);
      await store.finishRun(run, { state: 'SUCCEEDED', result: wholeText(text) });
      const ended = await store.readRun(run.runId);
      expect(ended?.result?.truncated).toBe(true);
      expect(Buffer.byteLength(ended?.result?.text ?? '')).toBe(sizes.resultInlineBytes);
      expect(await store.readResult(run.runId)).toBe(text);
      expect(ended?.result).not.toHaveProperty('left_out_bytes');
    });

    const keep = async (given: string, leftOutBytes = 0) => {
      const { store, run } = await openClaimed();
      await store.finishRun(run, { state: 'SUCCEEDED', result: { text: given, leftOutBytes } });
      const { left_out_bytes: leftOut } = (await store.readRun(run.runId))?.result ?? {};
      return { leftOut, text: (await store.readResult(run.runId)) ?? '' };
    };

    test('a result that is too long keeps its end and counts the omitted bytes', async () => {
      const { leftOut, text } = await keep(`${'x'.repeat(1000)}${'ä'.repeat(sizes.resultBytes / 2)}`);
      expect(leftOut).toBe(1000);
      expect(text).toBe('ä'.repeat(sizes.resultBytes / 2));
    });

    test('bytes omitted earlier are counted, even if the result is cut again', async () => {
      expect(await keep('its end', 7000)).toEqual({ leftOut: 7000, text: 'its end' });
      const again = await keep('x'.repeat(sizes.resultBytes + 500), 7000);
      expect([again.leftOut, again.text.length]).toEqual([7500, sizes.resultBytes]);
    });
  });

  describe(`${name}: events`, () => {
    test('concurrent writers number events without gaps', async () => {
      const { store, run } = await openClaimed();
      await Promise.all(
        Array.from({ length: 40 }, (_, index) => store.appendEvents(run, [line(`${index}a`), line(`${index}b`)])),
      );
      const events = await store.readEvents(run.runId, 0, 1000);
      expect(events.map(event => event.seq)).toEqual(Array.from({ length: 82 }, (_, index) => index + 1));
      expect((await store.readRun(run.runId))?.lastSeq).toBe(82);
      expect((await store.readEvents(run.runId, 80, 1)).map(event => event.seq)).toEqual([81]);
    });

    test('usage has the latest value of each usage member', async () => {
      const { store, run } = await openClaimed();
      expect(await store.readUsage(run.runId)).toBeUndefined();
      const usage = (data: Readonly<Record<string, unknown>>) => ({ type: 'usage', data }) as const;
      await store.appendEvents(run, [usage({ input_tokens: 10, output_tokens: 1 }), line('input_tokens 99')]);
      await store.appendEvents(run, [usage({ output_tokens: 7, by_model: { m: 1 } })]);
      expect(await store.readUsage(run.runId)).toEqual({ input_tokens: 10, output_tokens: 7 });
      expect(await store.readUsage('none')).toBeUndefined();
    });

    test('events move updated_at at most once a second and never the version', async () => {
      const { store, clock, run } = await openClaimed();
      clock.advance(999);
      await store.appendEvents(run, [line('early')]);
      expect(await store.readRun(run.runId)).toMatchObject({ updatedAt: run.updatedAt, version: run.version });
      clock.advance(1);
      await store.appendEvents(run, [line('later')]);
      expect(await store.readRun(run.runId)).toMatchObject({ updatedAt: clock.now(), version: run.version });
    });

    test('a listener hears of a run after the change can be read', async () => {
      const { store } = await open();
      const seen: Promise<string | undefined>[] = [];
      const stop = store.onChange(runId => seen.push(store.readRun(runId).then(run => run?.state)));
      const { runId } = await create(store);
      await store.requestCancel(runId, 'no more');
      expect(await Promise.all(seen)).toEqual(['QUEUED', 'CANCELLED']);
      stop();
      await create(store);
      expect(seen).toHaveLength(2);
    });
  });

  describe(`${name}: idempotency`, () => {
    test('the same key and body give the same run, at once and after its end', async () => {
      const { store } = await open();
      const run = { ...newRun, idempotency: { key: 'k', bodyHash: 'h' } };
      const [first, second] = await Promise.all([store.createRun(run), store.createRun(run)]);
      expect([first.kind, second.kind]).toEqual(['created', 'replayed']);
      await store.finishRun(await claim(store), { state: 'SUCCEEDED' });
      expect(await store.createRun(run)).toMatchObject({ kind: 'replayed', run: { state: 'SUCCEEDED' } });
      expect((await store.listRuns(filter)).runs).toHaveLength(1);
    });

    test('a key with another body conflicts, and each caller has its own keys', async () => {
      const { store } = await open();
      const first = await create(store, { idempotency: { key: 'k', bodyHash: 'h' } });
      expect(await store.createRun({ ...newRun, idempotency: { key: 'k', bodyHash: 'other' } })).toEqual({
        kind: 'key_conflict',
        runId: first.runId,
      });
      const other = await create(store, {
        creator: { uid: 'key-2', displayName: 'x' },
        idempotency: { key: 'k', bodyHash: 'h' },
      });
      expect(other.runId).not.toBe(first.runId);
    });
  });

  describe(`${name}: conversations`, () => {
    const continuation = { sessionId: 's1', clones: [], baselines: [] };
    const block = async (store: RunStore): Promise<StoredRun> => {
      const run = await claim(store);
      await store.finishRun(run, { state: 'BLOCKED', statusMessage: { message: 'Which?' } });
      return run;
    };

    test('a run begins a conversation, and the next inherits its id and continuation', async () => {
      const { store, clock } = await open();
      const first = await create(store);
      expect([first.conversationId, first.continuation]).toEqual([first.runId, undefined]);
      const conversation = { id: first.runId, continuation: { ...continuation, own: { baselines: [], usage: {} } } };
      expect(await store.createRun({ ...newRun, conversation })).toMatchObject({
        kind: 'conversation_busy',
        run: { runId: first.runId },
      });
      await store.finishRun(await claim(store), { state: 'SUCCEEDED' });
      clock.advance(1);
      const [one, two] = await Promise.all([
        store.createRun({ ...newRun, conversation }),
        store.createRun({ ...newRun, conversation }),
      ]);
      expect([one.kind, two.kind]).toEqual(['created', 'conversation_busy']);
      const second = await store.findNewest(first.runId);
      // The data of a BLOCKED run is not inherited.
      expect(second).toMatchObject({ conversationId: first.runId, continuation, state: 'QUEUED' });
      expect(second?.continuation?.own).toBeUndefined();
      expect(await store.findNewest('0192f000-0000-7000-8000-000000000000')).toBeUndefined();
    });

    test('only the current claim stores a continuation, without a new version', async () => {
      const { store } = await open();
      const { runId, version } = await create(store).then(() => claim(store));
      expect(await store.noteContinuation({ runId, attempt: 0 }, continuation)).toBe(false);
      expect(await store.noteContinuation({ runId, attempt: 1 }, continuation)).toBe(true);
      expect(await store.readRun(runId)).toMatchObject({ continuation, version });
      await store.finishRun({ runId, attempt: 1 }, { state: 'SUCCEEDED' });
      expect(await store.noteContinuation({ runId, attempt: 1 }, { ...continuation, sessionId: 's2' })).toBe(false);
    });

    test('a session finds its newest run, and an unknown session none', async () => {
      const { store, clock } = await open();
      const first = await create(store).then(() => claim(store));
      expect(await store.findSession('s1')).toBeUndefined();
      await store.noteContinuation(first, continuation);
      expect(await store.findSession('s1')).toMatchObject({ runId: first.runId });
      await store.finishRun(first, { state: 'SUCCEEDED' });
      clock.advance(1);
      await store.createRun({ ...newRun, conversation: { id: first.runId, continuation } });
      expect(await store.findSession('s1')).toMatchObject({ conversationId: first.runId, state: 'QUEUED' });
      for (const session of ['s2', '', '%', "' or 1 = 1 --"]) expect(await store.findSession(session)).toBeUndefined();
    });

    test('a run that was put back is claimed again, and one in progress takes no follow-up', async () => {
      const { store } = await open();
      await create(store);
      const claimed = await claim(store);
      const message = 'short of open files';
      expect(await store.sendFollowup(claimed.runId, { message: 'x', creatorUid: 'key-1' })).toBe('not_blocked');
      expect(await store.finishRun(claimed, { state: 'QUEUED', statusMessage: { message }, workedMs: 5 })).toBe(true);
      expect(await store.readRun(claimed.runId)).toMatchObject({ state: 'QUEUED', statusMessage: { message } });
      expect(await store.appendEvents(claimed, [])).toBe(false);
      expect(await claim(store)).toMatchObject({ runId: claimed.runId, attempt: 2, statusMessage: undefined });
    });

    test('a follow-up queues a BLOCKED run once with its message', async () => {
      const { store, clock } = await open();
      await create(store);
      const { runId, startedAt } = await block(store);
      expect(await store.readRun(runId)).toMatchObject({ state: 'BLOCKED', finishedAt: undefined });
      clock.advance(1000);
      const told = { message: 'The blue one.', creatorUid: 'key-1', idempotency: { key: 'k', bodyHash: 'h' } };
      expect(await store.sendFollowup(runId, told)).toBe('sent');
      expect(await store.sendFollowup(runId, told)).toBe('replayed');
      const other = { ...told, idempotency: { key: 'k', bodyHash: 'other' } };
      expect(await store.sendFollowup(runId, other)).toBe('key_conflict');
      expect(await store.sendFollowup(runId, { ...told, idempotency: undefined })).toBe('not_blocked');
      expect(await store.sendFollowup(runId, { ...other, creatorUid: 'key-2' })).toBe('not_blocked');
      expect(await store.readRun(runId)).toMatchObject({ state: 'QUEUED', statusMessage: undefined });
      const again = await claim(store);
      expect(again).toMatchObject({ runId, attempt: 2, followup: 'The blue one.', startedAt });
      await store.finishRun(again, { state: 'SUCCEEDED', result: wholeText('Blue.') });
      expect(await store.sendFollowup(runId, told)).toBe('replayed');
      const events = (await store.readEvents(runId, 0, 100)).map(({ type, data }) => [type, data]);
      expect(events.slice(2, 5)).toEqual([
        ['state', { state: 'BLOCKED', message: 'Which?' }],
        ['message', { role: 'user', text: 'The blue one.' }],
        ['state', { state: 'QUEUED' }],
      ]);
    });

    test('a BLOCKED run is canceled by request or expired lease, not by a restart', async () => {
      const { store, clock, reopen } = await open();
      const one = await create(store).then(() => block(store));
      expect(await store.requestCancel(one.runId, 'no answer')).toBe('cancelled');
      const two = await create(store, { leaseSeconds: 60 }).then(() => block(store));
      const three = await create(store).then(() => block(store));
      const again = await reopen();
      expect(await again.endOrphans('stopped')).toEqual([]);
      clock.advance(60_001);
      expect(await again.cancelLapsedLeases()).toEqual([two.runId]);
      expect((await again.readRun(two.runId))?.state).toBe('CANCELLED');
      expect((await again.readRun(three.runId))?.state).toBe('BLOCKED');
    });

    test('a run with a cancel request ends CANCELLED instead of BLOCKED', async () => {
      const { store, run } = await openClaimed();
      await store.requestCancel(run.runId, 'enough');
      await store.finishRun(run, { state: 'BLOCKED', statusMessage: { message: 'Which?' } });
      expect(await store.readRun(run.runId)).toMatchObject({
        state: 'CANCELLED',
        statusMessage: { message: 'enough' },
      });
    });
  });

  describe(`${name}: cancel and lease`, () => {
    test('a queued run is canceled at once and cannot be claimed', async () => {
      const { store } = await open();
      const { runId } = await create(store);
      expect(await store.requestCancel(runId, 'not needed')).toBe('cancelled');
      expect(await store.readRun(runId)).toMatchObject({
        state: 'CANCELLED',
        statusMessage: { message: 'not needed' },
      });
      expect(await store.claimRun()).toBeUndefined();
    });

    test('a run in progress gets a cancel request and ends CANCELLED with the first reason', async () => {
      const { store, run } = await openClaimed();
      expect(await store.requestCancel(run.runId, 'first')).toBe('requested');
      const asked = await store.readRun(run.runId);
      expect(asked).toMatchObject({ state: 'INPROGRESS', cancelReason: 'first', version: run.version + 1 });
      expect(await store.requestCancel(run.runId, 'second')).toBe('requested');
      expect(await store.readRun(run.runId)).toEqual(asked);
      await store.finishRun(run, { state: 'SUCCEEDED', result: wholeText('done after all') });
      expect(await store.readRun(run.runId)).toMatchObject({
        state: 'CANCELLED',
        statusMessage: { message: 'first' },
        result: { text: 'done after all' },
      });
    });

    test('canceling an unknown run reports it', async () => {
      const { store } = await open();
      expect(await store.requestCancel('0192f000-0000-7000-8000-000000000000', 'x')).toBe('unknown');
    });

    test('a run whose lease expired is canceled once, others are not', async () => {
      const { store, clock } = await open();
      const lapsing = await create(store, { leaseSeconds: 30 });
      const renewed = await create(store, { leaseSeconds: 30 });
      await create(store);
      clock.advance(20_000);
      expect(await store.renewLease(renewed.runId)).toBe(clock.now() + 30_000);
      expect(await store.cancelLapsedLeases()).toEqual([]);
      clock.advance(10_000);
      expect(await store.cancelLapsedLeases()).toEqual([lapsing.runId]);
      expect(await store.cancelLapsedLeases()).toEqual([]);
      expect(await store.readRun(lapsing.runId)).toMatchObject({ state: 'CANCELLED' });
      expect((await store.readRun(lapsing.runId))?.statusMessage?.message).toContain('lease of 30 s');
    });

    test('of many leases, all that expired are canceled once, and a restart gives all a full period', async () => {
      const { store, clock } = await open();
      const runs = await Promise.all(
        Array.from({ length: 70 }, (_, index) => create(store, { leaseSeconds: 60 + index })),
      );
      clock.advance(100_000);
      const changed = new Set<string>();
      store.onChange(runId => changed.add(runId));
      await store.restartLeases();
      expect(changed.size).toBe(70);
      expect(await store.cancelLapsedLeases()).toEqual([]);
      for (const { runId, leaseSeconds = 0 } of runs)
        expect((await store.readRun(runId))?.leaseExpiresAt).toBe(clock.now() + leaseSeconds * 1000);
      clock.advance(109_500);
      const expired = runs.slice(0, 50).map(({ runId }) => runId);
      expect((await store.cancelLapsedLeases()).toSorted()).toEqual(expired.toSorted());
      expect(await store.cancelLapsedLeases()).toEqual([]);
      expect(
        (await store.listRuns({ limit: 100, sort_by: 'updated_at', sort_order: 'desc', state: ['QUEUED'] })).runs,
      ).toHaveLength(20);
    });

    test('an expired lease requests one cancel of a run in progress', async () => {
      const { store, clock } = await open();
      await create(store, { leaseSeconds: 1.5 });
      const run = await claim(store);
      clock.advance(1500);
      expect(await store.cancelLapsedLeases()).toEqual([run.runId]);
      expect(await store.cancelLapsedLeases()).toEqual([]);
      expect((await store.readRun(run.runId))?.cancelRequestedAt).toBe(clock.now());
      expect(await store.renewLease(run.runId)).toBeUndefined();
    });

    test('a released lease never expires, and a new one can follow', async () => {
      const { store, clock } = await open();
      const { runId } = await create(store, { leaseSeconds: 30 });
      expect(await store.releaseLease(runId)).toBe(true);
      expect(await store.releaseLease(runId)).toBe(true);
      expect(await store.renewLease(runId)).toBeUndefined();
      await store.restartLeases();
      clock.advance(3_600_000);
      expect(await store.cancelLapsedLeases()).toEqual([]);
      expect(await store.readRun(runId)).toMatchObject({ leaseSeconds: undefined, leaseExpiresAt: undefined });
      expect(await store.renewLease(runId, 60)).toBe(clock.now() + 60_000);
      await store.requestCancel(runId, 'x');
      expect(await store.releaseLease(runId)).toBe(false);
      expect(await store.releaseLease('0192f000-0000-7000-8000-000000000000')).toBe(false);
    });

    test('a restart gives every open lease a full period', async () => {
      const { store, clock } = await open();
      const { runId } = await create(store, { leaseSeconds: 30 });
      clock.advance(3_600_000);
      await store.restartLeases();
      expect(await store.cancelLapsedLeases()).toEqual([]);
      expect((await store.readRun(runId))?.leaseExpiresAt).toBe(clock.now() + 30_000);
    });
  });

  describe(`${name}: restart`, () => {
    test('a restart keeps acknowledged data and ends a run in progress as retryable ERROR', async () => {
      const opened = await open();
      await create(opened.store);
      const running = await claim(opened.store);
      const waiting = await create(opened.store);
      await opened.store.appendEvents(running, [line('so far')]);
      const store = await opened.reopen();
      expect(await store.endOrphans('the server stopped')).toEqual([running.runId]);
      expect(await store.readRun(running.runId)).toMatchObject({
        state: 'ERROR',
        statusMessage: { message: 'the server stopped', error_code: 'resource_unavailable', retryable: true },
      });
      expect(await statesOf(store, running.runId)).toEqual(['QUEUED', 'INPROGRESS', 'ERROR']);
      expect(await store.readEvents(running.runId, 2, 1)).toMatchObject([line('so far')]);
      expect((await claim(store)).runId).toBe(waiting.runId);
    });

    test('a run with a cancel request before a crash ends CANCELLED', async () => {
      const { store, run } = await openClaimed();
      await store.requestCancel(run.runId, 'enough');
      await store.endOrphans('the server stopped');
      expect(await store.readRun(run.runId)).toMatchObject({
        state: 'CANCELLED',
        statusMessage: { message: 'enough' },
      });
    });

    test('a restart keeps keys and settings', async () => {
      const opened = await open();
      await opened.store.addKey({ keyId: 'k', name: 'n', hash: 'h' });
      expect(await opened.store.readOrKeepSetting('id', 'one')).toBe('one');
      const store = await opened.reopen();
      expect(await store.readOrKeepSetting('id', 'two')).toBe('one');
      expect(await store.listKeys()).toEqual([{ keyId: 'k', name: 'n', hash: 'h' }]);
    });
  });

  describe(`${name}: lists`, () => {
    const collect = async (store: RunStore, more: Partial<RunFilter>) => {
      const pages: string[][] = [];
      let cursor: string | undefined;
      do {
        const page = await store.listRuns({ ...filter, ...more, ...(cursor === undefined ? {} : { cursor }) });
        pages.push(page.runs.map(run => run.runId));
        cursor = page.nextCursor;
      } while (cursor !== undefined);
      return pages;
    };

    test('pages have every run once, in order, even with equal times', async () => {
      const { store, clock } = await open();
      const all: string[] = [];
      for (let index = 0; index < 23; index += 1) {
        all.push((await create(store)).runId);
        if (index % 5 === 4) clock.advance(1);
      }
      for (const sort_by of ['created_at', 'updated_at'] as const) {
        expect((await collect(store, { sort_by, sort_order: 'asc', limit: 4 })).flat()).toEqual(all);
        expect((await collect(store, { sort_by, sort_order: 'desc', limit: 7 })).flat()).toEqual(all.toReversed());
      }
    });

    test('pages have every run once for every order, limit, title and skill', async () => {
      const text = fc.constantFrom('', 'a', 'A', 'Ab', 'b', 'é', '😀', '"', '\\', 'z'.repeat(200));
      const skill = fc.option(fc.constantFrom('octo-org/shop:x', 'Octo-org/shop:X', 'octo-org/shop:y'), {
        nil: undefined,
      });
      const runs = fc.array(fc.record({ title: text, skill, pauseMs: fc.constantFrom(0, 1) }), { maxLength: 12 });
      await fc.assert(
        fc.asyncProperty(runs, async made => {
          const { store, clock } = await open();
          const all: StoredRun[] = [];
          for (const { title, skill: skill_spec, pauseMs } of made) {
            all.push(await create(store, { title, config: skill_spec === undefined ? {} : { skill_spec } }));
            clock.advance(pauseMs);
          }
          for (const sort_by of runOrders)
            for (const sort_order of ['asc', 'desc'] as const) {
              const expected = all.toSorted((a, b) => compareRuns(a, b, { sort_by, sort_order })).map(run => run.runId);
              for (const limit of [1, 2, 5, 20])
                expect((await collect(store, { sort_by, sort_order, limit })).flat()).toEqual(expected);
            }
        }),
        { numRuns: 12 },
      );
    });

    test('runs without a skill come last in both orders of agent', async () => {
      const { store } = await open();
      const none = (await create(store)).runId;
      const second = (await create(store, { config: { skill_spec: 'octo-org/shop:b' } })).runId;
      const first = (await create(store, { config: { skill_spec: 'octo-org/shop:A' } })).runId;
      const pages = (sort_order: 'asc' | 'desc') => collect(store, { sort_by: 'agent', sort_order, limit: 1 });
      expect((await pages('asc')).flat()).toEqual([first, second, none]);
      expect((await pages('desc')).flat()).toEqual([second, first, none]);
    });

    test('a cursor with a very long skill fits in a URL', async () => {
      const { store } = await open();
      for (const end of ['a', 'b'])
        await create(store, { config: { skill_spec: `octo-org/shop:${'x'.repeat(100_000)}${end}` } });
      const { nextCursor } = await store.listRuns({ ...filter, sort_by: 'agent', limit: 1 });
      expect(nextCursor?.length).toBeLessThan(1000);
      expect((await collect(store, { sort_by: 'agent', limit: 1 })).flat()).toHaveLength(2);
    });

    test('empty-environment finds runs without an environment', async () => {
      const { store } = await open();
      const without = await create(store);
      const within = await create(store, { config: { environment_id: 'e-1' } });
      expect((await collect(store, { environment_id: 'empty-environment' })).flat()).toEqual([without.runId]);
      expect((await collect(store, { environment_id: 'e-1' })).flat()).toEqual([within.runId]);
    });

    test('a full last page has no cursor', async () => {
      const { store } = await open();
      await create(store);
      await create(store);
      expect(await collect(store, { limit: 2 })).toHaveLength(1);
    });

    test('filters work alone and together; after is inclusive, before exclusive', async () => {
      const { store, clock } = await open();
      const first = await create(store, { config: { name: 'a', skill_spec: 'octo-org/shop:x' } });
      clock.advance(1000);
      const second = await create(store, { config: { name: 'b' }, source: 'CLI' });
      await store.requestCancel(first.runId, 'x');
      const ids = async (more: Partial<RunFilter>) => (await collect(store, more)).flat();
      expect(await ids({ name: 'a' })).toEqual([first.runId]);
      expect(await ids({ state: ['CANCELLED'] })).toEqual([first.runId]);
      expect((await ids({ state: ['CANCELLED', 'QUEUED'] })).toSorted()).toEqual(
        [first.runId, second.runId].toSorted(),
      );
      expect(await ids({ source: 'CLI' })).toEqual([second.runId]);
      expect(await ids({ skill_spec: 'octo-org/shop:x', name: 'b' })).toEqual([]);
      expect(await ids({ createdAfter: second.createdAt })).toEqual([second.runId]);
      expect(await ids({ createdBefore: second.createdAt })).toEqual([first.runId]);
      expect(await ids({ creator: 'nobody' })).toEqual([]);
    });

    test('q searches title, prompt and skill literally, ignoring case', async () => {
      const { store } = await open();
      const cart = await create(store, { title: 'x', prompt: 'Why is the CART red? 100% of it' });
      const skill = await create(store, {
        title: 'y',
        prompt: '',
        config: { skill_spec: 'octo-org/shop:review_cart' },
      });
      const ids = async (q: string) => (await collect(store, { q })).flat().toSorted();
      expect(await ids('cart')).toEqual([cart.runId, skill.runId].toSorted());
      expect(await ids('w_cart')).toEqual([skill.runId]);
      expect(await ids('100%')).toEqual([cart.runId]);
      expect(await ids('_')).toEqual([skill.runId]);
      expect(await ids('nothing of the kind')).toEqual([]);
    });

    test('every pair of a metadata filter must match', async () => {
      const { store } = await open();
      const one = await create(store, { metadata: { 'team.name': 'shop', ticket: '7' } });
      await create(store, { metadata: { 'team.name': 'shop', ticket: '8' } });
      await create(store);
      expect((await collect(store, { metadata: { 'team.name': 'shop', ticket: '7' } })).flat()).toEqual([one.runId]);
      expect((await collect(store, { metadata: { 'team.name': 'shop' } })).flat()).toHaveLength(2);
      expect((await collect(store, { metadata: { other: '' } })).flat()).toEqual([]);
    });

    test('a cursor of another order, or an invalid one, is rejected', async () => {
      const { store } = await open();
      await create(store);
      await create(store);
      const { nextCursor } = await store.listRuns({ ...filter, limit: 1 });
      await expect(
        store.listRuns({ ...filter, limit: 1, sort_order: 'asc', cursor: nextCursor ?? '' }),
      ).rejects.toThrow(BadCursorError);
      for (const cursor of [
        'x',
        '',
        'bnVsbA',
        Buffer.from('{"by":"updated_at","order":"desc","value":"1","id":2}').toString('base64url'),
        Buffer.from('{"by":"updated_at","order":"desc","value":"1","id":"2"}').toString('base64url'),
        Buffer.from('{"by":"updated_at","order":"desc","value":null,"id":"2"}').toString('base64url'),
      ])
        await expect(store.listRuns({ ...filter, cursor })).rejects.toThrow(BadCursorError);
    });

    test('a page of large prompts ends early, and the next one continues', async () => {
      const { store } = await open();
      for (let index = 0; index < 6; index += 1) await create(store, { prompt: 'x'.repeat(1_000_000) });
      const pages = await collect(store, { limit: 6, sort_by: 'created_at' });
      expect(pages.map(page => page.length)).toEqual([4, 2]);
    });
  });
}

/** Expected order of a list: by key, runs without one last, then by id. */
function compareRuns(a: StoredRun, b: StoredRun, order: Pick<RunFilter, 'sort_by' | 'sort_order'>): number {
  const [one, other] = [sortKey(a, order.sort_by), sortKey(b, order.sort_by)];
  const missing = Number(one === undefined) - Number(other === undefined);
  if (missing !== 0) return missing;
  const turn = order.sort_order === 'asc' ? 1 : -1;
  return turn * (Buffer.compare(Buffer.from(one ?? ''), Buffer.from(other ?? '')) || (a.runId < b.runId ? -1 : 1));
}

function sortKey(run: StoredRun, by: RunFilter['sort_by']): string | undefined {
  const lower = (text: string | undefined) => text?.replace(/[A-Z]/g, letter => letter.toLowerCase());
  if (by === 'title') return lower(run.title);
  if (by === 'agent') return lower(run.config.skill_spec);
  return String(by === 'created_at' ? run.createdAt : run.updatedAt).padStart(20, '0');
}
